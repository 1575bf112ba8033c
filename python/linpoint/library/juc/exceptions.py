"""The exceptions of Java that these classes raise. A history names them: `{"raised": "NoSuchElementException"}`."""


class NoSuchElementException(Exception):
    """There is no element to be had."""


class IllegalStateException(Exception):
    """There is no room for another element."""
