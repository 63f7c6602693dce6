"""Says in lines of text what a reply rests on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from frontdesk.agent.turn.proof_words import proof_lines
from frontdesk.agent.turn.reply import NamedLink, Reply
from frontdesk.kg.graph.errors import ReasoningError
from frontdesk.rules.engine.proofs import Proof
from frontdesk.rules.engine.query_answer import QueryAnswer
from frontdesk.rules.linking.link_proofs import COMPARISONS, EXACT, ProofStep
from frontdesk.rules.linking.n_best import SAID
from frontdesk.scoring.ranked_fact import RankedFact

#: Parts of an answer that are shown.
_MOST_ITEMS = 8
#: Probabilities below this one are not worth a word.
_LEAST_SHOWN = 0.005


def facts_lines(reply: Reply) -> list[str]:
    """The facts in use, then the next most relevant ones."""
    lines = [f"used {_fact(ranked)}" for ranked in reply.facts]
    lines += [f"     {_fact(ranked)}" for ranked in reply.knowledge if ranked not in reply.facts]
    return lines or ["The reply rests on no facts."]


def why_lines(reply: Reply) -> list[str]:
    """What was understood, the queries with their answers, links with their reasons, rules with
    their proofs, checks, repair and timings."""
    lines = [*_reading_lines(reply), *(_answer_line(reply, each) for each in reply.answers)]
    lines += [line for _, links in groupby(reply.links, key=lambda link: link.mention)
             for line in _link_lines(list(links))]
    for ranked in reply.facts:
        lines += _reasons(reply, ranked)
    check = reply.graph_check
    if check is not None:
        lines.append(f"check graph: {check.verdict}")
        lines += [f"      {claim.verdict}: {claim.text}" + (
            f" ({claim.evidence})" if claim.evidence not in ("", claim.text) else "")
            for claim in check.claims]
    lines += _faithfulness_lines(reply)
    lines += [f"check {step}" for step in reply.steps]
    lines += [f"note  {note}" for note in reply.notes]
    lines.append("time  " + ", ".join(f"{name} {value:.0f} ms"
                                      for name, value in reply.timings_ms.items()))
    return lines


def _reading_lines(reply: Reply) -> list[str]:
    """What was taken to be meant, and what may have been."""
    if not reply.readings:
        return []
    first, *others = ((" ".join(map(str, each.forms)), each.probability)
                      for each in reply.readings)
    lost = [f"{text} ({probability:.2f})" for text, probability in others
            if probability >= _LEAST_SHOWN]
    return [f"parse {first[0]}, p={first[1]:.2f}",
            *([f"      rather than {', '.join(lost)}"] if lost else [])]


def _answer_line(reply: Reply, answer: QueryAnswer) -> str:
    """A query in full with its answer, and what was not sure in it."""
    def name(value: object) -> str:
        known = reply.kb is not None and isinstance(value, str) and value in reply.kb
        return reply.kb.entity(str(value)).name if known and reply.kb is not None else str(value)

    found = ", ".join(f"{name(each.value)} (p={each.probability:.2f})"
                      for each in answer.items[:_MOST_ITEMS])
    more = len(answer.items) - _MOST_ITEMS
    said = "" if answer.holds is None else f"yes p={answer.holds:.2f}" + (": " if found else "")
    unsure = "".join(f"; {form} was taken for {name(taken)}"
                     for form, taken in answer.unsure.items())
    return (f"query {answer.query} → {said}{found}" + (f" and {more} more" if more > 0 else "")
            + ("" if found or said else answer.kind.value) + unsure)


def _faithfulness_lines(reply: Reply) -> list[str]:
    """Q² with its questions, and PMI-FAITH."""
    scores = reply.faithfulness
    if scores is None:
        return []
    lines = []
    for name, value, skipped in (
            ("Q²", None if scores.q2.score is None else f"{scores.q2.score:.2f}", "q2"),
            ("PMI-FAITH", None if scores.pmi_faith is None
             else f"{scores.pmi_faith.total:+.1f} nats", "pmi_faith")):
        lines.append(f"check {name}: {value or scores.skipped.get(skipped, 'not computed')}")
        if name == "Q²":
            lines += [f"      {asked.question} {asked.span.text} / {asked.answer or 'no answer'}"
                      for asked in scores.q2.asked]
    return lines


def explain_lines(reply: Reply) -> list[str]:
    """Everything: the facts and the reasons."""
    return [*facts_lines(reply), *why_lines(reply)]


def _link_lines(links: Sequence[NamedLink]) -> list[str]:
    """Why a mention has its links, and what it could have meant instead."""
    lines = []
    for link in links:
        reasons = "; ".join([f"{step.words} ({step.strength:.2f})" for step in _telling(link)]
                            + [f"if this was said ({premise.removesuffix(SAID)})"
                               for premise in link.premises if premise.endswith(SAID)])
        lines.append(f"link  “{link.mention}” → {link.entity} ({link.type}), "
                     f"p={link.probability:.2f}"
                     + (f": {reasons}" if reasons else f" by {link.rule}"))
    proof = links[0].proof
    if proof is None:
        return lines
    kept = {link.entity_id for link in links}
    lost = [f"{each.entity} ({each.probability:.2f})" for each in links[0].alternatives
            if each.entity_id not in kept]
    if proof.others >= _LEAST_SHOWN:
        lost.append(f"others ({proof.others:.2f})")
    if proof.nothing is not None and proof.nothing >= _LEAST_SHOWN:
        lost.append(f"none of them ({proof.nothing:.2f})")
    return [*lines, "      rather than " + ", ".join(lost)] if lost else lines


def _telling(link: NamedLink) -> Sequence[ProofStep]:
    """The reasons for a link; that names are the same says all about how they compare."""
    steps = link.proof.steps if link.proof else ()
    same = any(step.rule == EXACT for step in steps)
    return [step for step in steps if not same or step.rule == EXACT
            or step.rule not in COMPARISONS]


def _reasons(reply: Reply, ranked: RankedFact) -> list[str]:
    """Where a fact in use comes from."""
    provenance = ranked.fact.provenance
    if ranked.source:
        return [f"house {ranked.source}: “{ranked.text}”"]
    if provenance is None:
        return [f"fact  stored: “{ranked.text}”"]
    lines = [f"rule  {provenance.rule} derived “{ranked.text}”"]
    proof = reply.proofs.get(ranked.fact)
    if isinstance(proof, ReasoningError):
        lines.append(f"      no proof: {proof}")
    if not isinstance(proof, Proof) or reply.kb is None:
        return lines + [f"      because {premise}" for premise in provenance.premises]
    return lines + [f"      {line}" for line in proof_lines(proof, reply.kb)]


def _fact(ranked: RankedFact) -> str:
    return f"{ranked.relevance:.2f} {ranked.text}" + (
        " (derived)" if ranked.fact.derived else f" ({ranked.source})" if ranked.source else "")
