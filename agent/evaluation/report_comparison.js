// The turns of a comparison: one row a turn that changed, both replies with their differences.
(() => {
  const rows = data.turns.map((turn, place) => ({ turn, place }));
  const failings = ["hallucination", "retrieval error", "verdict", "failed"];

  /** Two texts as lists of [word, whether the other text has it there too]. */
  function aligned(one, other) {
    const [a, b] = [one, other].map((text) => text.match(/\s+|[\p{L}\p{N}'’]+|./gu) || []);
    if (a.length * b.length > 1e6) { return [[[one, true]], [[other, true]]]; }
    const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i -= 1) {
      for (let j = b.length - 1; j >= 0; j -= 1) {
        common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1
          : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    const [left, right] = [[], []];
    let [i, j] = [0, 0];
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && a[i] === b[j]) {
        left.push([a[i], true]);
        right.push([b[j], true]);
        [i, j] = [i + 1, j + 1];
      } else if (j >= b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1])) {
        left.push([a[i], false]);
        i += 1;
      } else {
        right.push([b[j], false]);
        j += 1;
      }
    }
    return [left, right];
  }
  const marked = (parts, tag) => parts.map(([word, same]) => (same || !word.trim() ? word
    : h(tag, null, word)));

  function detail({ turn }) {
    const [left, right] = aligned(turn.reply_a ?? MISSING, turn.reply_b ?? MISSING);
    const line = (name, text) => h("p", { class: "line" }, h("b", null, name),
      said(text ?? MISSING));
    const side = (name, parts, tag) => h("article", { "aria-label": `Reply of ${name}` },
      h("h4", null, name), h("p", { class: "reply", dir: "auto" }, marked(parts, tag)));
    return h("div", { class: "turn" }, line("user", turn.user),
      line("reference", turn.reference),
      h("div", { class: "sides" }, side("A", left, "del"), side("B", right, "ins")));
  }
  const marks = (turn) => [...turn.newly_failing.map((name) => badge(`newly: ${name}`, "bad")),
    ...turn.fixed.map((name) => badge(`fixed: ${name}`, "good"))];

  function hasKind({ turn }, kind) {
    const [when, name] = kind.split(": ");
    switch (when) {
      case "": return true;
      case "reply": return turn.reply_changed;
      case "judged": return !turn.reply_changed;
      case "newly": return name ? turn.newly_failing.includes(name) : turn.newly_failing.length > 0;
      default: return name ? turn.fixed.includes(name) : turn.fixed.length > 0;
    }
  }
  browser(document.getElementById("browser"), {
    name: "turn", rows, detail, id: (row) => String(row.place),
    title: ({ turn }) => [said(turn.dialogue), ` · ${turn.turn}`],
    text: ({ turn }) => [turn.dialogue, turn.user, turn.reference, turn.reply_a, turn.reply_b]
      .filter(Boolean).join(" \n "),
    columns: [
      { key: "turn", name: "Turn", value: (row) => row.place },
      { key: "a", name: "Reply of A", value: ({ turn }) => turn.reply_a,
        cell: ({ turn }) => said(turn.reply_a ?? MISSING) },
      { key: "b", name: "Reply of B", value: ({ turn }) => turn.reply_b,
        cell: ({ turn }) => said(turn.reply_b ?? MISSING) },
      { key: "change", name: "Change", value: ({ turn }) => turn.newly_failing.length * 2
        - turn.fixed.length, cell: ({ turn }) => (marks(turn).length ? marks(turn) : MISSING) },
      { key: "bleu", name: "ΔBLEU", number: true, value: ({ turn }) => turn.bleu,
        cell: ({ turn }) => (turn.bleu > 0 ? "+" : "") + fixed(turn.bleu, 1) },
    ],
    filters: [{ key: "kind", label: "Show", test: hasKind, choices: [["", "all changes"],
      ["newly", "newly failing"], ["fixed", "fixed"], ["reply", "another reply"],
      ["judged", "same reply, judged differently"],
      ...failings.flatMap((name) => [[`newly: ${name}`, `newly failing: ${name}`],
        [`fixed: ${name}`, `fixed: ${name}`]])] }],
  });
})();
