"""Rows of a trace as a table."""
import ctypes
import html
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from . import _arrow
from ._library import Error, _Error, _TableOptions, library


class Column(NamedTuple):
    """Of a table. `kind` is Arrow's format, as docs/TABLES.md has it in words."""
    name: str
    kind: str
    unit: str
    description: str


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

    def __init__(self, trace: "Any", name: str, options: _TableOptions):
        self.name = name
        self._trace = trace
        self._options = options
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
        if not library.evtr_table_1(self._trace._handle(), self.name.encode(), ctypes.byref(self._options),
                                    ctypes.sizeof(self._options), ctypes.byref(stream), ctypes.byref(error)):
            error.raise_it()
        return stream

    @staticmethod
    def _schema(stream: _arrow.Stream) -> _arrow.Schema:
        schema = _arrow.Schema()
        if stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)):
            raise MemoryError
        return schema

    def _batches(self) -> "Iterator[Tuple[_arrow.Schema, _arrow.Array]]":
        """Each holds until the next."""
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
                try:
                    yield schema, array
                finally:
                    _arrow.released(array)
        finally:
            if schema is not None:
                _arrow.released(schema)
            _arrow.released(stream)
        self._trace._warn()

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
        cells = lambda kind, values: "".join(f"<{kind}>{html.escape(str(value))}</{kind}>" for value in values)
        rows = "".join(f"<tr>{cells('td', row.values())}</tr>" for row in self.head())
        head = cells("th", (column.name for column in self.columns))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
