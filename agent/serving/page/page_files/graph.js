// The pane of the graph; drawGraph and legendItems are those of every page that shows one.

/* global drawGraph, legendItems */
import { $, make } from "./make.js";

let picture = null;

/**
 * Show a graph.
 * @param {object} graph as the service gives it
 * @param {string} title
 * @param {(id: string) => void} explore is told which entity was chosen
 * @param {boolean} away whether it is another graph than that of the turn
 */
export function showGraph(graph, title, explore, away = false) {
  const entity = (node) => (node?.id?.startsWith("e:") ? node.id.slice(2) : null);
  $("picture").hidden = $("graph-tools").hidden = $("words").hidden = false;
  $("graph-note").hidden = true;
  $("graph-title").textContent = title;
  $("back").hidden = !away;
  $("sentences").replaceChildren(...graph.description.map((each) => make("li", each)));
  $("legend").replaceChildren(...legendItems(graph));
  picture = drawGraph($("picture"), graph, { title, least: 0.8,
    nameOf: (node) => (entity(node) === null ? null
      : `${node.caption}: ${node.label}. What is around it?`),
    choose: (item) => { if (entity(item) !== null) { explore(entity(item)); } } });
}

/** Show that there is no graph, and why. */
export function showNoGraph(why) {
  picture = null;
  $("picture").hidden = $("graph-tools").hidden = $("words").hidden = true;
  $("legend").replaceChildren();
  $("graph-title").textContent = "Graph";
  $("graph-note").hidden = false;
  $("graph-note").textContent = why;
}

/** Have the buttons change the size of the picture. */
export function prepareGraph(back) {
  $("larger").addEventListener("click", () => picture.zoom(1.25));
  $("smaller").addEventListener("click", () => picture.zoom(0.8));
  $("fit").addEventListener("click", () => picture.fit());
  $("back").addEventListener("click", back);
}
