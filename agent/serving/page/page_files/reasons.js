// What a reply rests on: facts, links, proofs, checks, actions, notes and timings.

import { $, bar, make, more, twoDigits } from "./make.js";

const VERDICTS = {
  supported: ["good", "supported by the graph"], no_claims: ["calm", "claims nothing to check"],
  contradicted: ["bad", "contradicted by the graph"],
  unsupported: ["bad", "not supported by the graph"],
};
const STAGES = {
  refresh: "Looking at the calendar", parse: "Reading what was said",
  link: "Finding who and what is meant", decide: "Seeing whether to act",
  act: "Doing what is asked", answer: "Answering what is asked",
  notify: "Telling whom it concerns", infer: "Working out what follows",
  verbalise: "Putting facts into words", rank: "Weighing the facts",
  generate: "Wording the reply", check: "Checking the reply",
  remember: "Remembering the reply",
};
const ACTIONS = { create: "Book", move: "Move", cancel: "Cancel", update: "Change" };

/** Names of entities by their ids, as far as they came along. */
const names = new Map();

/** Take note of names, given as pairs of id and name. */
export function rememberNames(pairs) {
  for (const [id, name] of pairs) { names.set(id, name); }
}

const named = (id) => names.get(id) ?? id;

/** What the stage after one that ended does. */
export function nextStage(ended) {
  const names = Object.keys(STAGES);
  if (ended === "total") { return "Scoring the reply"; }
  return STAGES[names[names.indexOf(ended) + 1]] ?? "Scoring the reply";
}

/** Show what a reply rests on. */
export function showReasons(reply) {
  rememberNames((reply.links ?? []).map((each) => [each.id, each.entity]));
  $("facts-body").replaceChildren(...facts(reply), ...links(reply));
  $("checks-body").replaceChildren(...checks(reply), ...actions(reply), ...notes(reply));
  showTimes(reply.timings_ms ?? {});
}

/** Show that there is nothing to show, and why. */
export function showNoReasons(why) {
  $("facts-body").replaceChildren(make("p.empty", why));
  $("checks-body").replaceChildren();
  $("times").replaceChildren();
}

/** Show the milliseconds of stages; those of a turn under way as far as it is. */
export function showTimes(times) {
  const stages = Object.entries(times).filter(([name]) => name !== "total");
  if (!stages.length) {
    $("times").replaceChildren();
    return;
  }
  const most = Math.max(...stages.map(([, ms]) => ms));
  const rows = stages.map(([name, ms]) => make("li", null,
    make("span.stage", STAGES[name] ?? name, make("code", name)),
    shareBar(ms / most), make("span.number", `${duration(ms)} ms`)));
  const total = times.total === undefined ? "" : `${duration(times.total)} ms`;
  $("times").replaceChildren(section("Timings", total, make("ul.times", null, ...rows)));
}

function duration(ms) {
  return ms < 9.95 ? ms.toFixed(1) : ms.toFixed(0);
}

function shareBar(share) {
  const line = make("span.bar");
  line.style.setProperty("--share", share);
  line.setAttribute("aria-hidden", "true");
  return line;
}

function section(title, aside, ...children) {
  return make("section.part", null,
    make("h3", title, aside && make("span.aside", aside)), ...children);
}

// ---- facts

function facts(reply) {
  const used = reply.facts ?? [];
  const others = (reply.knowledge ?? []).filter((one) => !used.some((each) =>
    each.text === one.text));
  const parts = used.length ? [make("ol.facts", null, ...used.map((each) => factItem(each, true)))]
    : [make("p.empty", "The reply rests on no facts.")];
  if (others.length) {
    parts.push(more(`${count(others.length, "other fact")} ${others.length === 1 ? "was" : "were"
    } weighed`, make("ol.facts", null, ...others.map((each) => factItem(each, false)))));
  }
  return [section("Facts", used.length ? "relevance" : "", ...parts)];
}

function factItem(fact, used) {
  const item = make(used ? "li.fact.used" : "li.fact", null,
    make("span.text", fact.text), make("span.number", twoDigits(fact.relevance)),
    bar(fact.relevance, "relevance"));
  if (fact.derived) {
    item.append(make("p.how", `Follows by ${fact.rule}${fact.probability < 1
      ? `, with probability ${twoDigits(fact.probability)}` : ""}`));
  }
  if (fact.source) {
    item.append(make("p.how", `From ${fact.source}`));
  }
  if (fact.proof?.unavailable) {
    item.append(make("p.how", `No proof: ${fact.proof.unavailable}`));
  } else if (fact.proof) {
    item.append(more("Proof", make("ul.proof", null, proofItem(fact.proof))));
  } else if (fact.premises?.length) {
    item.append(more("Rests on", make("ul.proof", null, ...fact.premises.map((each) =>
      make("li", each)))));
  }
  return item;
}

function proofItem(proof) {
  const source = [];
  if (proof.negated) {
    source.push("none found");
  } else if (proof.rule) {
    source.push(`by ${proof.rule}, line ${proof.line}`);
  } else if (proof.stored) {
    source.push("stored");
  }
  if (proof.strength < 1) { source.push(`a rule of ${twoDigits(proof.strength)}`); }
  if (proof.probability < 1) { source.push(`probability ${twoDigits(proof.probability)}`); }
  if (proof.others) { source.push(`for ${count(proof.others, "other reason")} too`); }
  const because = (proof.because ?? []).map(proofItem);
  if (proof.cut) { because.push(make("li", "\u2026")); }
  return make("li", null, make("code", proof.fact), source.length
    ? make("span.source", source.join(", ")) : null,
  because.length && !proof.negated ? make("ul", null, ...because) : null);
}

