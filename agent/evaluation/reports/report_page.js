"use strict";
// The script of all report pages: a table that is searched, sorted and paged, and what it lists.
// Text from data only ever becomes text nodes and attribute values, never markup.

const MISSING = "–";
const data = JSON.parse(document.getElementById("page-data").textContent);

/** An element: h("p", {class: "quiet", onclick: f}, "text", other, null). */
function h(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") {
      made.addEventListener(name.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) {
      made.append(child instanceof Node ? child : String(child));
    }
  }
  return made;
}

const known = (value) => typeof value === "number" && Number.isFinite(value);
const fixed = (value, decimals) => (known(value)
  ? value.toFixed(decimals).replace("-", "\u2212") : MISSING);
const milliseconds = (value) => (known(value) && value < 10 ? fixed(value, 1) : fixed(value, 0));
const plural = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;
const words = (name) => String(name).replaceAll("_", " ");

/** Text of people and models, in its own direction. */
const said = (text, tag = "span") => h(tag, { dir: "auto", class: "said" }, text);
const badge = (text, kind) => h("span", { class: `badge ${kind}` }, text);

/** A bar for a share in [0, 1]; the number beside it says the same. */
function share(value, series = 0) {
  const bar = h("i", { class: `s${series}` });
  bar.style.inlineSize = `${100 * Math.max(0, Math.min(1, known(value) ? value : 0))}%`;
  return h("span", { class: "share", "aria-hidden": "true" }, bar);
}

/** Somebody's words beside who said them. */
const line = (speaker, text, missing = MISSING) => h("p", { class: "line" },
  h("b", null, speaker), text === null || text === undefined
    ? h("span", { class: "quiet" }, missing) : said(text));
const notes = (items) => (items.length ? h("ul", { class: "notes" }, items.map(
  (item) => h("li", { dir: "auto" }, item))) : null);
const choices = (values) => [...new Set(values)].filter((value) => value !== null
  && value !== undefined).sort().map((value) => [value, words(value)]);

function table(caption, heads, rows, classes = "") {
  const cell = (tag, content, place) => h(tag, {
    class: heads[place].number ? "n" : null, scope: tag === "th" ? "col" : null,
  }, content);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", { class: classes },
      h("thead", null, h("tr", null, heads.map((head, place) => cell("th", head.name, place)))),
      h("tbody", null, rows.map((row) => h("tr", null,
        row.map((content, place) => cell("td", content, place)))))));
}

/** The first rows at once, the others when asked for: some turns have hundreds of facts. */
function unfolding(rows, first, build) {
  const holder = h("div", null, build(rows.slice(0, first)));
  if (rows.length > first) {
    const more = h("button", { type: "button", onclick: () => {
      holder.replaceChildren(build(rows));
    } }, `Show all ${rows.length}`);
    holder.append(more);
  }
  return holder;
}

/**
 * A table that is filtered, sorted and shown in pages, each row with details below it.
 *
 * options: name (of a row), rows, columns [{key, name, number, value, cell, from}], filters
 * [{key, label, choices, start, test}], text (what search looks at), detail, id, sort.
 */
