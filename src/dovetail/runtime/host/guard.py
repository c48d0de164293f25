"""The boundary between Python and C, which no exception crosses.

An exception of a table function becomes a status code, and its message is stored for the calling
thread. Messages are stored by thread identifier: for threads that C created, Python's thread-local
data is lost after each call.
"""

import traceback
from collections.abc import Callable
from functools import wraps
from threading import get_ident

from dovetail.errors import DovetailError
from dovetail.runtime.host.errc import Errc, errc_of
from dovetail.runtime.threads import counting_code

# Messages of threads that have ended remain; beyond this number, the oldest are dropped.
_MAX_MESSAGES = 256

calls: int = 0
"""The number of calls of guarded functions that have not returned.

`+=` and `-=` need no lock, which would slow every launch: CPython switches threads only where a
function begins, after calls, and where a loop repeats.
"""


class Messages:
    """The message of each thread's last error."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}

    def keep(self, error: BaseException) -> Errc:
        """Store the error's message for the calling thread; return its `errc`."""
        thread = get_ident()
        self._texts.pop(thread, None)
        self._texts[thread] = _text(error)
        if len(self._texts) > _MAX_MESSAGES:
            for oldest in list(self._texts)[: -_MAX_MESSAGES // 2]:
                self._texts.pop(oldest, None)
        return errc_of(error)

    @property
    def last(self) -> str:
        """The calling thread's last message."""
        return self._texts.get(get_ident(), "")


def guarded(
    function: Callable[..., int | None],
    messages: Messages,
    *,
    parameters: int | None = None,
    has_result: bool = False,
) -> Callable[..., int]:
    """Return the function for calls from C: it returns the result, 0 for None, or an `errc`.

    If the function has a result, it returns the `errc` negated.
    """
    sign = -1 if has_result else 1

    def failed(error: BaseException) -> int:
        return sign * messages.keep(error)

    return wraps(function)(_with_arguments(function, parameters, failed))


def _with_arguments(
    function: Callable[..., int | None],
    parameters: int | None,
    failed: Callable[[BaseException], int],
) -> Callable[..., int]:
    """Return a wrapper that counts the calling threads, and passes exceptions to `failed`.

    Launches have four arguments and waits one; packing arguments takes as long as the call.
    """

    def with_one(one: object) -> int:
        global calls
        calls += 1
        try:
            return function(one) or 0
        except BaseException as error:
            return failed(error)
        finally:
            calls -= 1

    def with_four(one: object, two: object, three: object, four: object) -> int:
        global calls
        calls += 1
        try:
            return function(one, two, three, four) or 0
        except BaseException as error:
            return failed(error)
        finally:
            calls -= 1

    def with_any(*arguments: object) -> int:
        global calls
        calls += 1
        try:
            return function(*arguments) or 0
        except BaseException as error:
            return failed(error)
        finally:
            calls -= 1

    chosen = with_one if parameters == 1 else with_four if parameters == 4 else with_any
    counting_code.add(chosen.__code__)
    return chosen


def _text(error: BaseException) -> str:
    """Return the message of an error; for a bug of the runtime, with its traceback."""
    if isinstance(error, DovetailError):
        return str(error)
    # A bug of the runtime: the message carries all that is needed to report it through C++.
    where = "".join(traceback.format_exception(error)).rstrip()
    return f"a bug in Dovetail's runtime, please report it:\n{where}"