// ---- links

function links(reply) {
  const mentions = new Map();
  for (const link of reply.links ?? []) {
    mentions.set(link.mention, [...(mentions.get(link.mention) ?? []), link]);
  }
  if (!mentions.size) { return []; }
  return [section("Links", "probability", ...[...mentions].map(([mention, found]) => {
    const kept = new Set(found.map((each) => each.id));
    const lost = found[0].alternatives.filter((each) => !kept.has(each.id));
    const rows = [...found.map(linkItem), ...lost.map((each) => make("li.link", null,
      make("span.text", each.entity), make("span.number", twoDigits(each.probability)),
      bar(each.probability, "probability")))];
    for (const [title, share] of [["something else", found[0].others],
      ["nothing that is known", found[0].nothing]]) {
      if (share >= 0.005) {
        rows.push(make("li.link", null, make("span.text", title),
          make("span.number", twoDigits(share)), bar(share, "probability")));
      }
    }
    return make("div.mention", null, make("h4", `\u201c${mention}\u201d`),
      make("ul.links", null, ...rows));
  }))];
}

function linkItem(link) {
  const reasons = link.proof.map((step) => make("li", null, make("span", step.words),
    make("span.source", `a rule of ${twoDigits(step.strength)}, ${step.place}`)));
  return make("li.link.used", null, make("span.text", link.entity, make("span.kind", link.type)),
    make("span.number", twoDigits(link.probability)), bar(link.probability, "probability"),
    more("Why", make("ul.proof", null, ...(reasons.length ? reasons
      : [make("li", `by ${link.rule}`)]))));
}

// ---- checks

function checks(reply) {
  const found = reply.checks;
  if (!found) { return [section("Checks", "", make("p.empty", "None were asked for."))]; }
  if (!found.graph && found.q2 === null) {
    return [section("Checks", "", make("p.empty",
      "A reply about a booking follows from the calendar and the rules; it is not checked again."))];
  }
  const parts = [];
  if (found.graph) {
    const [tone, words] = VERDICTS[found.graph.verdict] ?? ["calm", found.graph.verdict];
    parts.push(score("Graph", make(`span.badge.${tone}`, words)));
    if (found.graph.claims.length) {
      parts.push(make("ul.claims", null, ...found.graph.claims.map(claimItem)));
    }
  }
  const skipped = found.skipped ?? {};
  parts.push(score("Q\u00b2", found.q2 === null ? make("span.skipped", skipped.q2 ?? "not run")
    : make("span.value", twoDigits(found.q2))));
  const asked = (found.q2_evidence ?? []).filter((each) => each.question);
  if (asked.length) {
    parts.push(more(count(asked.length, "question"), make("ul.asked", null,
      ...asked.map(questionItem))));
  }
  parts.push(score("PMI-FAITH", found.pmi_faith === null
    ? make("span.skipped", skipped.pmi_faith ?? "not run")
    : make("span.value", `${signed(found.pmi_faith)} nats`)));
  const steps = reply.steps ?? [];
  const repair = [];
  if (reply.repaired) {
    repair.push(make("p.sentence", reply.repaired));
  }
  if (steps.length) {
    repair.push(more(count(steps.length, "step"), make("ol.steps", null, ...steps.map((each) =>
      make("li", each)))));
  }
  const worded = section("Wording", reply.generator ?? "", ...(repair.length ? repair
    : [make("p", "The first reply stands.")]));
  return [section("Checks", "", ...parts), worded];
}

function score(name, value) {
  return make("p.score", null, make("span.name", name), value);
}

function signed(value) {
  return `${value < 0 ? "\u2212" : "+"}${Math.abs(value).toFixed(1)}`;
}

function claimItem(claim) {
  const [tone, words] = VERDICTS[claim.verdict] ?? ["calm", claim.verdict];
  return make(`li.claim.${tone}`, null, make("span.text", claim.text),
    make("span.unseen", `: ${words}`),
    claim.evidence && claim.evidence !== claim.text
      ? make("span.evidence", claim.evidence) : null);
}

function questionItem(each) {
  return make(each.score >= 0.5 ? "li.claim.good" : "li.claim.bad", null,
    make("span.text", each.question), make("span.evidence", `the reply: ${each.reply ?? "nothing"
    }; the facts: ${each.knowledge ?? "nothing"}`));
}

// ---- actions and notes

function actions(reply) {
  const found = reply.actions ?? [];
  if (!found.length) { return []; }
  return [section("Actions", "", ...found.map((each) => {
    const rows = [["state", each.committed ? "done" : each.asked ? `${each.status}, asks for ${
      each.asked}` : each.status], ["title", each.title], ["when", time(each.time)],
    ["room", named(each.room)], ["people", each.people?.map(named).join(", ")],
    ["told", each.notices?.map((one) => `${named(one.person)} (${one.kind})`).join(", ")],
    ["rule", each.rule && `${each.rule}, ${twoDigits(each.probability)}`]];
    return make("div", null, make("h4", ACTIONS[each.kind] ?? each.kind), make("dl.rows", null,
      ...rows.filter(([, value]) => value).flatMap(([name, value]) => [make("dt", name),
        make("dd", value)])));
  }))];
}

function time(value) {
  return value && [value.day, value.start?.slice(0, 5), value.end && `to ${value.end.slice(0, 5)}`]
    .filter(Boolean).join(" ");
}

function notes(reply) {
  const found = reply.notes ?? [];
  return found.length ? [section("Notes", "", make("ul.notes", null, ...found.map((each) =>
    make("li.sentence", each))))] : [];
}

function count(number, name) {
  return `${number} ${name}${number === 1 ? "" : "s"}`;
}
