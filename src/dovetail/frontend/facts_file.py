"""Reading what the plugin has written about a source."""

from pathlib import Path

from dovetail.facts import Facts
from dovetail.facts_json import parse_facts


def load_facts(facts: Path, unit: str = "") -> Facts:
    """What the plugin has just written about a source; `unit` tells it from all others."""
    return parse_facts(facts.read_bytes(), unit)
