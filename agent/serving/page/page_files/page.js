// The page: a conversation on one side, what its replies rest on on the other.

import { prepareGraph, showGraph, showNoGraph } from "./graph.js";
import { $, button, make } from "./make.js";
import { preparePanes, showPane } from "./panes.js";
import { nextStage, rememberNames, showNoReasons, showReasons, showTimes } from "./reasons.js";
import { ask, Away, Refused, takeKeyFromAddress, takeTurn } from "./server.js";

const SESSION = "frontdesk.session";
const UNSENT = "frontdesk.unsent";
const DRAFT = "frontdesk.draft";
const MOST_TRIES = 4;
const narrow = matchMedia("(max-width: 820px)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Turns that were answered: number, what was said, the reply where it is here, its bubble. */
const turns = [];
/** The turn that is not answered yet; kept where a reload finds it. */
let unsent = null;
let working = false;
/** While earlier turns are fetched nothing is sent: they replace all that the log shows. */
let restoring = true;
/** What the visitor wished for meanwhile. */
let afterwards = null;
let selected = null;

// ---- the conversation

function bubble(who, text) {
  return make(`div.turn.${who}`, null,
    make("span.unseen", who === "said" ? "You: " : "Reception: "), make("p.words", text));
}

function addSaid(text) {
  document.body.classList.remove("blank");
  const element = bubble("said", text);
  $("log").append(element);
  toEnd();
  return element;
}

function addReply(turn, text) {
  const element = bubble("reply", text);
  const why = button(".why", "What it rests on", () => {
    select(turn);
    if (narrow.matches) { showPane("facts", { focus: true }); }
  });
  why.setAttribute("aria-pressed", "false");
  why.setAttribute("aria-label", `What it rests on: ${text}`);
  element.append(why);
  turn.element = element;
  turn.why = why;
  $("log").append(element);
  $("afresh").hidden = false;
  toEnd();
}

function toEnd() {
  $("scroller").scrollTo({ top: $("scroller").scrollHeight,
    behavior: calm.matches ? "auto" : "smooth" });
}

function say(text) {
  $("status").textContent = "";
  $("status").textContent = text;
}

// ---- taking a turn

function newId() {
  // Unlike randomUUID, it is there on pages that come over plain HTTP too.
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((each) => each.toString(16).padStart(2, "0")).join("");
}

function begin(text) {
  unsent = { text, id: newId(), element: addSaid(text) };
  keepUnsent();
  attempt();
}

function keepUnsent() {
  if (unsent) {
    sessionStorage.setItem(UNSENT, JSON.stringify({ text: unsent.text, id: unsent.id }));
  } else {
    sessionStorage.removeItem(UNSENT);
  }
}

async function session() {
  let id = sessionStorage.getItem(SESSION);
  if (id === null) {
    ({ id } = await ask("POST", "sessions", {}));
    sessionStorage.setItem(SESSION, id);
  }
  return id;
}

/** Send the turn that is not answered yet, under the id that it always had. */
async function attempt() {
  setWorking(true);
  clearTrouble();
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        await takeUnsent();
        return;
      } catch (error) {
        if (!(error instanceof Refused)) { throw error; }
        if (error.status === 404 && tries < MOST_TRIES) {
          forgetSession("The earlier conversation has ended; this is a new one.");
        } else if (error.wait && tries < MOST_TRIES) {
          await waitFor(error.wait, error.status === 429
            ? "There is much to do just now." : "This cannot be answered just now.");
        } else {
          throw error;
        }
      }
    }
  } catch (error) {
    showTrouble(error);
  } finally {
    setWorking(false);
  }
}

async function takeUnsent() {
  const times = {};
  show("stage", "Reading what was said");
  const reply = await takeTurn(await session(), { text: unsent.text, id: unsent.id },
    (stage, ms) => {
      times[stage] = (times[stage] ?? 0) + ms;
      show("stage", nextStage(stage));
      showTimes(times);
    });
  const { text, restored } = unsent;
  unsent = null;
  keepUnsent();
  setWorking(false);
  say("");
  if (restored) {  // it may have been answered before the page was loaded again
    await startUntilThere();
    return;
  }
  const turn = { number: (turns.at(-1)?.number ?? 0) + 1, said: text, reply };
  turns.push(turn);
  addReply(turn, reply.text);
  await select(turn);
}

