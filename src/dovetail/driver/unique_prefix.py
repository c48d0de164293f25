"""What makes names of functions unique between sources, as `-fsycl-unique-prefix` has it.

Derived from the source, never at random, so that building it again gives the same bytes.
"""

import re
from hashlib import sha256
from pathlib import Path

from dovetail.errors import UsageError
from dovetail.frontend import Source

_PREFIX = r"[A-Za-z0-9_]+"


def unique_prefix(source: Source) -> str:
    """A prefix that no other source has, unless it is the same file with the same content."""
    # Build systems compile files of the same name in different folders.
    path = str(Path(source.path).absolute()) if source.is_file else source.path
    content = f"{path}\0{source.text}".encode(errors="surrogateescape")
    return sha256(content).hexdigest()[:32]


def check_unique_prefix(prefix: str) -> None:
    """It becomes a part of the names of functions."""
    if not re.fullmatch(_PREFIX, prefix):
        raise UsageError(
            f"'{prefix}' cannot be a part of the names of functions",
            hint="use letters, digits and underscores",
        )
