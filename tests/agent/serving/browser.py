"""Chromium as a visitor of the page uses it, and what it finds out about the page."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urljoin

from playwright.sync_api import Browser, Page, Request, sync_playwright

CHROMIUM = shutil.which("chromium")
_ARGUMENTS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
              "--disable-background-networking", "--disable-component-update", "--disable-sync")
DESKTOP, PHONE_SCREEN = {"width": 1280, "height": 800}, {"width": 390, "height": 844}

#: The texts that can be seen whose contrast with what is behind them is too low, by WCAG 2 AA.
LOW_CONTRAST = """() => {
  const context = Object.assign(document.createElement("canvas"), {width: 1, height: 1})
    .getContext("2d", {willReadFrequently: true});
  const rgba = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const light = ([r, g, b]) => [r, g, b].map((part) => part / 255).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const box = each.closest("svg") && each.parentElement.querySelector(":scope > .box");
      const found = rgba(getComputedStyle(box || each)[box ? "fill" : "backgroundColor"]);
      if (found[3] === 1) { return found; }
    }
    return [255, 255, 255, 1];
  };
  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const [text, element] = [walker.currentNode.data.trim(), walker.currentNode.parentElement];
    if (!text || !element.checkVisibility() || element.closest(".unseen, title, noscript")) {
      continue;
    }
    const style = getComputedStyle(element);
    const ink = rgba(element.closest("svg") ? style.fill : style.color);
    const [one, other] = [light(ink), light(behind(element))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    const large = parseFloat(style.fontSize) >= 24;
    if (ratio < (large ? 3 : 4.5)) { low.push([text, ratio.toFixed(2)]); }
  }
  return low;
}"""


@dataclass
class Visit:
    """A tab in which the page is open.

    Args:
        page: The tab.
        requests: All that it asked for.
        problems: What its console says is wrong.
    """

    page: Page
    requests: list[Request] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def say(self, text: str) -> str:
        """Type a message and send it; the reply to it."""
        replies = self.page.locator(".reply")
        before = replies.count()
        self.page.fill("#say", text)
        self.page.press("#say", "Enter")
        replies.nth(before).wait_for()
        return replies.nth(before).locator(".words").inner_text()

    def overflow(self) -> float:
        """By how many pixels the page is wider than its window."""
        return float(self.page.evaluate(
            "document.scrollingElement.scrollWidth - document.documentElement.clientWidth"))


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """A running Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(_ARGUMENTS))
        yield browser
        browser.close()


@contextlib.contextmanager
def visiting(browser: Browser, url: str, *, allowed: tuple[str, ...] = (), **options
             ) -> Iterator[Visit]:
    """A new visitor with a tab of the page.

    Args:
        browser: Chromium.
        url: Of the page.
        allowed: What problems in the console may contain; others fail the test.
        options: Of the browser's context.

    Raises:
        AssertionError: Something was asked for elsewhere, or the console tells of a problem.
    """
    context = browser.new_context(**{"viewport": DESKTOP, **options})
    context.set_default_timeout(15_000)
    visit = Visit(context.new_page())
    visit.page.on("request", lambda request: visit.requests.append(request))
    visit.page.on("pageerror", lambda error: visit.problems.append(str(error)))
    visit.page.on("console", lambda message: visit.problems.append(message.text)
                  if message.type in ("error", "warning") else None)
    visit.page.goto(url)
    try:
        yield visit
    finally:
        context.close()
    origin = urljoin(url, "/")
    assert {each.url for each in visit.requests if not each.url.startswith(origin)} == set()
    assert [each for each in visit.problems if not any(part in each for part in allowed)] == []
