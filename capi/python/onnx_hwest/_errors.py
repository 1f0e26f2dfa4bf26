"""Errors of the C library, as exceptions."""

from typing import Any, Tuple


class Error(Exception):
    """What the library refused, and what to do about it.

    message: "WHAT: REMEDY"; code: a stable word such as "free_dims"; status: the number of hwest_status.
    """

    def __init__(self, message: str, code: str, status: int) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status

    def __reduce__(self) -> Tuple[Any, ...]:
        return (type(self), (self.message, self.code, self.status))


class Cancelled(Error):
    """A callback or a Cancel asked to stop."""