async function waitFor(seconds, why) {
  say(`${why} It is sent again in ${seconds} seconds.`);
  for (let left = seconds; left > 0; left -= 1) {
    show("stage", `${why} Sending it again in ${left} s.`);
    await new Promise((done) => { setTimeout(done, 1000); });
  }
}

function show(id, text) {
  $(id).textContent = text;
}

function setWorking(now) {
  if (working === now) { return; }
  working = now;
  $("doing").hidden = !now;
  $("log").setAttribute("aria-busy", String(now));
  $("send").setAttribute("aria-disabled", String(now));
  $("afresh").disabled = now;
  if (now) {
    say("Working on the reply.");
    show("subject", `\u201c${unsent.text}\u201d`);
    toEnd();
  }
}

function showTrouble(error) {
  const gone = error instanceof Away;
  const words = gone ? "The reception could not be reached. Nothing is lost: try again and it is "
    + "answered once only." : `This could not be answered: ${error.message}.`;
  if (!gone && !(error instanceof Refused)) { console.error(error); }
  const again = button(".strong", "Try again", attempt);
  const change = button(".plain", "Change the message", () => {
    const { text } = unsent;
    unsent.element.remove();
    unsent = null;
    keepUnsent();
    clearTrouble();
    $("say").value = [text, $("say").value].filter(Boolean).join("\n");
    grow();
    $("say").focus();
  });
  const trouble = make("div.trouble", null, make("p", words), make("div.choices", null,
    change, again));
  trouble.id = "trouble";
  trouble.setAttribute("role", "alert");
  unsent.element.classList.add("unanswered");
  unsent.element.after(trouble);
  toEnd();
  say("");
}

function clearTrouble() {
  const inside = $("trouble")?.contains(document.activeElement);
  $("trouble")?.remove();
  unsent?.element.classList.remove("unanswered");
  if (inside) { $("say").focus(); }
}

// ---- what a reply rests on

async function select(turn) {
  selected = turn;
  for (const each of turns) {
    const now = each === turn;
    each.element.classList.toggle("selected", now);
    each.why.setAttribute("aria-pressed", String(now));
  }
  show("subject", `\u201c${turn.said}\u201d`);
  const path = `sessions/${encodeURIComponent(await session())}`;
  await Promise.all([
    quietly(async () => {
      turn.reply ??= (await ask("GET", `${path}/turns/${turn.number}`)).reply;
      if (selected === turn) { showReasons(turn.reply); }
    }, (words) => showNoReasons(words)),
    quietly(async () => {
      turn.graph ??= await ask("GET", `${path}/graph?turn=${turn.number}`);
      if (selected === turn) {
        showTurnGraph(turn);
        rememberNames(turn.graph.nodes.map((each) => [each.id.replace(/^e:/, ""), each.label]));
        if (turn.reply?.actions?.length) { showReasons(turn.reply); }
      }
    }, (words) => showNoGraph(words))]);
}

function showTurnGraph(turn) {
  showGraph(turn.graph, `Graph of turn ${turn.number}`, explore);
}

/** Show what the organisation knows around an entity. */
async function explore(id) {
  const path = `sessions/${encodeURIComponent(await session())}/graph`;
  await quietly(async () => {
    const graph = await ask("GET", `${path}?entity=${encodeURIComponent(id)}`);
    showGraph(graph, graph.heading, explore, true);
    $("back").focus({ preventScroll: true });
  }, say);
}

/** Do something whose failure is no more than told. */
async function quietly(act, tell) {
  try {
    await act();
  } catch (error) {
    if (error instanceof Away) {
      tell("The reception could not be reached; choose the reply again to see this.");
    } else if (error instanceof Refused) {
      tell(`This cannot be shown: ${error.message}.`);
    } else {
      throw error;
    }
  }
}

// ---- beginning, going on and beginning anew

function forgetSession(note = "") {
  sessionStorage.removeItem(SESSION);
  turns.length = 0;
  selected = null;
  $("log").replaceChildren(...[note && make("p.note", note), unsent?.element].filter(Boolean));
  document.body.classList.toggle("blank", !unsent);
  $("afresh").hidden = true;
  show("subject", "");
  showNoGraph("Who and what a reply speaks of, and how it is known, is drawn here.");
  showNoReasons("The facts that a reply rests on come here, with how relevant each is.");
}

