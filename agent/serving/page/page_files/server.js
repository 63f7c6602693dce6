// Talks to the service that this page came from, and to nobody else.

import { $ } from "./make.js";

const KEY = "frontdesk.key";
const SILENCE_MS = 90_000;

/** The service did not answer, or not to the end. */
export class Away extends Error {}

/** The service answered that something is wrong. */
export class Refused extends Error {
  /**
   * @param {string} message
   * @param {number} status of HTTP
   * @param {number} wait seconds after which to try again; 0 where that does not help
   */
  constructor(message, status, wait) {
    super(message);
    this.status = status;
    this.wait = wait;
  }
}

/** Take the key out of the address, where nobody shall read it. */
export function takeKeyFromAddress() {
  const found = new URLSearchParams(location.hash.slice(1)).get("key");
  if (found !== null) {
    history.replaceState(null, "", location.pathname + location.search);
    sessionStorage.setItem(KEY, found);
  }
}

let asking = null;

/** Ask for the key; several requests that need it ask once. */
function askForKey() {
  asking ??= new Promise((resolve) => {
    const [dialog, field, wrong] = [$("key-dialog"), $("key"), $("key-wrong")];
    wrong.textContent = sessionStorage.getItem(KEY) === null ? "" : "That is not a key here.";
    const take = (event) => {
      event.preventDefault();
      const key = field.value.trim();
      if (!/^[\x21-\x7e]+$/.test(key)) {
        wrong.textContent = "A key has letters, digits and signs, and no blanks.";
        return;
      }
      sessionStorage.setItem(KEY, key);
      field.value = "";
      $("key-form").removeEventListener("submit", take);
      dialog.close();
      asking = null;
      resolve();
    };
    $("key-form").addEventListener("submit", take);
    dialog.oncancel = (event) => event.preventDefault();
    if (!dialog.open) { dialog.showModal(); }
  });
  return asking;
}

async function send(method, path, body, accept, signal) {
  for (;;) {
    const used = sessionStorage.getItem(KEY);
    const headers = { Accept: accept };
    if (body !== undefined) { headers["Content-Type"] = "application/json"; }
    if (used !== null) { headers.Authorization = `Bearer ${used}`; }
    let response;
    try {
      response = await fetch(new URL(path, document.baseURI), {
        method, headers, signal, cache: "no-store",
        body: body === undefined ? undefined : JSON.stringify(body) });
    } catch (error) {
      throw new Away(String(error));
    }
    if (response.ok) { return response; }
    if (response.status !== 401) { throw await refusal(response); }
    if (used === sessionStorage.getItem(KEY)) { await askForKey(); }
  }
}

async function refusal(response) {
  let message = `the service answered ${response.status}`;
  try {
    message = (await response.json()).error.message;
  } catch { /* not from the service itself but from something before it */ }
  const wait = Number(response.headers.get("Retry-After")) || 0;
  return new Refused(message, response.status, wait || ([502, 503, 504].includes(response.status)
    ? 5 : 0));
}

/** Ask for JSON; null where there is none. */
export async function ask(method, path, body) {
  const response = await send(method, path, body, "application/json");
  try {
    return response.status === 204 ? null : await response.json();
  } catch (error) {
    throw new Away(String(error));
  }
}

/**
 * Take a turn.
 * @param {string} session its id
 * @param {{text: string, id: string}} turn with the id under which it is done once only
 * @param {(stage: string, ms: number) => void} ended is told of each stage when it ends
 * @returns the reply with all that it rests on
 */
export async function takeTurn(session, turn, ended) {
  const silence = new AbortController();
  let timer;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  heard();
  try {
    const response = await send("POST", `sessions/${encodeURIComponent(session)}/turns`,
      { ...turn, explain: true }, "text/event-stream", silence.signal);
    for await (const { event, data } of events(response.body, heard)) {
      if (event === "stage") {
        ended(data.stage, data.ms);
      } else if (event === "error") {
        const { message, status, retry_after: wait } = data.error;
        throw new Refused(message, status, wait ?? 0);
      } else if (event === "reply") {
        return data;
      }
    }
    throw new Away("the answer broke off");
  } finally {
    clearTimeout(timer);
  }
}

/** The server-sent events of a body. */
async function* events(body, heard) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    let part;
    try {
      part = await reader.read();
    } catch (error) {
      throw new Away(String(error));
    }
    if (part.done) { return; }
    heard();
    text += part.value;
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop();
    for (const block of blocks) {
      const fields = {};
      for (const line of block.split(/\r?\n/)) {
        const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line);
        fields[name] = name in fields ? `${fields[name]}\n${value}` : value;
      }
      if (fields.data) { yield { event: fields.event, data: JSON.parse(fields.data) }; }
    }
  }
}
