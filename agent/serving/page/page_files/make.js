// Makes elements. Texts come from strangers: they are only ever set as text.

/**
 * An HTML element.
 * @param {string} tag with classes, as in "p.wrong"
 * @param {string | null} text
 * @param {...(Node | string | null | false)} children empty ones are left out
 */
export function make(tag, text = null, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  element.className = classes.join(" ");
  if (text !== null) {
    element.textContent = text;
    element.dir = "auto";
  }
  element.append(...children.filter(Boolean));
  return element;
}

/** A button that does something. */
export function button(tag, text, act) {
  const element = make(`button${tag}`, text);
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}

/** What can be opened to see more. */
export function more(summary, ...children) {
  return make("details.more", null, make("summary", summary), ...children);
}

/** A number from 0 to 1 as a bar, with the number in words. */
export function bar(share, name) {
  const line = make("span.bar");
  line.style.setProperty("--share", Math.min(1, Math.max(0, share)));
  line.setAttribute("role", "img");
  line.setAttribute("aria-label", `${name} ${twoDigits(share)}`);
  return line;
}

/** Two digits that never round to an end that was not reached. */
export function twoDigits(value) {
  if (value > 0 && value < 0.005) { return "<0.01"; }
  return value >= 0.995 && value < 1 ? ">0.99" : value.toFixed(2);
}

export const $ = (id) => document.getElementById(id);
