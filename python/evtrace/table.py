"""Rows of a trace as a table."""
import ctypes
import datetime
import html
import operator
import re
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from . import _arrow
from ._library import Error, _Error, _Range

Time = Union[None, int, str, datetime.timedelta]

_UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "": 10**9}


class EvtraceWarning(UserWarning):
    """A trace is not whole: events were lost, or cannot be read. Or a figure of trace.stats is doubtful."""


def _ns(time: Time) -> Optional[int]:
    if time is None:
        return None
    if isinstance(time, datetime.timedelta):
        # Those of pandas have nanoseconds, too.
        return (time.days * 86400 + time.seconds) * 10**9 + time.microseconds * 1000 + getattr(time, "nanoseconds", 0)
    if getattr(getattr(time, "dtype", None), "kind", None) == "m":  # numpy's timedelta64
        return int(time.astype("timedelta64[ns]").astype("int64"))
    if hasattr(time, "__index__"):  # of numpy's numbers, too
        return operator.index(time)
    if not isinstance(time, str):
        raise TypeError(f"expected a time as a whole number of ns, a timedelta or text, found {type(time).__name__}")
    match = re.fullmatch(r"(\d+)(?:\.(\d{1,9}))?(ns|us|ms|s|)", time.strip())
    if not match:
        raise ValueError(f"`{time}` is no time: expected ns as a number, a timedelta, or text such as 1.5s, 200ms, 30us")
    whole, part, unit = match.groups()
    part = part or ""
    return (int(whole + part) * _UNITS[unit]) // 10**len(part)


def _range(start: Time, end: Time) -> _Range:
    from_ns, to_ns = _ns(start), _ns(end)
    if from_ns is not None and to_ns is not None and from_ns > to_ns:
        raise ValueError(f"the range ends before it begins: {start} to {end}")
    for ns in (from_ns, to_ns):
        if ns is not None and not -2**63 <= ns < 2**63:
            raise ValueError(f"{ns} is no time: expected ns that 64 bits hold")
    return _Range(from_ns or 0, to_ns or 0, from_ns is not None, to_ns is not None)


class Column(NamedTuple):
    """Of a table. `kind` is Arrow's format, as docs/TABLES.md has it in words."""
    name: str
    kind: str
    unit: str
    description: str


_SCALES = {"ns": ((3600e9, "h"), (60e9, "min"), (1e9, "s"), (1e6, "ms"), (1e3, "us"), (1, "ns")),
           "1/s": ((1e12, "T/s"), (1e9, "G/s"), (1e6, "M/s"), (1e3, "k/s"), (1, "/s"))}


def _shown(value: Any, column: Column) -> str:
    """As `evt stats` prints it: three digits that matter; a moment in seconds."""
    if value is None:
        return "-"
    if isinstance(value, (str, bytes, list)) or value != value:
        return str(value)
    if column.unit == "ns" and column.kind == "int64":
        return f"{'-' if value < 0 else ''}{abs(value) // 10**9}.{abs(value) % 10**9:09}"
    if column.unit == "%":
        return f"{value:.1f} %"
    if column.unit not in _SCALES:
        return f"{value:.2f}" if column.kind == "double" else str(value)
    size, unit = next((scale for scale in _SCALES[column.unit] if abs(value) >= scale[0]), _SCALES[column.unit][-1])
    number = value / size
    digits = 0 if size == 1 and float(number).is_integer() else 2 if abs(number) < 9.995 else 1 if abs(number) < 99.95 else 0
    return f"{number:.{digits}f} {unit}"


_KINDS = {b"b": "bool", b"l": "int64", b"L": "uint64", b"g": "double", b"tsn:UTC": "time", b"u": "text", b"z": "bytes",
          b"i": "text"}


def _kind_of(schema: _arrow.Schema) -> str:
    if schema.format == b"+l":
        return "list of " + _kind_of(schema.children[0].contents)
    return _KINDS[schema.format]


