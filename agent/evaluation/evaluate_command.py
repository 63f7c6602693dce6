"""The options of ``frontdesk evaluate``."""

from __future__ import annotations

import argparse
from pathlib import Path

from frontdesk.agent.domains.domain_registry import add_domain, data_sets, titles
from frontdesk.agent.settings.settings import PROFILES, Condition, Repair
from frontdesk.data.datasets.data_set import Evaluation
from frontdesk.data.datasets.parsed_files import FilePart, ParsedFormat

#: Data sets of judged replies, which are about no domain.
JUDGED = ("q2-wow", "begin")

_EXAMPLES = """\
examples:
  frontdesk data fetch graphwoz --output data
  frontdesk evaluate graphwoz --path data/graphwoz_dev.json --condition all --output runs/graphwoz
  frontdesk evaluate kvret --path data/kvret_dev_public.json --condition relevance+logic \\
      --output runs/kvret --jobs 2
  frontdesk evaluate kvret --path data/kvret_dev_public.json --output runs/kvret --resume
  frontdesk evaluate --compare runs/graphwoz/relevance runs/graphwoz/relevance+logic
  frontdesk evaluate simulated --dialogues 500 --asr --jobs 2 --output runs/visitors
  frontdesk evaluate simulated --dialogues 500 --output runs/real-words \\
      --wordings smcalflow=smcalflow_dialogues.jsonl.gz --wordings sgd=sgd_dialogues.jsonl.gz
  frontdesk evaluate graphwoz-calendar --path data/graphwoz_dev.json --output runs/calendar
  frontdesk evaluate understanding --format sgd --path sgd_calendar_dialogues.jsonl.gz \\
      --output runs/understanding
  frontdesk evaluate graphwoz --metrics --path data/graphwoz_dev.json --output runs/checks
  frontdesk evaluate ci-tod --metrics --learn-from ci-tod/*_train.json --path ci-tod/*_dev.json \
      --output runs/consistency

A run writes report.json, turns.jsonl (a line a turn) and report.html, a page to look at. Turns are
kept as they are answered: a run that was stopped goes on with --resume. The exit status is 1 when
turns failed, 2 for a mistake in the options or the data.
"""


def _wordings(text: str) -> tuple[ParsedFormat, Path]:
    """The format and the file of ``FORMAT=FILE``."""
    name, equals, path = text.partition("=")
    if name not in set(ParsedFormat) or not equals or not path:
        raise argparse.ArgumentTypeError(
            f"{text} is not FORMAT=FILE with one of the formats {', '.join(ParsedFormat)}")
    return ParsedFormat(name), Path(path)


