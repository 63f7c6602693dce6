"use strict";
// What the report pages share: elements, numbers, and a table that is searched, sorted and paged.
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
  change();
  return { reveal };
}
