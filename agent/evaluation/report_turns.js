// The turns of a report: one row a turn and condition, details with all conditions side by side.
(() => {
  const several = data.conditions.length > 1;
  const rows = data.turns.flatMap((turn, place) => Object.entries(turn.runs).map(
    ([condition, run]) => ({ turn, place, condition: Number(condition), run })));
  const verdict = (run) => run.checks?.graph?.verdict ?? null;
  const errors = (run) => run.errors || {};
  const faulty = (run) => Boolean(run.error || errors(run).hallucination
    || errors(run).retrieval_error);
  const choices = (values) => [...new Set(values)].filter((value) => value !== null
    && value !== undefined).sort().map((value) => [value, words(value)]);

  const kinds = [["", "all turns"], ["any", "any error"], ["hallucination", "hallucination"],
    ["retrieval_error", "retrieval error"], ["failed", "failed"], ["repaired", "reply replaced"],
    ["none", "no error"],
    ...choices(rows.flatMap((row) => errors(row.run).reasons || []))
      .map(([value, label]) => [`reason ${value}`, `reason: ${label}`])];
  function hasKind(row, kind) {
    switch (kind) {
      case "": return true;
      case "any": return faulty(row.run);
      case "none": return !faulty(row.run);
      case "failed": return Boolean(row.run.error);
      case "repaired": return Boolean(row.run.repaired);
      case "hallucination": case "retrieval_error": return errors(row.run)[kind] === true;
      default: return (errors(row.run).reasons || []).includes(kind.slice("reason ".length));
    }
  }
  function marks(run) {
    return [
      run.error ? badge("failed", "bad") : null,
      errors(run).hallucination ? badge("hallucination", "bad") : null,
      errors(run).retrieval_error ? badge("retrieval error", "warn") : null,
      run.repaired ? badge("replaced", "plain") : null,
    ].filter(Boolean);
  }
  function verdictBadge(run) {
    const found = verdict(run);
    const kind = { supported: "good", contradicted: "bad", unsupported: "warn" }[found];
    return found ? badge(words(found), kind || "plain") : h("span", { class: "quiet" }, MISSING);
  }

  // ---- one turn in full
  function detail(row) {
    const { turn } = row;
    const shown = Object.entries(turn.runs).map(([place, run]) => [Number(place), run]);
    const link = h("a", { href: `#turn=${address(row)}` }, "Link to this turn");
    return h("div", { class: "turn" },
      h("div", { class: "talk" }, history(turn), line("user", turn.user),
        line("reference", turn.reference, "reference")),
      h("div", { class: `runs of-${Math.min(shown.length, 4)}` },
        shown.map(([place, run]) => runElement(place, run, shown.length === 1))),
      h("p", { class: "quiet" }, link));
  }
  function history(turn) {
    if (!turn.history.length) { return h("p", { class: "quiet" }, "The dialogue begins here."); }
    return h("details", null,
      h("summary", null, `History (${plural(turn.history.length, "utterance")})`),
      turn.history.map(([speaker, text]) => line(speaker, data.texts[text])));
  }
  function line(speaker, text, kind) {
    return h("p", { class: `line ${kind || ""}` }, h("b", null, speaker),
      text === null || text === undefined
        ? h("span", { class: "quiet" }, `${MISSING} the data set has none`) : said(text));
  }
  function runElement(place, run, alone) {
    const name = data.conditions[place];
    const reply = run.error
      ? h("p", { class: "failure", dir: "auto" }, `${run.error.type}: ${run.error.message}`)
      : h("p", { class: "reply", dir: "auto" }, run.reply ?? MISSING);
    return h("article", { "aria-label": name },
      h("h4", null, h("i", { class: `swatch s${place % 5}` }), name),
      reply, h("p", { class: "badges" }, verdictBadge(run), marks(run)),
      notes(run), metrics(run), factsElement(run, place, alone), checks(run, alone), links(run),
      linking(run), recall(run), timings(run, place));
  }
  function notes(run) {
    const found = [run.repaired ? `Reply replaced: ${run.repaired}` : null, ...(run.notes || []),
      ...(errors(run).reasons || []), run.generator ? `Written by: ${run.generator}` : null]
      .filter(Boolean);
    return found.length ? h("ul", { class: "notes" }, found.map((note) => h("li", { dir: "auto" },
      note))) : null;
  }
  function metrics(run) {
    const found = Object.entries(run.metrics || {});
    const names = { bleu: "BLEU", chrf: "chrF", meteor: "METEOR", bertscore_f1: "BERTScore F1",
      entity_f1: "Entity F1" };
    return found.length ? h("dl", { class: "small" }, found.map(([name, value]) => h("div", null,
      h("dt", null, names[name] || words(name)),
      h("dd", null, fixed(value, name === "bleu" || name === "chrf" ? 1 : 3))))) : null;
  }
  function block(title, content, open = false) {
    return h("details", { open }, h("summary", null, title), content);
  }
  function factsElement(run, place, alone) {
    const used = new Set(run.used.map(([fact]) => data.facts[fact].text));
    const given = new Set(run.facts.map(([fact]) => data.facts[fact].text));
    const all = [...run.facts, ...run.used.filter(([fact]) => !given.has(data.facts[fact].text))];
    if (!all.length) { return h("p", { class: "quiet" }, "No facts were given."); }
    const item = ([at, relevance]) => {
      const fact = data.facts[at];
      return h("li", { class: used.has(fact.text) ? "used" : null },
        h("span", { class: "fact", dir: "auto" }, fact.text,
          used.has(fact.text) ? badge("used", "good") : null,
          fact.derived ? badge("derived", "plain") : null),
        h("span", { class: "measure" }, share(relevance, place % 5),
          h("span", null, fixed(relevance, 3))),
        provenance(fact));
    };
    return block(`Facts (${all.length}, ${used.size} used)`,
      unfolding(all, 10, (part) => h("ol", { class: "facts" }, part.map(item))), alone);
  }
  function provenance(item) {
    const premises = item.premises || [];
    const parts = [item.rule, known(item.probability) && item.probability < 1
      ? `probability ${fixed(item.probability, 3)}` : null].filter(Boolean);
    if (!parts.length && !premises.length) { return null; }
    return h("span", { class: "proof", dir: "auto" }, parts.join(", "),
      premises.length ? ` ← ${premises.join("; ")}` : null);
  }
  function checks(run, alone) {
    const found = run.checks || {};
    const claims = found.graph?.claims || [];
    const scores = ["q2", "pmi_faith"].map((name) => [name === "q2" ? "Q²" : "PMI-FAITH",
      found[name], found.skipped?.[name]]);
    return block(`Checks (${plural(claims.length, "claim")})`, [
      h("dl", { class: "small" }, scores.map(([name, value, why]) => h("div", null,
        h("dt", null, name), h("dd", null, known(value) ? fixed(value, 3)
          : `${MISSING} ${why || "not checked"}`)))),
      found.skipped?.graph ? h("p", { class: "quiet" }, found.skipped.graph) : null,
      claims.length ? table("Claims", [{ name: "Claim" }, { name: "Kind" }, { name: "Verdict" },
        { name: "Evidence" }], claims.map((claim) => [said(claim.text), claim.kind,
        words(claim.verdict), said(claim.evidence || MISSING)])) : null,
    ], alone);
  }
  function links(run) {
    const found = run.links || [];
    if (!found.length) { return null; }
    return block(`Links (${found.length})`, h("ol", { class: "facts" }, found.map((link) => h("li",
      null, h("span", { class: "fact" }, said(link.mention), " → ", said(link.entity),
        h("span", { class: "quiet" }, ` ${link.type || ""}`)),
      h("span", { class: "measure" }, share(link.probability),
        h("span", null, fixed(link.probability, 3))),
      reasons(link)))));
  }
  function reasons(link) {
    const steps = link.proof || [];
    if (!steps.length) { return provenance({ ...link, probability: null }); }
    const because = steps.map(({ words: why, strength }) => `${why} (${fixed(strength, 2)})`);
    const lost = (link.alternatives || []).map(({ entity, probability }) => [entity, probability])
      .concat([["others", link.others], ["none of them", link.nothing]])
      .filter(([, probability]) => probability >= 0.005)
      .map(([entity, probability]) => `${entity} (${fixed(probability, 2)})`);
    return h("span", { class: "proof", dir: "auto" }, because.join("; "),
      lost.length ? ` — rather than ${lost.join(", ")}` : null);
  }
  function linking(run) {
    const variants = Object.entries(run.linking || {}).filter(([, mentions]) => mentions.length);
    if (!variants.length && !run.excluded.length) { return null; }
    const ranked = ({ ranked: best, more }) => (best.length
      ? best.map(([id, p]) => `${id} ${fixed(p, 2)}`).join(", ") + (more ? ` and ${more} more` : "")
      : MISSING);
    return block("Linking against the annotation", [
      variants.map(([variant, mentions]) => table(words(variant),
        [{ name: words(variant) }, { name: "Annotated" }, { name: "Ranked" },
          { name: "Rank", number: true }],
        mentions.map((mention) => [said(mention.mention), said((mention.gold || []).join(", ")),
          said(ranked(mention)), mention.rank ?? MISSING]))),
      run.excluded.map(([mention, why]) => h("p", { class: "quiet" }, said(mention),
        ` is left out: ${why}`)),
    ].flat());
  }
  function recall(run) {
    if (!run.recall) { return null; }
    const values = run.recall.values || [];
    // What is expected of a random ranking is no whole number.
    const count = (hits) => (Number.isInteger(hits) ? hits : fixed(hits, 2));
    return block(`Recall of the facts that the reference uses (${values.length})`, [
      values.length ? h("ul", null, values.map((value) => h("li", null, said(value.text ?? value),
        value.entity ? h("span", { class: "quiet" }, ` of ${value.entity}`) : null))) : null,
      h("dl", { class: "small" }, Object.entries(run.recall.hits || {}).map(([name, hits]) =>
        h("div", null, h("dt", null, name), h("dd", null, `${count(hits)} of ${values.length}`)))),
    ]);
  }
  function timings(run, place) {
    const found = Object.entries(run.timings_ms || {});
    if (!found.length) { return null; }
    const total = run.timings_ms.total || Math.max(...found.map(([, time]) => time), 1e-9);
    return block(`Timings (${milliseconds(run.timings_ms.total)} ms)`, h("ol", { class: "facts" },
      found.filter(([stage]) => stage !== "total").map(([stage, time]) => h("li", null,
        h("span", { class: "fact" }, stage), h("span", { class: "measure" },
          share(time / total, place % 5), h("span", null, `${milliseconds(time)} ms`))))));
  }

  // ---- the list
  const metric = (name) => (row) => row.run.metrics?.[name] ?? null;
  const address = (row) => encodeURIComponent(
    JSON.stringify([row.turn.dialogue, row.turn.turn, data.conditions[row.condition]]));
  const id = (row) => `${row.place}-${row.condition}`;
  const list = browser(document.getElementById("browser"), {
    name: "turn", rows, id, detail,
    title: (row) => [said(row.turn.dialogue), `\u00a0·\u00a0${row.turn.turn}`],
    total: (picked) => (picked("condition") === "" ? rows.length
      : rows.filter((row) => row.condition === Number(picked("condition"))).length),
    text: ({ turn, run }) => [turn.dialogue, turn.user, turn.reference, run.reply,
      ...run.used.map(([fact]) => data.facts[fact].text)].filter(Boolean).join(" \n "),
    columns: [
      { key: "turn", name: "Turn", value: (row) => row.place },
      ...(several ? [{ key: "condition", name: "Condition", value: (row) => row.condition,
        cell: (row) => [h("i", { class: `swatch s${row.condition % 5}` }),
          data.conditions[row.condition]] }] : []),
      { key: "domain", name: "Domain", value: (row) => row.turn.domain,
        cell: (row) => row.turn.domain ?? MISSING },
      { key: "user", name: "User", value: (row) => row.turn.user,
        cell: (row) => said(row.turn.user ?? MISSING) },
      { key: "reply", name: "Reply", value: (row) => row.run.reply,
        cell: (row) => said(row.run.reply ?? MISSING) },
      { key: "verdict", name: "Verdict", value: (row) => verdict(row.run),
        cell: (row) => verdictBadge(row.run) },
      { key: "errors", name: "Errors", value: (row) => marks(row.run).length || null,
        cell: (row) => (marks(row.run).length ? marks(row.run) : MISSING) },
      { key: "bleu", name: "BLEU", number: true, value: metric("bleu"),
        cell: (row) => fixed(metric("bleu")(row), 1) },
      { key: "bertscore", name: "BERTScore", number: true, value: metric("bertscore_f1"),
        cell: (row) => fixed(metric("bertscore_f1")(row), 3) },
      { key: "ms", name: "ms", number: true, value: (row) => row.run.timings_ms?.total ?? null,
        cell: (row) => milliseconds(row.run.timings_ms?.total) },
    ],
    filters: [
      { key: "condition", label: "Condition", start: String(data.chosen),
        choices: several ? [...data.conditions.map((name, place) => [String(place), name]),
          ["", "each of them"]] : [],
        test: (row, value) => value === "" || row.condition === Number(value) },
      { key: "domain", label: "Domain", choices: [["", "all domains"],
        ...choices(rows.map((row) => row.turn.domain))],
        test: (row, value) => value === "" || row.turn.domain === value },
      { key: "errors", label: "Errors", choices: kinds, test: hasKind },
      { key: "verdict", label: "Verdict", choices: [["", "any verdict"],
        ...choices(rows.map((row) => verdict(row.run))), ["unchecked", "not checked"]],
        test: (row, value) => value === "" || (verdict(row.run) ?? "unchecked") === value },
    ],
  });

  function follow() {
    if (!location.hash.startsWith("#turn=")) { return; }
    try {
      const [dialogue, number, condition] = JSON.parse(decodeURIComponent(location.hash.slice(6)));
      const row = rows.find((each) => each.turn.dialogue === dialogue
        && each.turn.turn === number && data.conditions[each.condition] === condition);
      if (row) { list.reveal(id(row)); }
    } catch { /* an address that is not ours opens nothing */ }
  }
  window.addEventListener("hashchange", follow);
  follow();
})();