def add_evaluate_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``evaluate`` to the commands."""
    parser = commands.add_parser(
        "evaluate", help=f"evaluate on {titles()}", epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Answer every turn of a data set, the real dialogue as history, and report "
                    "on the replies.")
    known = data_sets(None)
    labelled = [*JUDGED, *data_sets(Evaluation.CONSISTENCY)]
    parser.add_argument(
        "dataset", nargs="?", choices=(*known, *JUDGED),
        help="; ".join([*(f"{each.name}: {each.summary}" for each in known.values()
                          if each.summary),
                        f"{', '.join(labelled)} with --metrics only"]))
    add_domain(parser, "what the data set is about; its own data set where none is named")
    parser.add_argument("--path", type=Path, nargs="+", metavar="FILE",
                        help="the official file, plain or compressed with gzip; several of "
                             + ", ".join(labelled))
    parser.add_argument("--learn-from", type=Path, nargs="+", metavar="FILE",
                        help=f"{', '.join(data_sets(Evaluation.CONSISTENCY))}: the training files")
    parser.add_argument("--metrics", action="store_true",
                        help="compare the checks of replies instead: how well the graph check, Q², "
                             "QAGS, PMI-FAITH and others tell true replies from false ones")
    parser.add_argument("--thresholds", type=Path, metavar="FILE.json",
                        help="with --metrics: write down which Q² and PMI-FAITH a reply must have "
                             "at least, so that 3 %% of the true ones are refused at most; the "
                             "setting check.thresholds reads it")
    parser.add_argument("--format", choices=[each.value for each in ParsedFormat],
                        help="understanding: of the file; frontdesk: utterances with forms, "
                             "a line of JSON each")
    parser.add_argument("--part", choices=[each.value for each in FilePart],
                        default=FilePart.HELD_OUT.value,
                        help="understanding: all turns of the file, or those that no training "
                             "learns from; of the format frontdesk always all (held-out)")
    parser.add_argument("--parser", type=Path, metavar="DIR",
                        help="understanding: folder of a trained parser; the one that comes with "
                             "frontdesk by default")
    parser.add_argument("--condition", default=Condition.RELEVANCE_LOGIC.value,
                        choices=(*(each.value for each in Condition), "all"),
                        help="which facts reach the generator (relevance+logic)")
    parser.add_argument("--output", type=Path, metavar="DIR",
                        help="folder for the results; with --compare, a file for the page")
    parser.add_argument("--profile", choices=PROFILES, help="which components answer")
    parser.add_argument("--config", type=Path, metavar="FILE.toml",
                        help="settings that override the defaults")
    parser.add_argument("--dialogues", type=int, metavar="N",
                        help="simulated: how many visitors come")
    parser.add_argument("--asr", action="store_true",
                        help="simulated: hear them through a simulated speech recogniser")
    parser.add_argument("--visitors", choices=("evaluation", "training"), default="evaluation",
                        help="simulated: whose phrases and organisations; those of training are "
                             "there to look for mistakes with, as they are not measured on "
                             "(evaluation)")
    parser.add_argument("--wordings", type=_wordings, action="append", metavar="FORMAT=FILE",
                        help="simulated: visitors also use the words of the people of this data "
                             "set, with their own names and times in them, where what they mean "
                             "is the same; only its turns that no training learns from; formats "
                             f"as of --format ({', '.join(ParsedFormat)}); may be repeated")
    parser.add_argument("--identified", action="store_true",
                        help="simulated: tell the agent who the visitor is")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N turns")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (1)")
    parser.add_argument("--ray", metavar="ADDRESS",
                        help="work on a Ray cluster: its address, auto, or local to start one")
    parser.add_argument("--resume", action="store_true",
                        help="go on with the run that the output folder holds")
    parser.add_argument("--input", choices=("manual", "asr"),
                        help=f"{titles(lambda each: each.heard)}: what the user is taken to have "
                             "said, the manual transcription or the speech recogniser's "
                             "hypotheses (manual)")
    parser.add_argument("--linking", choices=("rules", "string"),
                        help=f"{titles(lambda each: each.string_linking)}: link mentions by our "
                             "rules or by equal strings (rules)")
    parser.add_argument("--entities", type=Path, metavar="FILE",
                        help=f"{titles(lambda each: each.entities)}: the ontology for entity F1; "
                             "the official one beside the data when it is there, else the values "
                             "of the tables")
    parser.add_argument("--bertscore", default="", metavar="MODEL",
                        help="encoder of BERTScore; roberta-large when it is on this machine, "
                             "else the encoder that comes with frontdesk")
    parser.add_argument("--unieval", default="", metavar="MODEL",
                        help="evaluator of UniEval (MingZhong/unieval-dialog when it is on this "
                             "machine)")
    parser.add_argument("--seed", type=int, default=0,
                        help="of the shuffling of all-facts, or of the simulated visitors (0)")
    parser.add_argument("--repair", choices=tuple(Repair), default=Repair.NONE,
                        help="what becomes of replies that fail their checks: full as for users; "
                             "generator: another one of the generator's own is taken; none: the "
                             "generator is judged by its first words, as in the paper (none)")
    parser.add_argument("--compare", type=Path, nargs=2, metavar="DIR",
                        help="compare two runs turn by turn instead")
    parser.add_argument("--json", action="store_true", help="with --compare: as JSON")