class Table:
    """A table of a trace: read anew by each method, so it costs nothing to have one.

    `name` is its name, `columns` what it has (docs/TABLES.md). Times are in ns since a session's start where a column
    is in ns, and UTC where it is a time.
    """

    def __init__(self, name: str, open_stream: "Callable[[_arrow.Stream, _Error], int]",
                 warn: "Callable[[], None]" = lambda: None):
        self.name = name
        self._open_stream = open_stream
        self._warn = warn
        stream = self._stream()
        try:
            schema = self._schema(stream)
            try:
                self.columns = [self._column(schema.children[i].contents) for i in range(schema.n_children)]
            finally:
                _arrow.released(schema)
        finally:
            _arrow.released(stream)

    @staticmethod
    def _column(schema: _arrow.Schema) -> Column:
        metadata = _arrow.metadata_of(schema)
        name = schema.name.decode("utf-8", "replace")
        return Column(name, _kind_of(schema), metadata.get("unit", ""), metadata.get("description", ""))

    def _stream(self) -> _arrow.Stream:
        stream, error = _arrow.Stream(), _Error()
        if not self._open_stream(stream, error):
            error.raise_it()
        return stream

    @staticmethod
    def _schema(stream: _arrow.Stream) -> _arrow.Schema:
        schema = _arrow.Schema()
        if stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)):
            raise MemoryError
        return schema

    def _batches(self, kept: "Optional[List[_arrow.Array]]" = None) -> "Iterator[Tuple[_arrow.Schema, _arrow.Array]]":
        """Each holds until the next, or is added to `kept`, and is the caller's to release."""
        stream = self._stream()
        schema = None
        try:
            schema = self._schema(stream)
            while True:
                array = _arrow.Array()
                if stream.get_next(ctypes.byref(stream), ctypes.byref(array)):
                    raise Error(stream.get_last_error(ctypes.byref(stream)).decode("utf-8", "replace"))
                if not array.release:
                    break
                if kept is not None:
                    kept.append(array)
                try:
                    yield schema, array
                finally:
                    if kept is None:
                        _arrow.released(array)
        finally:
            if schema is not None:
                _arrow.released(schema)
            _arrow.released(stream)
        self._warn()

    def __iter__(self) -> "Iterator[Dict[str, Any]]":
        """The rows, each as a dict by the names of columns; None where there is no value."""
        names = [column.name for column in self.columns]
        for schema, array in self._batches():
            columns = [_arrow.values_of(schema.children[i].contents, array.children[i].contents)
                       for i in range(len(names))]
            for row in zip(*columns):
                yield dict(zip(names, row))

    def to_numpy(self) -> "Dict[str, Any]":
        """A numpy array for each column, by its name: of 64 bits where it is of numbers, datetime64[ns] where it is of
        times, of objects else. Numbers of which some are null are masked arrays."""
        from ._numpy import arrays_of
        return arrays_of(self)

    def to_pandas(self) -> "Any":
        """A pandas.DataFrame, by time where the table has a column `time`."""
        from ._pandas import frame_of
        return frame_of(self)

    def __arrow_c_stream__(self, requested_schema: "Optional[object]" = None) -> object:
        """The Arrow PyCapsule interface, by which polars, DuckDB and pyarrow take the table without a copy."""
        return _arrow.capsule_of(self._stream())

    def __arrow_c_schema__(self) -> object:
        stream = self._stream()
        try:
            return _arrow.capsule_of(self._schema(stream))
        finally:
            _arrow.released(stream)

    def head(self, rows: int = 10) -> "List[Dict[str, Any]]":
        """The first rows."""
        return [row for _, row in zip(range(rows), self)]

    def __repr__(self) -> str:
        return f"<evtrace.Table {self.name}: {', '.join(column.name for column in self.columns)}>"

    def _repr_html_(self) -> str:
        """The first rows, for notebooks. Text of the trace is escaped."""
        cells = lambda kind, values: "".join(f"<{kind}>{html.escape(value)}</{kind}>" for value in values)
        rows = "".join(f"<tr>{cells('td', map(_shown, row.values(), self.columns))}</tr>" for row in self.head())
        head = cells("th", (column.name for column in self.columns))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
