"""The door of the room: `lp.extension` and `lp.extend`. What they need is loaded when they are called.

So `import linpoint` stays quick.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from linpoint.budget import Budget
from linpoint.errors import UsageError

if TYPE_CHECKING:
    from linpoint.extend.base import Base

F = TypeVar("F", bound=Callable[..., Any])
DECLARED = "__linpoint_extension__"
"""Where a declared function keeps what `extension` was told."""


def extension(
    base: str | Base = "dict",
    *,
    on: str | None = None,
    pure: Iterable[str] = (),
    makes: Iterable[str] = (),
    operations: Iterable[str] | None = None,
    values: Iterable[Hashable] | None = None,
) -> Callable[[F], F]:
    """Declares a function to be an extension of a base object. The function stays as it is.

    base        "dict", "map", "register", "counter", or an object of `lp.finite_base`
    on          what the object is called in the function: "self._cache"; None: it is the first parameter
    pure        names of functions that depend on their arguments only, and always return
    makes       names of functions that only make a new object
    operations  the operations that the object has, if not all of its kind: ("read", "write")
    values      the values that it may hold, if they are few: (False, True)
    """
    from linpoint.extend.base import BASES, Base  # noqa: PLC0415 - see above

    if not isinstance(base, Base) and base not in BASES:
        raise UsageError(f"no base object is called {base!r}: there is {', '.join(BASES)}")
    options = {
        "base": base,
        "on": on,
        "pure": tuple(pure),
        "makes": tuple(makes),
        "operations": None if operations is None else tuple(operations),
        "values": None if values is None else tuple(values),
    }

    def declared(function: F) -> F:
        setattr(function, DECLARED, options)
        return function

    return declared


def extend(
    *functions: Callable[..., Any],
    base: str | Base | None = None,
    on: str | None = None,
    pure: Iterable[str] = (),
    makes: Iterable[str] = (),
    timeout: float | str | None = None,
) -> Any:
    """Is an extension method linearizable? An `Extension`; a tuple of them for several functions, which are judged together.

    The other parameters are those of `lp.extension`, for functions that are not declared; `timeout` bounds the whole.
    """
    if not functions:
        raise UsageError("give at least one function")
    from linpoint.extend.judge import extend_functions  # noqa: PLC0415 - see above

    budget = Budget.start(timeout)
    declared = [dict(getattr(function, DECLARED, None) or {"base": base or "dict"}) for function in functions]
    for options in declared:
        if base is not None:
            options["base"] = base
        options["on"] = on or options.get("on")
        options["pure"] = (*options.get("pure", ()), *pure)
        options["makes"] = (*options.get("makes", ()), *makes)
    results = extend_functions(list(zip(functions, declared, strict=True)), budget)
    return results[0] if len(results) == 1 else results