function browser(root, options) {
  const state = { text: "", sort: options.sort || null, down: false, page: 0, size: 25 };
  const opened = new Set();
  const haystacks = new Map();
  let found = [];

  const search = h("input", { type: "search", id: "find", autocomplete: "off",
    spellcheck: "false" });
  const pickers = options.filters.filter((filter) => filter.choices.length > 1).map((filter) => {
    const select = h("select", { id: `filter-${filter.key}`, onchange: () => change() },
      filter.choices.map(([value, label]) => h("option", { value }, label)));
    select.value = filter.start ?? filter.choices[0][0];
    return { filter, select };
  });
  const order = h("select", { id: "order", onchange: () => {
    [state.sort, state.down] = [order.value.slice(1) || null, order.value[0] === "-"];
    change();
  } }, [["+", "as in the data set"], ...options.columns.flatMap((column) => [
    [`+${column.key}`, `${column.name}, ascending`],
    [`-${column.key}`, `${column.name}, descending`]])]
    .map(([value, label]) => h("option", { value }, label)));
  const field = (label, control, kind) => h("div", { class: `field ${kind || ""}` },
    h("label", { for: control.id }, label), control);
  const reset = h("button", { type: "button", onclick: () => {
    search.value = "";
    for (const { select } of pickers) { select.value = select.options[0].value; }
    [state.sort, state.down] = [options.sort || null, false];
    change();
  } }, "Clear");
  const status = h("p", { role: "status", class: "found" });
  const heads = options.columns.map((column) => h("th", { scope: "col", role: "columnheader",
    class: column.number ? "n" : `c-${column.key}` },
  h("button", { type: "button", onclick: () => sortBy(column) }, column.name)));
  const body = h("tbody", { role: "rowgroup" });
  const pages = h("nav", { class: "pages", "aria-label": `Pages of ${options.name}s` });
  const frame = h("table", { class: "browser", role: "table" },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads)), body);
  const picked = (key) => pickers.find(({ filter }) => filter.key === key)?.select.value ?? "";
  root.append(
    h("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() },
      field("Search", search, "wide"),
      pickers.map(({ filter, select }) => field(filter.label, select)),
      field("Order", order, "order"), reset),
    status,
    frame, pages);
  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(change, 120);
  });

  function sortBy(column) {
    // First one way, then the other, then as in the data set.
    if (state.sort !== column.key) {
      [state.sort, state.down] = [column.key, Boolean(column.number)];
    } else if (state.down === Boolean(column.number)) {
      state.down = !state.down;
    } else {
      [state.sort, state.down] = [null, false];
    }
    change();
  }
  function haystack(row) {
    const id = options.id(row);
    if (!haystacks.has(id)) { haystacks.set(id, options.text(row).toLowerCase()); }
    return haystacks.get(id);
  }
  function change() {
    const sought = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = options.rows.filter((row) => pickers.every(
      ({ filter, select }) => filter.test(row, select.value)));
    if (sought.length) {
      found = found.filter((row) => sought.every((word) => haystack(row).includes(word)));
    }
    const column = options.columns.find((each) => each.key === state.sort);
    if (column) {
      const missing = (value) => value === null || value === undefined || value === "";
      found = found.map((row) => [column.value(row), row]).sort(([a], [b]) => {
        // What is missing comes last whichever way it is sorted.
        if (missing(a) || missing(b)) { return missing(a) - missing(b); }
        const way = typeof a === "number" && typeof b === "number" ? a - b
          : String(a).localeCompare(String(b), "en", { numeric: true });
        return state.down ? -way : way;
      }).map(([, row]) => row);
    }
    state.page = 0;
    show();
  }
  function show() {
    const last = Math.max(0, Math.ceil(found.length / state.size) - 1);
    state.page = Math.max(0, Math.min(state.page, last));
    order.value = `${state.down ? "-" : "+"}${state.sort || ""}`;
    heads.forEach((head, place) => {
      const sorted = options.columns[place].key === state.sort;
      head.setAttribute("aria-sort",
        sorted ? (state.down ? "descending" : "ascending") : "none");
    });
    const first = state.page * state.size;
    const part = found.slice(first, first + state.size);
    const every = options.total ? options.total(picked) : options.rows.length;
    heads.forEach((head, place) => { head.hidden = !wanted(options.columns[place]); });
    status.textContent = found.length
      ? `${plural(found.length, options.name)} of ${every}, showing ${first + 1} to `
        + `${first + part.length}` : `No ${options.name} matches.`;
    body.replaceChildren(...part.flatMap(rowElements));
    pages.replaceChildren(...(last ? pageButtons(last) : []));
  }
  function pageButtons(last) {
    const go = (label, page) => h("button", { type: "button", disabled: page < 0 || page > last
      || page === state.page, onclick: () => {
      state.page = page;
      show();
      root.scrollIntoView();
    } }, label);
    const size = h("select", { id: "size", onchange: () => {
      state.size = Number(size.value);
      show();
    } }, [25, 100, 500].map((count) => h("option", { value: count }, count)));
    size.value = state.size;
    return [go("First", 0), go("Previous", state.page - 1),
      h("span", null, `Page ${state.page + 1} of ${last + 1}`),
      go("Next", state.page + 1), go("Last", last), field("A page has", size, "inline")];
  }
  /** A column that says the same in every row only takes room. */
  const wanted = (column) => column.key !== "condition" || picked("condition") === "";
  function rowElements(row) {
    const id = options.id(row);
    const columns = options.columns.filter(wanted);
    const detail = h("tr", { class: "detail", role: "row", hidden: true, id: `detail-${id}` },
      h("td", { colspan: columns.length, role: "cell" }));
    const toggle = h("button", { type: "button", class: "open", "aria-expanded": "false",
      "aria-controls": detail.id, onclick: () => set(detail.hidden) }, options.title(row));
    const line = h("tr", { role: "row", id: `row-${id}` }, columns.map((column, place) => {
      const content = place ? column.cell(row) : toggle;
      return h(place ? "td" : "th", { class: column.number ? "n" : `c-${column.key}`,
        role: place ? "cell" : "rowheader", scope: place ? null : "row",
        "data-name": column.name }, content);
    }));
    function set(open) {
      detail.hidden = !open;
      toggle.setAttribute("aria-expanded", String(open));
      line.classList.toggle("opened", open);
      if (open) {
        opened.add(id);
        if (!detail.firstChild.firstChild) { detail.firstChild.append(options.detail(row)); }
      } else {
        opened.delete(id);
      }
    }
    if (opened.has(id)) { set(true); }
    return [line, detail];
  }
  /** Open a row whatever the filters hide. */
  function reveal(id) {
    const row = options.rows.find((each) => options.id(each) === id);
    if (!row) { return; }
    if (!found.includes(row)) {
      search.value = "";
      for (const { filter, select } of pickers) {
        const fits = [...select.options].find((choice) => filter.test(row, choice.value));
        if (fits && !filter.test(row, select.value)) { select.value = fits.value; }
      }
      change();
    }
    opened.add(id);
    state.page = Math.floor(found.indexOf(row) / state.size);
    show();
    document.getElementById(`row-${id}`).scrollIntoView();
  }
  /** Choose in a filter, all others as they are at first. */
  function pick(key, value) {
    search.value = "";
    for (const { filter, select } of pickers) {
      select.value = filter.key === key ? value : select.options[0].value;
    }
    change();
    root.scrollIntoView();
  }
  change();
  return { reveal, pick };
}

