"""Waiting for events in tasks of asyncio.

Drivers cannot wake up an event loop, so a thread waits for the work. Short work is polled first,
since starting a thread takes longer.
"""

import asyncio
from typing import Protocol

_POLLS = 20
"""How often the loop gets its turn before a thread waits."""


class Waitable(Protocol):
    """An event as tasks wait for it."""

    @property
    def done(self) -> bool: ...

    def settle(self) -> None: ...

    def wait(self) -> None: ...


async def wait_in_task(event: Waitable) -> None:
    """Wait until the work is done; raise its error if it failed."""
    for _ in range(_POLLS):
        if event.done:
            break
        await asyncio.sleep(0)
    else:
        await asyncio.to_thread(event.settle)
    event.wait()
