// The page of one picture: details of what is chosen, search, keys.
(() => {
  const data = JSON.parse(document.getElementById("page-data").textContent);
  const byId = (id) => document.getElementById(id);
  const [panel, search, found] = ["panel", "search", "found"].map(byId);
  const hint = panel.firstElementChild;
  const picture = drawGraph(byId("stage"), data, { title: data.heading, least: 0.6,
    nameOf: (node) => `${node.caption}: ${node.label}`, choose, focus: choose });
  const items = [...picture.nodes, ...picture.edges];
  byId("legend").append(...legendItems(data));

  function choose(item) {
    picture.mark(item);
    describe(item);
  }
  function show(item) {
    choose(item);
    picture.reveal(item);
  }
  function make(tag, text, parent) {
    const element = document.createElement(tag);
    if (text) { element.textContent = text; element.dir = "auto"; }
    parent.append(element);
    return element;
  }
  function describe(item) {
    panel.replaceChildren();
    if (!item) { panel.append(hint); return; }
    const edge = Boolean(item.from);
    make("h2", edge ? item.relations.join(", ") : item.label, panel);
    make("p", edge ? "arrow" : item.caption, panel).className = "kind";
    const list = make("dl", "", panel);
    for (const [name, value] of item.details) {
      make("dt", name, list);
      make("dd", value, list);
    }
    make("h3", edge ? "Between" : "Arrows", panel);
    const links = make("ul", "", panel);
    const others = edge ? [[item.from, `from: ${item.from.label}`], [item.to, `to: ${item.to.label}`]]
      : picture.edges.filter((one) => picture.touches(one, item))
        .map((one) => [one, arrowText(item, one)]);
    for (const [other, text] of others) {
      const button = make("button", text, make("li", "", links));
      button.type = "button";
      button.addEventListener("click", () => show(other));
    }
  }
  function arrowText(node, edge) {
    const out = edge.from === node;
    const words = edge.label && !edge.relations.includes(edge.label) ? ` (${edge.label})` : "";
    return `${edge.relations.join(", ")}${words} ${out ? "\u2192" : "\u2190"} `
      + (out ? edge.to.label : edge.from.label);
  }

  // ---- search
  const textOf = (item) => [item.id, item.caption, item.label, ...(item.relations || []),
    ...item.details.flat()].join(" ").toLowerCase();
  let matches = [];
  let place = -1;
  function filter() {
    const wanted = search.value.trim().toLowerCase();
    matches = wanted ? items.filter((item) => textOf(item).includes(wanted)) : [];
    place = -1;
    for (const item of items) {
      const miss = Boolean(wanted) && !matches.includes(item);
      item.element.classList.toggle("miss", miss);
      item.tag?.classList.toggle("miss", miss);
    }
    found.textContent = wanted ? `${matches.length} found` : "";
  }
  search.addEventListener("input", () => { choose(null); filter(); });

  // ---- keys and buttons
  const keys = { "+": () => picture.zoom(1.25), "=": () => picture.zoom(1.25),
    "-": () => picture.zoom(0.8), 0: picture.fit };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (event.key === "Escape") {
      search.value = "";
      filter();
      choose(null);
    } else if (event.target !== search) {
      keys[event.key]?.();
    } else if (event.key === "Enter" && matches.length) {
      place = (place + 1) % matches.length;
      show(matches[place]);
      found.textContent = `${place + 1} of ${matches.length}`;
    }
  });
  byId("larger").addEventListener("click", keys["+"]);
  byId("smaller").addEventListener("click", keys["-"]);
  byId("fit").addEventListener("click", picture.fit);
  document.querySelectorAll("[data-show]").forEach((button) => {
    button.addEventListener("click", () => {
      show(picture.edges[Number(button.dataset.show)]);
      byId("stage").scrollIntoView({ block: "nearest" });
    });
  });
})();
