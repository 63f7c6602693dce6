// On narrow screens one pane is seen at a time: tabs as the ARIA authoring practices have them.

import { $ } from "./make.js";

const narrow = matchMedia("(max-width: 820px)");
const tabs = [...document.querySelectorAll("#tabs button")];
const paneOf = (tab) => $(tab.dataset.pane);

/** Show a pane where only one is seen. */
export function showPane(name, { focus = false } = {}) {
  for (const tab of tabs) {
    const chosen = tab.dataset.pane === name;
    if (narrow.matches) {
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      paneOf(tab).hidden = !chosen;
      if (chosen && focus) { tab.focus(); }
    }
  }
  document.body.dataset.pane = name;
}

function arrange() {
  $("tabs").hidden = !narrow.matches;
  for (const tab of tabs) {
    const pane = paneOf(tab);
    if (narrow.matches) {
      $("tabs").setAttribute("role", "tablist");
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", pane.id);
      pane.setAttribute("role", "tabpanel");
      pane.dataset.labelledby ??= pane.getAttribute("aria-labelledby");
      pane.setAttribute("aria-labelledby", tab.id);
    } else {
      pane.removeAttribute("role");
      pane.hidden = false;
      if (pane.dataset.labelledby) { pane.setAttribute("aria-labelledby", pane.dataset.labelledby); }
    }
  }
  showPane(document.body.dataset.pane ?? "talk");
}

/** Have the tabs follow pointer, keys and the width of the window. */
export function preparePanes() {
  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener("click", () => showPane(tab.dataset.pane));
    tab.addEventListener("keydown", (event) => {
      const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key];
      if (to === undefined) { return; }
      event.preventDefault();
      showPane(tabs.at(to % tabs.length).dataset.pane, { focus: true });
    });
  }
  narrow.addEventListener("change", arrange);
  arrange();
}
