// Draws graphs as the service laid them out.

import { $, draw, make } from "./make.js";

const LEAST_SCALE = 0.8;
const kinds = ["spoken_by", "respond_to", "hypothesis", "mention", "refers_to", "is", "uses",
  "knowledge"];
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let shown = null;
let scale = 1;

/**
 * Show a graph.
 * @param {object} graph as the service gives it
 * @param {string} title
 * @param {(id: string) => void} explore is told which entity was chosen
 * @param {boolean} away whether it is another graph than that of the turn
 */
export function showGraph(graph, title, explore, away = false) {
  shown = graph;
  const svg = draw("svg", { viewBox: `0 0 ${graph.width} ${graph.height + 24}`, role: "group",
    "aria-label": title, "aria-describedby": "graph-title" }, markers());
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  svg.append(...graph.edges.map((edge) => drawEdge(edge, nodes)),
    ...graph.edges.filter((edge) => edge.label).map(drawLabel),
    ...graph.nodes.map((node) => drawNode(node, explore)));
  $("picture").replaceChildren(svg);
  $("picture").hidden = $("graph-tools").hidden = $("words").hidden = false;
  $("graph-note").hidden = true;
  $("graph-title").textContent = title;
  $("back").hidden = !away;
  $("sentences").replaceChildren(...graph.description.map((each) => make("li", each)));
  $("legend").replaceChildren(...graph.legend.map(legendItem));
  const fitting = $("picture").clientWidth / graph.width;
  resize(Math.min(1, Math.max(LEAST_SCALE, fitting || 1)));
  // An exchange is between what was said and the last turn.
  const last = graph.nodes.filter((node) => ["user", "agent"].includes(node.kind)).at(-1);
  const focus = graph.nodes.find((node) => node.focus);
  const middle = (focus.y + (last ?? focus).y + (last ?? focus).height) / 2;
  $("picture").scrollTo(0, middle * scale - $("picture").clientHeight / 2);
}

/** Show that there is no graph, and why. */
export function showNoGraph(why) {
  shown = null;
  $("picture").hidden = $("graph-tools").hidden = $("words").hidden = true;
  $("legend").replaceChildren();
  $("graph-title").textContent = "Graph";
  $("graph-note").hidden = false;
  $("graph-note").textContent = why;
}

/** Have the buttons and the pointer move the picture. */
export function prepareGraph(back) {
  const picture = $("picture");
  $("larger").addEventListener("click", () => resize(scale * 1.25));
  $("smaller").addEventListener("click", () => resize(scale / 1.25));
  $("fit").addEventListener("click", () => resize(picture.clientWidth / shown.width));
  $("back").addEventListener("click", back);
  let from = null;
  picture.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button || event.target.closest(".node[tabindex]")) {
      return;
    }
    from = { x: event.clientX + picture.scrollLeft, y: event.clientY + picture.scrollTop };
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointermove", (event) => {
    if (from) { picture.scrollTo(from.x - event.clientX, from.y - event.clientY); }
  });
  for (const end of ["pointerup", "pointercancel"]) {
    picture.addEventListener(end, () => { from = null; });
  }
}

function resize(to) {
  scale = Math.min(2.5, Math.max(0.3, to));
  const svg = $("picture").firstElementChild;
  svg.setAttribute("width", Math.round(shown.width * scale));
  svg.setAttribute("height", Math.round((shown.height + 24) * scale));
}

function markers() {
  return draw("defs", {}, ...kinds.map((kind) => draw("marker", {
    id: `tip-${kind}`, class: `a-${kind}`, viewBox: "0 0 10 10", refX: 9, refY: 5,
    markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" },
  draw("path", { d: "M0 1 10 5 0 9z", class: "tip" }))));
}

function drawEdge(edge, nodes) {
  const [[x, y], ...rest] = edge.points;
  const title = draw("title");
  title.textContent = [`${edge.relations.join(", ")}: ${nodes.get(edge.source).label} \u2192 ${
    nodes.get(edge.target).label}`, ...edge.details.map((each) => each.join(": "))].join("\n");
  return draw("g", { class: `edge a-${edge.kind}`, "aria-hidden": "true" }, title, draw("path", {
    class: "line", d: `M${x} ${y}C${rest.flat().join(" ")}`,
    "marker-end": `url(#tip-${edge.kind})` }));
}

function drawLabel(edge) {
  const [x, y] = edge.label_at;
  const text = draw("text", { x, y: y + 4, "text-anchor": "middle" });
  text.textContent = edge.label;
  const width = edge.label.length * 6 + 6;
  return draw("g", { class: `edge-label a-${edge.kind}`, "aria-hidden": "true" },
    draw("rect", { class: "paper", x: x - width / 2, y: y - 7, width, height: 14, rx: 5 }), text);
}

function drawNode(node, explore) {
  const title = draw("title");
  title.textContent = [`${node.caption}: ${node.label}`,
    ...node.details.map((each) => each.join(": "))].join("\n");
  const caption = draw("text", { x: 18, y: 18, class: "caption" });
  caption.textContent = node.caption;
  const group = draw("g", {
    class: `node k-${node.kind}${node.outer ? " outer" : ""}${node.focus ? " focus" : ""}`,
    transform: `translate(${node.x} ${node.y})` },
  title, draw("rect", { class: "box", width: node.width, height: node.height, rx: 9 }),
  draw("rect", { class: "strip", x: 7, y: 9, width: 3.5, rx: 1.75, height: node.height - 18 }),
  caption, ...node.lines.map((line, index) => {
    const text = draw("text", { x: 18, y: 34 + 16 * index, class: "name" });
    text.textContent = line;
    return text;
  }));
  const id = node.id.startsWith("e:") ? node.id.slice(2) : null;
  if (id === null) {
    group.setAttribute("aria-hidden", "true");
    return group;
  }
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", "0");
  group.setAttribute("aria-label", `${node.caption}: ${node.label}. What is around it?`);
  group.addEventListener("click", () => explore(id));
  group.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      explore(id);
    }
  });
  group.addEventListener("focus", () => group.scrollIntoView({
    block: "nearest", inline: "nearest", behavior: calm.matches ? "auto" : "smooth" }));
  return group;
}

function legendItem({ key, arrow, meaning }) {
  const sample = draw("svg", { viewBox: "0 0 26 14", width: 26, height: 14, "aria-hidden": "true",
    class: arrow ? `a-${key}` : key === "outer" ? "outer" : `k-${key}` }, arrow
    ? draw("path", { class: "line", d: "M1 7h23" })
    : draw("rect", { class: "box", x: 1, y: 1, width: 24, height: 12, rx: 4 }));
  return make("li", null, sample, make("span", meaning));
}
