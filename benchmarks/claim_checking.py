"""Which replies about the demo organisation pass the claim check, and how long it takes.

Of 60 true replies in free words and 65 false ones, tests/samples/claimed_replies.jsonl;
the rules were made with them at hand. Beside the graph check alone, and beside what would be proved
if every sentence were read rightly.

    python benchmarks/claim_checking.py [--parser FOLDER] [--json FILE] [--smallest]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from support.benchmark import parse_options, write_report
from support.claimed_replies import ClaimedReply, GivenForms, Judgement, ReplyJudge

from frontdesk.generation.checks.claim_check import ClaimCheck
from frontdesk.kg.graph.logical_forms import Language
from frontdesk.kg.graph.schema import ORGANISATION
from frontdesk.kg.parser.parser_weights import PACKAGED
from frontdesk.kg.parser.trained_parser import TrainedParser


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--parser", type=Path, metavar="FOLDER", default=PACKAGED,
                        help="the parser's weights (those that come with frontdesk)")
    parser.add_argument("--every", type=int, default=1, help="only every Nth reply (1)")
    parser.add_argument("--wrong", action="store_true", help="show what is judged wrongly")
    options = parse_options(parser, every=15)
    replies, judge = ClaimedReply.read()[::options.every], ReplyJudge()
    parsed = ClaimCheck(TrainedParser(Language(ORGANISATION), options.parser))
    for each in replies[:2]:  # what is loaded at the first is not what a reply takes
        judge.judge(each, parsed)
    read = [judge.judge(each, parsed) for each in replies]
    given = ClaimCheck(GivenForms(replies))
    right = [judge.judge(each, given) for each in replies]
    cases = [_case("graph check alone", replies, [each.graph.passed for each in read]),
             _case("claims proved, too", replies, [each.passed for each in read]),
             _case("claims alone", replies, [_proved(each) for each in read]),
             _case("claims alone, read rightly", replies, [_proved(each) for each in right])]
    for case in cases:
        sys.stdout.write(f"{case['case']:28} of {case['false']} false replies {case['passed']} "
                         f"pass, of {case['true']} true ones {case['refused']} are refused\n")
    for name, judged in (("claim check", read), ("proofs alone", right)):
        taken = [each.milliseconds for each in judged]
        sys.stdout.write(f"{name:28} {median(taken):.0f} ms a reply, of one in twenty over "
                         f"{quantiles(taken, n=20)[-1]:.0f} ms\n")
    if options.wrong:
        for each, one, other in zip(replies, read, right, strict=True):
            if one.passed is bool(each.false) or _proved(other) is bool(each.false):
                sys.stdout.write(f"\n{each.false or 'true'}: {each.reply}\n" + "".join(
                    f"   {name}: {claim.verdict}: {claim.text} ({claim.evidence})\n"
                    for name, claims in (("graph", one.graph.claims), ("claim", one.claims),
                                         ("right", other.claims)) for claim in claims))
    write_report(options.json, "claim_checking", cases, milliseconds=taken)
    return 0


def _proved(judgement: Judgement) -> bool:
    return Judgement(type(judgement.graph).of(()), judgement.claims, 0.0).passed


def _case(name: str, replies: Sequence[ClaimedReply], passed: Sequence[bool]) -> dict[str, Any]:
    """How many false replies pass and true ones are refused."""
    judged = list(zip(replies, passed, strict=True))
    return {"case": name, "repetitions": 1,
            "false": sum(bool(each.false) for each in replies),
            "true": sum(not each.false for each in replies),
            "passed": sum(bool(each.false) and so for each, so in judged),
            "refused": sum(not each.false and not so for each, so in judged)}


if __name__ == "__main__":
    raise SystemExit(main())
