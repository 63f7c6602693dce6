"""The components of a domain that is a schema, rules and facts, by engines that read the schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from frontdesk.agent.domains.domain_pack import Components, DomainPack, linking_circuit
from frontdesk.agent.settings.settings import Settings
from frontdesk.kg.graph.fact_base import FactBase


def schema_components(pack: DomainPack[Any], kb: FactBase, rules: Path | None = None,
                      settings: Settings | None = None) -> Components:
    """The components of a turn, without code of the domain's own.

    Args:
        pack: The domain; everything is read from its schema.
        rules: A ProbLog file whose heads are derived predicates of the schema and whose bodies rest
            on its stored ones.
        settings: The weights of the linking rules, the time limit and what a question is worth; the
            defaults when not given.

    Raises:
        RuleError: The rules cannot be read, where there is no time limit.
    """
    from frontdesk.generation.answers.realiser import Introduction, Realiser
    from frontdesk.generation.checks.fact_check import FactCheck
    from frontdesk.kg.english.schema_verbaliser import SchemaVerbaliser
    from frontdesk.kg.names.schema_mentions import SchemaDetector
    from frontdesk.rules.engine.derivation import MakeDerivation, RuleReasoner
    from frontdesk.rules.engine.schema_derivation import SchemaRules
    from frontdesk.rules.linking.linking import Linker

    settings = settings or Settings()
    detector = SchemaDetector(kb, pack.schema)
    verbaliser = SchemaVerbaliser(kb, pack.schema)
    programs: dict[MakeDerivation, str] = {} if rules is None else {
        SchemaRules(pack.schema, rules.name): rules.read_text(encoding="utf-8")}
    return Components(
        pack=pack, kb=kb, schema=pack.schema, detector=detector,
        linker=Linker(kb, detector.index, linking_circuit(settings.rules)),
        reasoner=RuleReasoner(kb, programs, deadline_s=settings.rules.deadline_s or None),
        verbaliser=lambda now, speaker: verbaliser,
        realiser=Realiser(Introduction.about(pack.about)),
        check=FactCheck(kb, detector))
