"""Says in lines of text what a reply rests on."""

from __future__ import annotations

from frontdesk.agent.reply import Reply
from frontdesk.scoring.ranked_fact import RankedFact


def facts_lines(reply: Reply) -> list[str]:
    """The facts in use, then the next most relevant ones."""
    lines = [f"used {_fact(ranked)}" for ranked in reply.facts]
    lines += [f"     {_fact(ranked)}" for ranked in reply.knowledge if ranked not in reply.facts]
    return lines or ["The reply rests on no facts."]


def why_lines(reply: Reply) -> list[str]:
    """Links, rules with their premises, checks, repair and timings."""
    lines = [f"link  “{link.mention}” → {link.entity} ({link.type}), "
             f"p={link.probability:.2f} by {link.rule}"
             + (f" from {', '.join(link.premises)}" if link.premises else "")
             for link in reply.links]
    for ranked in reply.facts:
        provenance = ranked.fact.provenance
        if provenance is not None:
            lines.append(f"rule  {provenance.rule} derived “{ranked.text}”")
            lines += [f"      because {premise}" for premise in provenance.premises]
        else:
            lines.append(f"fact  stored: “{ranked.text}”")
    check = reply.graph_check
    if check is not None:
        lines.append(f"check graph: {check.verdict}")
        lines += [f"      {claim.verdict}: {claim.text}" for claim in check.claims]
    if reply.repaired:
        lines.append(f"check repaired: {reply.repaired}")
    lines += [f"note  {note}" for note in reply.notes]
    lines.append("time  " + ", ".join(f"{name} {value:.0f} ms"
                                      for name, value in reply.timings_ms.items()))
    return lines


def explain_lines(reply: Reply) -> list[str]:
    """Everything: the facts and the reasons."""
    return [*facts_lines(reply), *why_lines(reply)]


def _fact(ranked: RankedFact) -> str:
    return f"{ranked.relevance:.2f} {ranked.text}" + (" (derived)" if ranked.fact.derived else "")
