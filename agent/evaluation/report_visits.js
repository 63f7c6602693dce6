// The visits of a report: one row a visit; details with the goal, the talk and what came of it.
(() => {
  const rows = data.visits.map((visit, place) => ({ visit, place }));
  const choices = (values) => [...new Set(values)].sort().map((value) => [value, value]);
  const general = (reason) => (reason.startsWith("unasked: ")
    ? "something changed that was not asked for" : reason);
  const wrong = (turn, kind) => Boolean(turn.errors && turn.errors[kind]);
  const someTurn = (kind) => (visit) => visit.talk.some((turn) => wrong(turn, kind));
  const found = {
    "": () => true,
    success: (visit) => visit.success,
    failure: (visit) => !visit.success,
    "gave up": (visit) => visit.gave_up,
    "double booking": (visit) => visit.double_bookings > 0,
    hallucination: someTurn("hallucination"),
    "retrieval error": someTurn("retrieval_error"),
    "repeated question": (visit) => visit.talk.some((turn) => turn.repeated),
    "failed turn": (visit) => visit.talk.some((turn) => turn.error),
  };

  function turnElement(turn) {
    const first = turn.heard.length ? turn.heard[0][0] : "";
    const heard = turn.heard.length > 1 || first !== turn.user
      ? h("details", null, h("summary", null, `heard: ${first}`),
        h("ol", null, turn.heard.map(([text, confidence]) => h("li", { dir: "auto" },
          `${text} (${fixed(confidence, 2)})`)))) : null;
    const marks = [
      turn.repeated ? badge("repeated question", "warn") : null,
      wrong(turn, "hallucination") ? badge("hallucination", "bad") : null,
      wrong(turn, "retrieval_error") ? badge("retrieval error", "warn") : null,
      turn.error ? badge("failed", "bad") : null,
      ...turn.actions.map((action) => badge(
        `${words(action.kind)}: ${words(action.status)}`, action.committed ? "good" : "plain")),
    ].filter(Boolean);
    const reasons = (turn.errors && [...turn.errors.reasons, ...turn.errors.claims]) || [];
    return h("div", null,
      h("p", { class: "line" }, h("b", null, "visitor"), said(turn.user)), heard,
      h("p", { class: "line" }, h("b", null, "agent"),
        turn.error ? said(`${turn.error.type}: ${turn.error.message}`) : said(turn.reply)),
      marks.length ? h("p", { class: "badges" }, marks) : null,
      reasons.length ? h("ul", { class: "notes" }, reasons.map((reason) => h("li",
        { dir: "auto" }, reason))) : null);
  }
  function listed(title, items) {
    return items && items.length ? h("div", null, h("h4", null, title),
      h("ul", { class: "notes" }, items.map((item) => h("li", { dir: "auto" }, item)))) : null;
  }
  function detail({ visit }) {
    return h("div", { class: "turn" },
      h("p", { dir: "auto" }, visit.task),
      h("p", { class: "quiet" }, `The visitor came ${visit.now.replace("T", " ")}; `
        + `${visit.organisation.people} people, `
        + `${plural(visit.organisation.events, "event")} in the calendar.`),
      h("div", { class: "talk" }, visit.talk.map(turnElement)),
      listed("What the visitor wanted in the end", visit.errands
        .map((errand) => errand.wanted_in_the_end).filter(Boolean)),
      listed("What changed in the calendar", visit.changes),
      listed("Messages", visit.messages),
      listed("Why it failed", visit.reasons));
  }

  browser(document.getElementById("browser"), {
    name: "visit", rows, detail,
    id: (row) => row.visit.id, title: (row) => [said(row.visit.id)],
    columns: [
      { key: "visit", name: "Visit", value: (row) => row.place },
      { key: "kind", name: "Task", value: (row) => row.visit.kind,
        cell: (row) => row.visit.kind },
      { key: "success", name: "Success", value: (row) => Number(row.visit.success),
        cell: (row) => (row.visit.success ? badge("yes", "good") : badge("no", "bad")) },
      { key: "turns", name: "Turns", number: true, value: (row) => row.visit.turns,
        cell: (row) => row.visit.turns },
      { key: "why", name: "Why not", value: (row) => row.visit.reasons.join("; "),
        cell: (row) => said(row.visit.reasons.map(general).join("; ") || MISSING) },
    ],
    filters: [
      { key: "what", label: "Show", choices: Object.keys(found).map(
        (name) => [name, name || "all visits"]), start: "",
        test: (row, value) => found[value](row.visit) },
      { key: "kind", label: "Task", start: "", choices: [["", "all tasks"],
        ...choices(data.visits.map((visit) => visit.kind))],
        test: (row, value) => !value || row.visit.kind === value },
      { key: "reason", label: "Reason", start: "", choices: [["", "any reason"],
        ...choices(data.visits.flatMap((visit) => visit.reasons.map(general)))],
        test: (row, value) => !value || row.visit.reasons.map(general).includes(value) },
    ],
    text: (row) => [row.visit.task, row.visit.id, ...row.visit.talk.flatMap(
      (turn) => [turn.user, turn.reply || ""])].join(" "),
  });
})();
