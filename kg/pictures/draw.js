"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const svg = document.getElementById("picture");
  const panel = document.getElementById("panel");
  const found = document.getElementById("found");
  const search = document.getElementById("search");
  const hint = panel.firstElementChild;
  const all = (selector) => [...svg.querySelectorAll(selector)];
  const nodes = all(".node").map((element, index) => ({ ...data.nodes[index], element, index }));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const edges = all(".edge").map((element, index) => ({
    ...data.edges[index], element, index, tag: null, shift: [0, 0],
    from: byId.get(data.edges[index].source), to: byId.get(data.edges[index].target),
  }));
  all(".edge-label").forEach((tag) => { edges[Number(tag.dataset.edge)].tag = tag; });
  const whole = { x: 0, y: 0, w: svg.viewBox.baseVal.width, h: svg.viewBox.baseVal.height };
  let view = { ...whole };
  let chosen = null;
  let touched = false;

  // ---- zoom and pan: the view box is what is seen, in the picture's own pixels
  const scale = () => svg.getScreenCTM().a;
  function show(next) {
    view = next;
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
  }
  function point(event) {
    const at = new DOMPoint(event.clientX, event.clientY);
    return at.matrixTransform(svg.getScreenCTM().inverse());
  }
  function zoom(factor, at = { x: view.x + view.w / 2, y: view.y + view.h / 2 }) {
    touched = true;
    const w = Math.min(Math.max(view.w / factor, 120), whole.w * 4);
    const k = w / view.w;
    show({ x: at.x - (at.x - view.x) * k, y: at.y - (at.y - view.y) * k, w, h: view.h * k });
  }
  function centre(x, y) {
    touched = true;
    show({ ...view, x: x - view.w / 2, y: y - view.h / 2 });
  }
  function fit() {
    touched = true;
    show({ ...whole });
  }
  function start() {
    const { width, height } = svg.getBoundingClientRect();
    show({ ...whole });
    // Where the whole picture would be too small to read, begin at the turn that it is about.
    if (Math.min(width / whole.w, height / whole.h) < 0.42) {
      const turn = byId.get(data.turn);
      const [w, h] = [Math.min(width / 0.8, whole.w), Math.min(height / 0.8, whole.h)];
      show({
        x: Math.max(0, Math.min(turn.x - 20, whole.w - w)),
        y: Math.max(0, Math.min(turn.y + turn.height / 2 - h / 2, whole.h - h)), w, h,
      });
    }
  }

  // ---- highlighting
  function light(item) {
    svg.classList.toggle("choosing", Boolean(item));
    for (const one of [...nodes, ...edges]) {
      const lit = item && touches(item, one);
      one.element.classList.toggle("lit", Boolean(lit));
      if (one.tag) { one.tag.classList.toggle("lit", Boolean(lit)); }
    }
  }
  function touches(item, other) {
    if (item === other) { return true; }
    if (item.from) { return item.from === other || item.to === other; }
    if (other.from) { return other.from === item || other.to === item; }
    return edges.some((edge) => (edge.from === item && edge.to === other)
      || (edge.to === item && edge.from === other));
  }
  function choose(item) {
    if (chosen) { chosen.element.classList.remove("chosen"); }
    chosen = item;
    if (item) { item.element.classList.add("chosen"); }
    light(item);
    describe(item);
  }

  // ---- the panel; textContent only, so that no text becomes markup
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
      : edges.filter((one) => touches(item, one)).map((one) => [one, arrowText(item, one)]);
    for (const [other, text] of others) {
      const button = make("button", text, make("li", "", links));
      button.type = "button";
      button.addEventListener("click", () => { choose(other); reveal(other); });
    }
  }
  function arrowText(node, edge) {
    const out = edge.from === node;
    const words = edge.label && !edge.relations.includes(edge.label) ? ` (${edge.label})` : "";
    return `${edge.relations.join(", ")}${words} ${out ? "\u2192" : "\u2190"} `
      + (out ? edge.to.label : edge.from.label);
  }
  function reveal(item) {
    const [x, y] = item.from ? item.points[Math.floor(item.points.length / 2)]
      : [item.x + item.width / 2, item.y + item.height / 2];
    const margin = 40 / scale();
    if (x < view.x + margin || x > view.x + view.w - margin
        || y < view.y + margin || y > view.y + view.h - margin) { centre(x, y); }
  }

  // ---- moving a node takes the ends of its arrows along
  function move(node, dx, dy) {
    node.x += dx;
    node.y += dy;
    node.element.setAttribute("transform", `translate(${node.x} ${node.y})`);
    for (const edge of edges) {
      const ends = [];
      if (edge.from === node) { ends.push(0, 1); }
      if (edge.to === node) { ends.push(edge.points.length - 2, edge.points.length - 1); }
      if (!ends.length) { continue; }
      edge.points = edge.points.map(([x, y], at) => (ends.includes(at) ? [x + dx, y + dy] : [x, y]));
      const [first, ...rest] = edge.points;
      const path = `M${first.join(" ")}C${rest.map((each) => each.join(" ")).join(" ")}`;
      edge.element.querySelectorAll("path").forEach((line) => line.setAttribute("d", path));
      edge.shift = [edge.shift[0] + dx / 2, edge.shift[1] + dy / 2];
      if (edge.tag) { edge.tag.setAttribute("transform", `translate(${edge.shift.join(" ")})`); }
    }
  }

  // ---- pointers: one drags a node or the paper, two pinch
  const pointers = new Map();
  let grabbed = null;
  let travelled = 0;
  function itemAt(target) {
    const element = target.closest(".node, .edge, .edge-label");
    if (!element) { return null; }
    return element.dataset.node ? nodes[Number(element.dataset.node)]
      : edges[Number(element.dataset.edge)];
  }
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return { size: Math.hypot(a.x - b.x, a.y - b.y) || 1, x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };
  svg.addEventListener("pointerdown", (event) => {
    if (event.button > 0) { return; }
    touched = true;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    svg.setPointerCapture(event.pointerId);
    grabbed = pointers.size === 1 ? itemAt(event.target) : null;
    travelled = pointers.size === 1 ? 0 : Infinity;
    svg.classList.add("moving");
  });
  svg.addEventListener("pointermove", (event) => {
    const was = pointers.get(event.pointerId);
    if (!was) {
      if (!chosen) { light(itemAt(event.target)); }
      return;
    }
    const before = pointers.size === 2 ? spread() : null;
    const now = { x: event.clientX, y: event.clientY };
    pointers.set(event.pointerId, now);
    const k = 1 / scale();
    if (before) {
      const after = spread();
      zoom(after.size / before.size, point({ clientX: after.x, clientY: after.y }));
      show({ ...view, x: view.x - (after.x - before.x) * k, y: view.y - (after.y - before.y) * k });
      return;
    }
    travelled += Math.hypot(now.x - was.x, now.y - was.y);
    if (travelled < 5) { return; }
    if (grabbed && !grabbed.from) {
      move(grabbed, (now.x - was.x) * k, (now.y - was.y) * k);
    } else {
      show({ ...view, x: view.x - (now.x - was.x) * k, y: view.y - (now.y - was.y) * k });
    }
  });
  function release(event) {
    if (!pointers.delete(event.pointerId)) { return; }
    if (event.type === "pointerup" && travelled < 5 && pointers.size === 0) { choose(grabbed); }
    grabbed = null;
    if (pointers.size === 0) { svg.classList.remove("moving"); }
  }
  svg.addEventListener("pointerup", release);
  svg.addEventListener("pointercancel", release);
  svg.addEventListener("pointerleave", () => { if (!chosen) { light(null); } });
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) * 0.004), point(event));
  }, { passive: false });

  // ---- keyboard
  for (const node of nodes) {
    node.element.setAttribute("tabindex", "0");
    node.element.setAttribute("role", "button");
    node.element.setAttribute("aria-label", `${node.caption}: ${node.label}`);
    node.element.addEventListener("focus", () => {
      if (pointers.size === 0) { choose(node); reveal(node); }
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (event.key === "Escape") {
      search.value = "";
      filter();
      choose(null);
    } else if (event.target === search) {
      if (event.key === "Enter") { next(); }
    } else if (event.key === "+" || event.key === "=") {
      zoom(1.25);
    } else if (event.key === "-") {
      zoom(0.8);
    } else if (event.key === "0") {
      fit();
    }
  });
  document.getElementById("larger").addEventListener("click", () => zoom(1.25));
  document.getElementById("smaller").addEventListener("click", () => zoom(0.8));
  document.getElementById("fit").addEventListener("click", fit);
  document.querySelectorAll("[data-show]").forEach((button) => {
    button.addEventListener("click", () => {
      const edge = edges[Number(button.dataset.show)];
      choose(edge);
      reveal(edge);
      svg.scrollIntoView({ block: "nearest" });
    });
  });

  // ---- search
  const textOf = (item) => [item.id, item.caption, item.label, ...(item.relations || []),
    ...item.details.flat()].join(" ").toLowerCase();
  let matches = [];
  let place = -1;
  function filter() {
    const wanted = search.value.trim().toLowerCase();
    const items = [...nodes, ...edges];
    matches = wanted ? items.filter((item) => textOf(item).includes(wanted)) : [];
    place = -1;
    for (const item of items) {
      const miss = Boolean(wanted) && !matches.includes(item);
      item.element.classList.toggle("miss", miss);
      if (item.tag) { item.tag.classList.toggle("miss", miss); }
    }
    found.textContent = wanted ? `${matches.length} found` : "";
  }
  function next() {
    if (!matches.length) { return; }
    place = (place + 1) % matches.length;
    choose(matches[place]);
    reveal(matches[place]);
    found.textContent = `${place + 1} of ${matches.length}`;
  }
  search.addEventListener("input", () => { choose(null); filter(); });

  svg.classList.add("live");
  new ResizeObserver(() => { if (!touched) { start(); } }).observe(svg);
})();