async function restore() {
  const id = sessionStorage.getItem(SESSION);
  turns.length = 0;
  $("log").replaceChildren();
  if (id !== null) {
    try {
      for (let after = 0, more = true; more; after = turns.at(-1)?.number) {
        const found = await ask("GET",
          `sessions/${encodeURIComponent(id)}?after=${after}&limit=1000`);
        for (const { number, said, reply } of found.turns) {
          const turn = { number, said, reply: null };
          addSaid(said);
          turns.push(turn);
          addReply(turn, reply);
        }
        more = found.turns.length === 1000;
      }
    } catch (error) {
      if (!(error instanceof Refused && error.status === 404)) { throw error; }
      forgetSession("The earlier conversation has ended.");
    }
  }
  restoring = false;
  if (turns.length) { select(turns.at(-1)); }
  const kept = sessionStorage.getItem(UNSENT);
  if (kept !== null) {
    const { text, id: turn } = JSON.parse(kept);
    unsent = { text, id: turn, element: addSaid(text), restored: true };
    await attempt();
  }
  const wish = afterwards;
  afterwards = null;
  wish?.();
}

async function beginAnew() {
  const id = sessionStorage.getItem(SESSION);
  try {
    if (id !== null) { await ask("DELETE", `sessions/${encodeURIComponent(id)}`); }
  } catch (error) {
    if (!(error instanceof Refused && error.status === 404)) {
      show("afresh-wrong", error instanceof Refused ? `It could not be deleted: ${error.message}.`
        : "The reception could not be reached; nothing was deleted. Try again.");
      return;
    }
  }
  clearTrouble();
  unsent = afterwards = null;
  restoring = false;
  keepUnsent();
  forgetSession();
  $("afresh-dialog").close();
  showPane("talk");
  say("A new conversation.");
  $("say").focus();
}

async function start() {
  restoring = true;
  const { name } = await ask("GET", "graph?limit=1");
  show("house", name);
  document.title = `${name} \u2013 reception`;
  await restore();
}

async function startUntilThere() {
  try {
    await start();
  } catch (error) {
    if (!(error instanceof Away || error instanceof Refused)) { throw error; }
    const again = button(".strong", "Try again", () => {
      trouble.remove();
      startUntilThere();
    });
    const trouble = make("div.trouble", null, make("p", error instanceof Away
      ? "The reception could not be reached." : `The reception answers: ${error.message}.`),
    make("div.choices", null, again));
    trouble.setAttribute("role", "alert");
    $("log").replaceChildren(trouble);
  }
}

// ---- the message box

function grow() {
  const box = $("say");
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight, 160)}px`;
  sessionStorage.setItem(DRAFT, box.value);
}

function submit() {
  const text = $("say").value.trim();
  if (!text) { return; }
  if (restoring) {
    afterwards = submit;
    say("It is sent as soon as the reception is reached.");
  } else if (working) {
    say("The reply before comes first.");
  } else if (unsent) {
    say("The message before is not answered yet: try again, or change it.");
    $("trouble")?.querySelector("button.strong").focus();
  } else {
    $("say").value = "";
    grow();
    begin(text);
  }
}

takeKeyFromAddress();
preparePanes();
prepareGraph(() => {
  showTurnGraph(selected);
  $("picture").focus({ preventScroll: true });
});
$("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
$("say").addEventListener("input", grow);
$("say").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    submit();
  }
});
for (const hint of $("hints").querySelectorAll("button")) {
  const choose = () => {
    if (restoring) {
      afterwards = choose;
    } else if (!working && !unsent) {
      begin(hint.textContent);
      $("say").focus();
    }
  };
  hint.addEventListener("click", choose);
}
$("afresh").addEventListener("click", () => {
  show("afresh-wrong", "");
  $("afresh-dialog").showModal();
});
$("afresh-go").addEventListener("click", beginAnew);
$("say").value = sessionStorage.getItem(DRAFT) ?? "";
grow();
await startUntilThere();
