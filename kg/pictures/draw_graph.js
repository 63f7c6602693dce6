"use strict";
// Draws a graph for every page that shows one, as picture_page.py gives it.
// Texts come from strangers: they only ever become text nodes and attribute values.

/** An SVG element with attributes; the text, where there is one, is its only content. */
function svgElement(name, attributes = {}, content = []) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null) { element.setAttribute(key, value); }
  }
  if (typeof content === "string") { element.textContent = content; } else {
    element.append(...content);
  }
  return element;
}

/** The entries of a graph's legend as items of a list. */
function legendItems(graph) {
  return graph.legend.map(({ key, arrow, meaning }) => {
    const sample = arrow ? svgElement("path", { class: "line", d: "M1 7h23" })
      : svgElement("rect", { class: "box", x: 1, y: 1, width: 24, height: 12, rx: 4 });
    const item = document.createElement("li");
    item.append(svgElement("svg", { width: 26, height: 14, "aria-hidden": "true",
      class: arrow ? `a-${key}` : key === "outer" ? key : `k-${key}` }, [sample]), meaning);
    return item;
  });
}

/**
 * Draw a graph into an element that scrolls.
 *
 * @param {HTMLElement} stage is emptied
 * @param {object} graph nodes, edges, width, height
 * @param {object} page what the page makes of it: `title`; `nameOf(node)`, what a node that can be
 *   used is called, null for one that cannot; `least`, the scale at which texts can be read; `choose(item)`, told of a node, an arrow or null that
 *   was clicked, or a node on which Enter was pressed; `focus(node)`, told of one that has the focus
 * @returns {object} nodes and edges, each with its `element`, and zoom, fit, reveal and mark
 */
