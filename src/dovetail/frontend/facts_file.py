"""Reading what the plugin has written about a source."""

from hashlib import sha256
from pathlib import Path

from dovetail.facts import Facts, parse_facts


def load_facts(name: str, facts: Path) -> Facts:
    """What the plugin has just written about the source of that name."""
    return facts_of_source(name, facts.read_bytes())


def facts_of_source(name: str, content: bytes) -> Facts:
    """The same from a file's content."""
    # Objects that are linked together may come from sources of one name in several folders.
    unit = sha256(bytes(Path(name).absolute())).hexdigest()[:8]
    return parse_facts(content, unit)
