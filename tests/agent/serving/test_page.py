"""The page in a real browser: a visitor talks, and sees what each reply rests on."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

from frontdesk.agent.serving.auth.api_keys import ANYBODY

from ..acting.offices import WHERE_THE_WORKSHOP_IS
from .browser import CHROMIUM, LOW_CONTRAST, PHONE_SCREEN, chromium, visiting
from .calls import call
from .conftest import LOBBY, running

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")

WHERE = "Where is the lens workshop?"
HOSTILE = ("<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
           "</p></div>\u202e &amp; <b>bold</b>")


@pytest.fixture(scope="module")
def browser():
    # Not for longer than this module: its event loop would be in the way of other tests.
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def reception(tmp_path_factory, encoder):
    """A service for the visits that leave it as it was."""
    with running(tmp_path_factory.mktemp("reception"), encoder) as service:
        yield service


@pytest.fixture
def visit(browser, reception):
    with visiting(browser, f"{reception.url}/#key={LOBBY}") as visit:
        yield visit


def session_of(visit) -> str:
    """Id of the session of a tab."""
    return str(visit.page.evaluate("sessionStorage.getItem('frontdesk.session')"))


def sent_ids(visit) -> list[str]:
    """The ids of the turns that a tab sent."""
    return [json.loads(each.post_data)["id"] for each in visit.requests
            if each.url.endswith("/turns") and each.method == "POST"]


def test_a_reply_comes_with_all_that_it_rests_on(visit):
    page = visit.page
    expect(page.locator("h1")).to_have_text("Fjordlight")
    assert visit.say(WHERE) == WHERE_THE_WORKSHOP_IS
    expect(page.locator("#subject")).to_contain_text(WHERE)
    expect(page.locator("#graph-title")).to_have_text("Graph of turn 1")
    names = page.locator("#picture .name").all_text_contents()
    assert {"lens workshop", "Rowan"} <= set(names)
    used = page.locator(".fact.used").first
    expect(used.first).to_contain_text("Rowan")
    shown, share = used.locator(".number").inner_text(), used.locator(".bar").evaluate(
        "each => Number(each.style.getPropertyValue('--share'))")
    assert float(shown.lstrip("<>")) == pytest.approx(share, abs=0.01)
    expect(page.locator(".link.used")).to_contain_text("lens workshop")
    expect(page.locator("#checks-body")).to_contain_text("supported by the graph")
    expect(page.locator("#checks-body")).to_contain_text("PMI-FAITH")
    assert page.locator(".times li").count() >= 7
    expect(page.locator("#times .aside")).to_contain_text("ms")


def test_proofs_of_derived_facts_can_be_opened(visit):
    visit.say("Is Ines Okafor free tomorrow at noon?")
    fact = visit.page.locator(".fact.used").first
    expect(fact.locator(".how")).to_contain_text("commonsense.pl")
    fact.locator("summary").click()
    expect(fact.locator(".proof").first).to_contain_text("Ines Okafor")


def test_stages_are_told_while_the_turn_runs(browser, reception):
    with visiting(browser, f"{reception.url}/#key={LOBBY}") as visit:
        visit.page.evaluate("""() => {
            window.seen = [];
            new MutationObserver(() => {
                if (!document.querySelector(".reply")) {
                    window.seen.push([document.getElementById("stage").textContent,
                                      document.querySelectorAll(".times li").length]);
                }
            }).observe(document.body, {subtree: true, childList: true, characterData: true});
        }""")
        visit.say(WHERE)
        seen = visit.page.evaluate("window.seen")
    assert {"Wording the reply", "Checking the reply"} <= {stage for stage, _ in seen}
    rows = [count for _, count in seen]
    assert rows == sorted(rows)
    assert rows[-1] >= 7


def test_hostile_texts_stay_texts(visit):
    visit.say(HOSTILE)
    assert visit.page.locator(".said .words").inner_text() == HOSTILE
    visit.say(f"My name is {HOSTILE}")
    made = visit.page.locator("#log :is(img, script, b), .columns :is(img, script, b), #graph img")
    assert made.count() == 0
    assert "owned" not in visit.page.title()


def test_notes_that_carry_what_was_said_stay_texts(visit):
    note = f"I did not take “{HOSTILE}” into account"
    script = visit.page.locator("script[type=module]").first.evaluate("each => each.src")
    visit.page.evaluate("""async ([script, note]) => (
        await import(new URL("reasons.js", script))).showReasons({notes: [note]})""",
                        [script, note])
    shown = visit.page.locator("#checks-body .notes li")
    assert shown.text_content() == note
    assert shown.locator("*").count() == 0
    assert "owned" not in visit.page.title()


def test_earlier_replies_can_be_looked_at_again(visit):
    page = visit.page
    visit.say(WHERE)
    visit.say("When is the budget review?")
    expect(page.locator("#graph-title")).to_have_text("Graph of turn 2")
    page.locator(".why").first.click()
    expect(page.locator("#graph-title")).to_have_text("Graph of turn 1")
    expect(page.locator(".fact.used").filter(has_text="in Rowan")).to_have_count(1)
    assert page.locator(".why").evaluate_all(
        "all => all.map((each) => each.getAttribute('aria-pressed'))") == ["true", "false"]


def test_what_is_around_an_entity_can_be_looked_at(visit):
    page = visit.page
    visit.say(WHERE)
    page.locator("#picture").get_by_role("button", name="event: lens workshop").click()
    expect(page.locator("#graph-title")).to_have_text("lens workshop and what it is related to")
    assert "Tomas Lindqvist" in page.locator("#picture .name").all_text_contents()
    page.get_by_role("button", name="Back to the turn").click()
    expect(page.locator("#graph-title")).to_have_text("Graph of turn 1")


def test_a_reload_goes_on_with_the_conversation(visit):
    page = visit.page
    visit.say(WHERE)
    visit.say("When does it start?")
    page.fill("#say", "half a sentence")
    page.reload()
    expect(page.locator(".reply")).to_have_count(2)
    assert page.locator(".said .words").all_inner_texts() == [WHERE, "When does it start?"]
    expect(page.locator("#say")).to_have_value("half a sentence")
    expect(page.locator("#graph-title")).to_have_text("Graph of turn 2")
    expect(page.locator(".fact.used").first).to_contain_text("14:00")
    page.locator(".why").first.click()
    expect(page.locator(".fact.used").filter(has_text="in Rowan")).to_have_count(1)


def test_a_new_conversation_deletes_the_one_before_once_confirmed(visit, reception):
    page = visit.page
    visit.say(WHERE)
    before = f"{reception.url}/sessions/{session_of(visit)}"
    page.get_by_role("button", name="New conversation").click()
    page.get_by_role("button", name="Keep this one").click()
    expect(page.locator(".reply")).to_have_count(1)
    assert call(before)[0] == 200
    page.get_by_role("button", name="New conversation").click()
    page.get_by_role("button", name="Delete and begin anew").click()
    expect(page.locator("#welcome")).to_be_visible()
    expect(page.locator("#say")).to_be_focused()
    expect(page.locator(".turn")).to_have_count(0)
    assert call(before)[0] == 404
    visit.say(WHERE)
    assert session_of(visit) != before.rpartition("/")[2]


def test_the_key_is_asked_for_and_kept_in_the_tab_alone(browser, reception):
    with visiting(browser, f"{reception.url}/", allowed=("401",)) as visit:
        page = visit.page
        field = page.get_by_label("Key", exact=True)
        expect(field).to_be_focused()
        assert field.get_attribute("type") == "password"
        field.fill("wrong-0123456789")
        field.press("Enter")
        expect(page.locator("#key-wrong")).to_have_text("That is not a key here.")
        field.fill(LOBBY)
        field.press("Enter")
        expect(page.locator("h1")).to_have_text("Fjordlight")
        assert visit.say(WHERE) == WHERE_THE_WORKSHOP_IS
        assert page.evaluate("Object.keys(localStorage).length + document.cookie.length") == 0
        assert LOBBY not in "".join(each.url for each in visit.requests)


def test_a_key_in_the_address_is_taken_out_of_it(visit, reception):
    expect(visit.page.locator("h1")).to_have_text("Fjordlight")
    assert visit.page.url == f"{reception.url}/"
    assert LOBBY not in "".join(each.url for each in visit.requests if "#" not in each.url)


def test_a_turn_whose_answer_is_lost_is_sent_again_and_answered_once(browser, reception):
    with visiting(browser, f"{reception.url}/#key={LOBBY}", allowed=("net::",)) as visit:
        page = visit.page
        expect(page.locator("h1")).to_have_text("Fjordlight")
        lost = []

        def lose(route) -> None:
            lost.append(route.fetch().status)  # the service takes the turn
            route.abort()

        page.route("**/turns", lose, times=1)
        page.fill("#say", WHERE)
        page.press("#say", "Enter")
        expect(page.get_by_role("alert").filter(has_text="could not be reached")).to_be_visible()
        expect(page.locator(".said .words")).to_have_text(WHERE)
        page.fill("#say", "written meanwhile")
        page.get_by_role("button", name="Try again").click()
        expect(page.locator(".reply .words")).to_have_text(WHERE_THE_WORKSHOP_IS)
        expect(page.locator("#say")).to_have_value("written meanwhile")
        first, second = sent_ids(visit)
        assert (lost, first) == ([200], second)
        turns = call(f"{reception.url}/sessions/{session_of(visit)}")[1]["turns"]
        assert [each["said"] for each in turns] == [WHERE]


@pytest.mark.parametrize("by", ["enter", "hint"])
def test_what_is_sent_before_the_reception_is_reached_is_answered_once(browser, reception, by):
    with visiting(browser, f"{reception.url}/healthz") as visit:
        page, held = visit.page, []
        page.route("**/graph?limit=1", lambda route: held.append(route), times=1)
        page.goto(f"{reception.url}/#key={LOBBY}")
        if by == "enter":
            page.fill("#say", WHERE)
            page.press("#say", "Enter")
        else:
            page.get_by_role("button", name="Which rooms are free now?").click()
        expect(page.locator(".said")).to_have_count(0)
        held[0].continue_()
        expect(page.locator(".reply")).to_have_count(1)
        expect(page.locator(".said")).to_have_count(1)
        expect(page.locator("#say")).to_have_value("")
        assert len(sent_ids(visit)) == 1
        visit.say(WHERE)
        assert page.locator(".turn").count() == 4


def test_a_turn_that_was_not_answered_survives_a_reload(browser, reception):
    with visiting(browser, f"{reception.url}/#key={LOBBY}", allowed=("net::",)) as visit:
        page = visit.page
        visit.say("When is the budget review?")
        page.context.set_offline(True)
        page.fill("#say", WHERE)
        page.press("#say", "Enter")
        expect(page.locator("#trouble")).to_be_visible()
        page.context.set_offline(False)
        page.reload()
        expect(page.locator(".reply")).to_have_count(2)
        assert page.locator(".said .words").all_inner_texts() == [
            "When is the budget review?", WHERE]
        expect(page.locator("#trouble")).to_have_count(0)
        assert len(set(sent_ids(visit))) == 2


def test_a_message_that_is_refused_can_be_changed(browser, reception):
    with visiting(browser, f"{reception.url}/#key={LOBBY}", allowed=("422",)) as visit:
        page = visit.page
        page.fill("#say", "x" * 4001)
        page.press("#say", "Enter")
        expect(page.locator("#trouble")).to_contain_text("the text has 4001 characters")
        page.get_by_role("button", name="Change the message").click()
        expect(page.locator("#say")).to_have_value("x" * 4001)
        expect(page.locator("#say")).to_be_focused()
        expect(page.locator(".said")).to_have_count(0)
        assert visit.say(WHERE) == WHERE_THE_WORKSHOP_IS


def test_a_busy_reception_is_waited_for(browser, tmp_path, encoder):
    with running(tmp_path, encoder, workers=1, waiting=0) as service, visiting(
            browser, f"{service.url}/#key={LOBBY}", allowed=("429",)) as visit:
        expect(visit.page.locator("h1")).to_have_text("Fjordlight")
        held, free = threading.Event(), threading.Event()

        def occupy() -> None:
            with service.conversations.places.take(ANYBODY):
                held.set()
                free.wait(20)

        worker = threading.Thread(target=occupy)
        worker.start()
        assert held.wait(5)
        visit.page.fill("#say", WHERE)
        visit.page.press("#say", "Enter")
        expect(visit.page.locator("#doing")).to_contain_text("Sending it again in 1 s")
        expect(visit.page.locator("#status")).to_contain_text("There is much to do just now")
        free.set()
        worker.join()
        expect(visit.page.locator(".reply .words")).to_have_text(WHERE_THE_WORKSHOP_IS)
        assert len(set(sent_ids(visit))) == 1


def test_a_conversation_that_is_gone_is_begun_anew(browser, reception):
    with visiting(browser, f"{reception.url}/#key={LOBBY}", allowed=("404",)) as visit:
        visit.say("hello")
        call(f"{reception.url}/sessions/{session_of(visit)}", method="DELETE")
        visit.page.fill("#say", WHERE)
        visit.page.press("#say", "Enter")
        expect(visit.page.locator(".reply .words")).to_have_text(WHERE_THE_WORKSHOP_IS)
        expect(visit.page.locator(".note")).to_contain_text("this is a new one")


def test_everything_can_be_done_with_the_keyboard(visit):
    page = visit.page
    expect(page.locator("h1")).to_have_text("Fjordlight")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#say")).to_be_focused()
    page.keyboard.type("Where is")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("the lens workshop?")
    page.keyboard.press("Enter")
    expect(page.locator(".reply .words")).to_have_text(WHERE_THE_WORKSHOP_IS)
    page.keyboard.press("Shift+Tab")
    expect(page.locator(".why")).to_be_focused()
    workshop = "event: lens workshop. What is around it?"
    expect(page.get_by_label(workshop)).to_be_visible()  # it is drawn after the reply
    reached = {}
    for _ in range(40):
        page.keyboard.press("Tab")
        name, ring = page.evaluate("""() => {
            const at = document.activeElement;
            const style = getComputedStyle(at.querySelector?.(":scope > .box") ?? at);
            const around = getComputedStyle(at.closest(".composer") ?? at);
            return [at.getAttribute("aria-label") ?? at.textContent.trim() ?? at.tagName,
                    parseFloat(style.outlineWidth) * (style.outlineStyle !== "none")
                    + parseFloat(style.strokeWidth) * (style.stroke !== "none")
                    + (around.boxShadow !== "none")];
        }""")
        reached[name] = ring
        if name == workshop:
            break
    assert {"Send", "Smaller", "Larger", "Fit"} <= set(reached)
    assert all(ring >= 1 for name, ring in reached.items() if name), reached
    page.keyboard.press("Enter")
    expect(page.locator("#graph-title")).to_contain_text("what it is related to")
    expect(page.locator("#back")).to_be_focused()


def test_panes_are_tabs_on_a_phone_and_nothing_is_too_wide(browser, reception):
    with visiting(browser, f"{reception.url}/#key={LOBBY}", viewport=PHONE_SCREEN,
                  has_touch=True, is_mobile=True) as visit:
        page = visit.page
        visit.say("Where is " + "W" * 300 + "?")
        visit.say(WHERE)
        page.get_by_role("tab", name="Talk").focus()
        for name, pane in (("Graph", "#graph"), ("Facts", "#facts"), ("Checks", "#checks")):
            page.keyboard.press("ArrowRight")
            tab = page.get_by_role("tab", name=name)
            expect(tab).to_be_focused()
            assert tab.get_attribute("aria-selected") == "true"
            expect(page.locator(pane)).to_be_visible()
            assert page.locator("[role=tabpanel]:visible").count() == 1
            page.locator(pane).evaluate(
                "pane => pane.querySelectorAll('details').forEach(each => { each.open = true; })")
            assert visit.overflow() == 0
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("tab", name="Talk")).to_be_focused()
        page.locator(".why").last.tap()
        expect(page.get_by_role("tab", name="Facts")).to_have_attribute("aria-selected", "true")
        page.set_viewport_size({"width": 320, "height": 568})
        for name in ("Talk", "Graph", "Facts", "Checks"):
            page.get_by_role("tab", name=name).click()
            assert visit.overflow() == 0
        page.set_viewport_size({"width": 1280, "height": 800})
        expect(page.locator("#talk, #graph, #facts, #checks").filter(visible=True)).to_have_count(4)
        assert page.get_by_role("tab").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_can_be_read_in_light_and_dark(browser, reception, scheme):
    with visiting(browser, f"{reception.url}/#key={LOBBY}", color_scheme=scheme) as visit:
        page = visit.page
        expect(page.locator("h1")).to_have_text("Fjordlight")
        assert page.evaluate(LOW_CONTRAST) == []
        visit.say("Is Ines Okafor free tomorrow at noon?")
        expect(page.locator("#picture svg")).to_be_visible()
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        assert page.evaluate(LOW_CONTRAST) == []
        page.get_by_role("button", name="New conversation").click()
        assert page.evaluate(LOW_CONTRAST) == []
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        parts = [int(part) for part in ground[4:-1].split(",")]
        assert (sum(parts) < 150) == (scheme == "dark")


def test_everything_that_can_be_used_has_a_name(visit):
    page = visit.page
    visit.say(WHERE)
    expect(page.locator("#picture svg")).to_be_visible()
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    named = [(each["role"]["value"], each.get("name", {}).get("value", "")) for each in tree
             if not each["ignored"]]
    used = {"button", "textbox", "link", "tab", "DisclosureTriangle", "log", "region", "image"}
    assert [each for each in named if each[0] in used and not each[1]] == []
    roles = {role for role, _ in named}
    assert {"main", "banner", "log", "status", "heading", "region"} <= roles
    assert ("heading", "Fjordlight") in named
    assert ("textbox", "Your message") in named
    log = page.get_by_role("log")
    assert (log.get_attribute("aria-live"), log.get_attribute("aria-busy")) == ("polite", "false")


def test_nothing_moves_where_less_motion_is_wanted(browser, reception):
    with visiting(browser, f"{reception.url}/#key={LOBBY}", reduced_motion="reduce") as visit:
        visit.say(WHERE)
        expect(visit.page.locator("#picture svg")).to_be_visible()
        assert visit.page.evaluate("document.getAnimations().length") == 0


def test_the_page_is_kept_until_it_changes_and_allows_nothing_from_elsewhere(reception):
    for path in ("/", "/page/page.js", "/page/page.css", "/page/icon.svg"):
        with urllib.request.urlopen(reception.url + path) as response:
            headers = response.headers
        assert headers["cache-control"] == "no-cache"
        policy = dict(each.strip().split(" ", 1)
                      for each in headers["content-security-policy"].split(";"))
        assert (policy["default-src"], policy["script-src"]) == ("'none'", "'self'")
        assert "unsafe" not in headers["content-security-policy"]
        again = urllib.request.Request(reception.url + path,
                                       headers={"If-None-Match": f'W/{headers["etag"]}, "x"'})
        with pytest.raises(urllib.error.HTTPError) as unchanged:
            urllib.request.urlopen(again)
        assert (unchanged.value.code, unchanged.value.read()) == (304, b"")
    status, problem, _ = call(f"{reception.url}/page/../app.py", key=None)
    assert (status, problem["error"]["status"]) == (404, 404)