function drawGraph(stage, graph, page) {
  const least = 0.1;
  const most = 3;
  const nodes = graph.nodes.map((node) => ({ ...node }));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const edges = graph.edges.map((edge) => ({ ...edge, shift: [0, 0],
    from: byId.get(edge.source), to: byId.get(edge.target) }));
  const owners = new Map();
  const told = (head, details) => svgElement("title", {},
    [head, ...details.map((each) => each.join(": "))].join("\n"));
  const curve = ({ points: [first, ...rest] }) => `M${first.join(" ")}C${rest.flat().join(" ")}`;
  let scale = 1;
  let chosen = null;

  function drawEdge(edge) {
    const d = curve(edge);
    edge.element = svgElement("g", { class: `edge a-${edge.kind}`, "aria-hidden": "true" }, [
      told(`${edge.relations.join(", ")}: ${edge.from.label} \u2192 ${edge.to.label}`,
        edge.details), svgElement("path", { class: "hit", d }),
      svgElement("path", { class: "line", d, "marker-end": `url(#tip-${edge.kind})` })]);
    owners.set(edge.element, edge);
    return edge.element;
  }
  function drawLabel(edge) {
    const [x, y] = edge.label_at;
    const width = edge.label_width;
    edge.tag = svgElement("g", { class: `edge-label a-${edge.kind}`, "aria-hidden": "true" }, [
      svgElement("rect", { x: x - width / 2, y: y - 8, width, height: 16, rx: 4 }),
      svgElement("text", { x, y: y + 4, "text-anchor": "middle" }, edge.label)]);
    owners.set(edge.tag, edge);
    return edge.tag;
  }
  function drawNode(node) {
    const name = page.nameOf(node);
    const kinds = [`k-${node.kind}`, node.outer && "outer", node.focus && "focus"].filter(Boolean);
    node.element = svgElement("g", { class: `node ${kinds.join(" ")}`, "aria-label": name,
      transform: `translate(${node.x} ${node.y})`, role: name && "button",
      tabindex: name && "0", "aria-hidden": name ? null : "true" }, [
      told(`${node.caption}: ${node.label}`, node.details),
      svgElement("rect", { class: "box", width: node.width, height: node.height, rx: 8 }),
      svgElement("rect", { class: "strip", x: 6, y: 8, width: 4, rx: 2,
        height: node.height - 16 }),
      svgElement("text", { x: 17, y: 17, class: "caption" }, node.caption),
      ...node.lines.map((line, place) => svgElement("text",
        { x: 17, y: 33 + 16 * place, class: "name" }, line))]);
    owners.set(node.element, node);
    if (name) {
      node.element.addEventListener("focus", () => { reveal(node); page.focus?.(node); });
      node.element.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          page.choose(node);
        }
      });
    }
    return node.element;
  }
  const tips = [...new Set(edges.map((edge) => edge.kind))].map((kind) => svgElement("marker", {
    id: `tip-${kind}`, class: `a-${kind}`, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 9,
    markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" },
  [svgElement("path", { d: "M0 1 10 5 0 9z", class: "tip" })]));
  const [width, height] = [graph.width, graph.height + 24];
  const svg = svgElement("svg", { viewBox: `0 0 ${width} ${height}`, role: "group",
    "aria-label": page.title }, [svgElement("defs", {}, tips), ...edges.map(drawEdge),
    ...edges.filter((edge) => edge.label).map(drawLabel), ...nodes.map(drawNode)]);
  stage.replaceChildren(svg);

  // ---- zooming keeps the middle where it is
  function resize(to) {
    const [x, y] = [stage.scrollLeft + stage.clientWidth / 2,
      stage.scrollTop + stage.clientHeight / 2];
    const factor = Math.min(most, Math.max(least, to)) / scale;
    scale *= factor;
    svg.setAttribute("width", Math.round(width * scale));
    svg.setAttribute("height", Math.round(height * scale));
    stage.scrollTo(x * factor - stage.clientWidth / 2, y * factor - stage.clientHeight / 2);
  }
  const fit = () => resize(Math.min(stage.clientWidth / width, stage.clientHeight / height));
  function reveal(item) {
    item.element.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  /** As wide as the stage if that can be read; the node that it is about in the middle. */
  function start() {
    resize(Math.min(1, Math.max(page.least, stage.clientWidth / width || 1)));
    const focus = nodes.find((node) => node.focus) ?? nodes[0];
    stage.scrollTo(0, (focus.y + focus.height / 2) * scale - stage.clientHeight / 2);
  }

  // ---- what an item touches stands out
  const touches = (item, other) => (item.from ? item.from === other || item.to === other
    : other.from ? touches(other, item)
      : edges.some((edge) => touches(edge, item) && touches(edge, other)));
  function light(item) {
    svg.classList.toggle("lighting", Boolean(item));
    for (const one of [...nodes, ...edges]) {
      const lit = Boolean(item) && (item === one || touches(item, one));
      one.element.classList.toggle("lit", lit);
      one.tag?.classList.toggle("lit", lit);
    }
  }
  function mark(item) {
    chosen?.element.classList.remove("chosen");
    chosen = item;
    chosen?.element.classList.add("chosen");
    light(item);
  }

  // ---- the pointer chooses, moves a node with the ends of its arrows, or moves the paper
  let held = null;
  let far = 0;
  const itemAt = (target) => owners.get(target.closest(".node, .edge, .edge-label")) ?? null;
  function move(node, dx, dy) {
    node.x += dx;
    node.y += dy;
    node.element.setAttribute("transform", `translate(${node.x} ${node.y})`);
    for (const edge of edges.filter((each) => each.from === node || each.to === node)) {
      const ends = [...(edge.from === node ? [0, 1] : []), ...(edge.to === node ? [-2, -1] : [])]
        .map((end) => (end + edge.points.length) % edge.points.length);
      edge.points = edge.points.map(([x, y], at) => (ends.includes(at) ? [x + dx, y + dy] : [x, y]));
      edge.element.querySelectorAll("path").forEach((path) => path.setAttribute("d", curve(edge)));
      edge.shift = [edge.shift[0] + dx / 2, edge.shift[1] + dy / 2];
      edge.tag?.setAttribute("transform", `translate(${edge.shift.join(" ")})`);
    }
  }
  svg.addEventListener("pointerdown", (event) => {
    far = 0;
    held = event.button > 0 ? null : { item: itemAt(event.target), x: event.clientX,
      y: event.clientY };
  });
  svg.addEventListener("pointermove", (event) => {
    if (!held && !chosen) { light(itemAt(event.target)); }
    if (!held) { return; }
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    far += Math.hypot(dx, dy);
    // A finger moves the paper by scrolling.
    if (far < 5 || event.pointerType !== "mouse") { return; }
    svg.setPointerCapture(event.pointerId);
    if (held.item && !held.item.from) {
      move(held.item, dx / scale, dy / scale);
    } else {
      stage.scrollBy(-dx, -dy);
    }
    [held.x, held.y] = [event.clientX, event.clientY];
  });
  for (const end of ["pointerup", "pointercancel"]) {
    svg.addEventListener(end, () => { held = null; });
  }
  svg.addEventListener("click", (event) => {
    if (far < 5) { page.choose(itemAt(event.target)); }
    far = 0;
  });
  svg.addEventListener("pointerleave", () => { if (!chosen) { light(null); } });
  svg.addEventListener("wheel", (event) => {
    if (event.ctrlKey) {
      event.preventDefault();
      resize(scale * Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) * 0.004));
    }
  }, { passive: false });
  start();
  return { nodes, edges, touches, mark, reveal, fit, zoom: (factor) => resize(scale * factor) };
}