// The turns of a report: one row a turn and condition, details with all conditions side by side.
function showTurns(root) {
  const several = data.conditions.length > 1;
  const rows = data.turns.flatMap((turn, place) => Object.entries(turn.runs).map(
    ([condition, run]) => ({ turn, place, condition: Number(condition), run })));
  const verdict = (run) => run.checks?.graph?.verdict ?? null;
  const errors = (run) => run.errors || {};
  const faulty = (run) => Boolean(run.error || errors(run).hallucination
    || errors(run).retrieval_error);
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
  const none = `${MISSING} the data set has none`;
  function detail(row) {
    const { turn } = row;
    const shown = Object.entries(turn.runs).map(([place, run]) => [Number(place), run]);
    const link = h("a", { href: `#turn=${address(row)}` }, "Link to this turn");
    return h("div", { class: "turn" },
      h("div", { class: "talk" }, history(turn), line("user", turn.user, none),
        line("reference", turn.reference, none)),
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
  function runElement(place, run, alone) {
    const name = data.conditions[place];
    const reply = run.error
      ? h("p", { class: "failure", dir: "auto" }, `${run.error.type}: ${run.error.message}`)
      : h("p", { class: "reply", dir: "auto" }, run.reply ?? MISSING);
    return h("article", { "aria-label": name },
      h("h4", null, h("i", { class: `swatch s${place % 5}` }), name),
      reply, h("p", { class: "badges" }, verdictBadge(run), marks(run)),
      remarks(run), metrics(run), factsElement(run, place, alone), checks(run, alone), links(run),
      linking(run), recall(run), timings(run, place));
  }
  const remarks = (run) => notes([run.repaired ? `Reply replaced: ${run.repaired}` : null,
    ...(run.notes || []), ...(errors(run).reasons || []),
    run.generator ? `Written by: ${run.generator}` : null].filter(Boolean));
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
  const list = browser(root, {
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
}

// The turns of a comparison: one row a turn that changed, both replies with their differences.
function showComparison(root) {
  const rows = data.turns.map((turn, place) => ({ turn, place }));
  const failings = ["hallucination", "retrieval error", "verdict", "failed"];

  const marked = (parts, tag) => parts.map(([word, same]) => (same || !word.trim() ? word
    : h(tag, null, word)));

  function detail({ turn }) {
    const side = (name, parts, tag) => h("article", { "aria-label": `Reply of ${name}` },
      h("h4", null, name), h("p", { class: "reply", dir: "auto" }, marked(parts, tag)));
    return h("div", { class: "turn" }, line("user", turn.user),
      line("reference", turn.reference),
      h("div", { class: "sides" }, side("A", turn.words_a, "del"),
        side("B", turn.words_b, "ins")));
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
  browser(root, {
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
}

// The visits of a report: one row a visit; details with the goal, the talk and what came of it.
function showVisits(root) {
  const rows = data.visits.map((visit, place) => ({ visit, place }));
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
    const worded = turn.refills.map((each) => h("p", { class: "quiet", dir: "auto" },
      `in the words of ${each.data}: ${each.utterance}`));
    const reasons = (turn.errors && [...turn.errors.reasons, ...turn.errors.claims]) || [];
    return h("div", null,
      line("visitor", turn.user), worded, heard,
      line("agent", turn.error ? `${turn.error.type}: ${turn.error.message}` : turn.reply),
      marks.length ? h("p", { class: "badges" }, marks) : null, notes(reasons));
  }
  const listed = (title, items) => (items && items.length
    ? h("div", null, h("h4", null, title), notes(items)) : null);
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

  browser(root, {
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
}

// The turns of an evaluation of understanding: what each means beside what was found.
function showUnderstanding(root) {
  const rows = data.turns.map((turn, place) => ({ turn, place }));
  const act = (name) => words(name || "none");
  const pair = ([gold, found]) => `${gold}>${found}`;
  const forms = (list) => (list.length ? list.map((form) => h("code", { dir: "auto" }, form, " "))
    : MISSING);
  const best = (turn) => (turn.parse.length ? turn.parse[0].forms : []);
  const pairs = new Map(rows.flatMap(({ turn }) => turn.cells.map(
    (cell) => [pair(cell), cell.map(act).join(" → ")])).sort());

  function detail({ turn }) {
    return h("div", { class: "turn" },
      line("before", turn.context.forms.join(" ") || null),
      line("asked", turn.context.asked || null),
      line("user", turn.utterance),
      h("p", { class: "line" }, h("b", null, "meant"), forms(turn.gold)),
      turn.also.map((other) => h("p", { class: "line" }, h("b", null, "or"), forms(other))),
      h("h4", null, "Found"),
      turn.parse.length ? h("ol", { class: "facts" }, turn.parse.map((reading) => h("li", null,
        h("span", { class: "fact" }, forms(reading.forms)), h("span", { class: "measure" },
          share(reading.probability), h("span", null, fixed(reading.probability, 3))))))
        : h("p", { class: "quiet" }, "Nothing was found."));
  }

  const list = browser(root, {
    name: "turn", rows, detail,
    id: (row) => row.place,
    title: (row) => [said(row.turn.dialogue), `\u00a0·\u00a0${row.turn.turn}`],
    columns: [
      { key: "turn", name: "Turn", value: (row) => row.place },
      { key: "user", name: "User", value: (row) => row.turn.utterance,
        cell: (row) => said(row.turn.utterance) },
      { key: "gold", name: "Meant", value: (row) => row.turn.gold.join(" "),
        cell: (row) => forms(row.turn.gold) },
      { key: "found", name: "Found", value: (row) => best(row.turn).join(" "),
        cell: (row) => forms(best(row.turn)) },
      { key: "right", name: "Right", value: (row) => Number(row.turn.right),
        cell: (row) => (row.turn.right ? badge("yes", "good")
          : badge(row.turn.acts_right ? "acts" : "no", row.turn.acts_right ? "warn" : "bad")) },
    ],
    filters: [
      { key: "right", label: "Show", start: "", choices: [["", "all turns"], ["wrong", "wrong"],
        ["acts", "wrong acts"], ["right", "right"]],
        test: ({ turn }, value) => !value || (value === "right" ? turn.right
          : value === "wrong" ? !turn.right : !turn.acts_right) },
      { key: "act", label: "Meant", start: "", choices: [["", "any act"],
        ...choices(rows.flatMap(({ turn }) => turn.cells.map(([gold]) => gold).filter(Boolean)))],
        test: ({ turn }, value) => !value || turn.cells.some(([gold]) => gold === value) },
      { key: "cell", label: "Meant → found", start: "", choices: [["", "any"], ...pairs],
        test: ({ turn }, value) => !value || turn.cells.some((cell) => pair(cell) === value) },
    ],
    text: ({ turn }) => [turn.dialogue, turn.utterance, ...turn.gold, ...best(turn)].join(" "),
  });

  function follow() {
    const cell = decodeURIComponent(location.hash).replace(/^#cell=/, "");
    if (pairs.has(cell)) { list.pick("cell", cell); }
  }
  window.addEventListener("hashchange", follow);
  follow();
}

({ turns: showTurns, comparison: showComparison, visits: showVisits,
  understanding: showUnderstanding })[data.view](
  document.getElementById("browser"));
