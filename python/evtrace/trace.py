"""Traces, and what they state of themselves."""
import ctypes
import datetime
import os
import uuid
import warnings
from functools import partial
from itertools import repeat
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Union

from . import _arrow
from ._library import (NONE, _Error, _Field, _OpenOptions, _Range, _Rows, _Session, _Stream, _TableOptions, _Type, encoded,
                       filled, library)
from .stats import Stats
from .table import EvtraceWarning, Table, Time, _range

_ROWS = 4096  # that are read at a time


class Session(NamedTuple):
    """One run of one program. `number` is its place in the trace, `key` what tables have in their column `session`."""
    number: int
    key: int
    uuid: uuid.UUID
    program: str
    pid: int
    host: str
    writer: str
    start: datetime.datetime
    events: int
    lost: int
    missing: int
    closed: bool
    end: str  # closed, continued, living, killed, truncated or unknown


class Stream(NamedTuple):
    """A sequence of events, as a rule of one thread."""
    session: int
    id: int
    name: str
    thread: int
    events: int
    lost: int
    missing: int


class Event(NamedTuple):
    """`ns` since the session's start; `type` is None where the trace does not declare it."""
    ns: int
    session: int
    stream: str
    type: Optional[str]
    fields: Dict[str, Any]


class Events:
    """The events of a trace, of all types, in order of time: an iterable of Event. Each iteration reads them anew."""

    def __init__(self, trace: "Trace", limits: _Range):
        self._trace = trace
        self._range = limits

    def _open(self) -> int:
        error = _Error()
        handle = library.evtr_events_open_1(self._trace._handle(), ctypes.byref(self._range), ctypes.sizeof(_Range),
                                            ctypes.byref(error))
        if not handle:
            error.raise_it()
        return handle

    def _check(self, handle: int) -> None:
        error = _Error()
        if library.evtr_events_error(handle, ctypes.byref(error)) and error.code in (2, 3):  # the system, or memory
            error.raise_it()
        self._trace._warn()

    def __iter__(self) -> Iterator[Event]:
        handle, rows = self._open(), _Rows()
        names: "Dict[int, _Names]" = {}
        try:
            while library.evtr_next_rows_1(handle, _ROWS, ctypes.byref(rows), ctypes.sizeof(rows)):
                if rows.session not in names:
                    names[rows.session] = _Names.of(self._trace, rows.session)
                yield from _events_of(rows, names[rows.session])
            self._check(handle)
        finally:
            library.evtr_events_close(handle)

    def to_numpy(self) -> "Dict[str, Any]":
        """Arrays of numpy: `ns` (int64, since the session's start), and the places of session, stream and type
        (uint32) in sessions, in the session's streams and in its types; 0xFFFFFFFF: of a type that is not declared."""
        from ._numpy import arrays_of_events
        return arrays_of_events(self)


class _Names(NamedTuple):
    """Of the streams and types of a session, and of the fields of its types, by their places."""
    streams: List[str]
    types: Dict[int, Optional[str]]
    fields: Dict[int, List[str]]

    @classmethod
    def of(cls, trace: "Trace", session: int) -> "_Names":
        return cls([stream.name for stream in trace._streams(session)], *trace._types(session))


def _events_of(rows: _Rows, names: _Names) -> Iterator[Event]:
    """Made by functions of C alone, as a step of Python for each event would take longer than to read it."""
    numbers = lambda kind, address: (kind * rows.size).from_address(address)[:]
    types = numbers(ctypes.c_uint32, rows.types)
    fields: Dict[int, Iterator[Dict[str, Any]]] = {}
    for i in range(rows.table_count):
        schema = _arrow.Schema.from_address(rows.schemas[i])
        array = _arrow.Array.from_address(rows.arrays[i])
        columns = [_arrow.values_of(schema.children[c].contents, array.children[c].contents)
                   for c in range(schema.n_children)]
        fields[rows.table_types[i]] = map(dict, map(zip, repeat(names.fields[rows.table_types[i]]), zip(*columns)))
    for without in set(types) - set(fields):
        fields[without] = iter(dict, None)
    cells = zip(numbers(ctypes.c_int64, rows.ns), repeat(rows.session),
                map(names.streams.__getitem__, numbers(ctypes.c_uint32, rows.streams)),
                map(names.types.__getitem__, types), map(next, map(fields.__getitem__, types)))
    return map(partial(tuple.__new__, Event), cells)


class Trace:
    """One or several traces, read by one thread at a time. close() it, or use it in a `with` statement.

    What is wrong with it is a warning (EvtraceWarning) when it becomes known, and in `problems`.
    """

    def __init__(self, handle: int):
        self._open = handle
        self._warned = 0
        self._warn()

    def _handle(self) -> int:
        if not self._open:
            raise ValueError("the trace is closed")
        return self._open

    def close(self) -> None:
        """Tables of it cannot be read any more; what was read stays."""
        library.evtr_close(self._open)
        self._open = None

    def __enter__(self) -> "Trace":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_open", None):
            self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a Trace cannot be copied or pickled: open its path again")

    @property
    def problems(self) -> List[str]:
        """What cannot be read, as far as it is known by now: a sentence each."""
        sentences, error = [], _Error()
        while library.evtr_problem(self._handle(), len(sentences), ctypes.byref(error)):
            sentences.append(error.message.decode("utf-8", "replace"))
        return sentences

    def _warn(self) -> None:
        problems = self.problems
        if len(problems) <= self._warned:
            return
        more = f" (and {len(problems) - 1} more, see problems)" if len(problems) > 1 else ""
        self._warned = len(problems)
        warnings.warn(f"the trace is not whole: {problems[0]}{more}", EvtraceWarning, stacklevel=3)

    @property
    def sessions(self) -> List[Session]:
        """All sessions, in the order of the paths and of the files."""
        all_of = []
        for i in range(library.evtr_session_count(self._handle())):
            s = filled(library.evtr_session_at_1, _Session, self._handle(), i)
            start = datetime.datetime.fromtimestamp(0, datetime.timezone.utc) + datetime.timedelta(
                microseconds=s.start_utc_ns // 1000)
            all_of.append(Session(i, s.key, uuid.UUID(bytes=bytes(s.uuid)), str(s.program), s.pid, str(s.host),
                                  str(s.writer), start, s.events, s.lost, s.missing, bool(s.closed), str(s.end)))
        return all_of

    def _streams(self, session: int) -> List[Stream]:
        all_of: List[Stream] = []
        while (s := filled(library.evtr_stream_at_1, _Stream, self._handle(), session, len(all_of))) is not None:
            all_of.append(Stream(session, s.id, str(s.name), s.thread, s.events, s.lost, s.missing))
        return all_of

    @property
    def streams(self) -> List[Stream]:
        """The streams of all sessions, session by session."""
        count = library.evtr_session_count(self._handle())
        return [stream for session in range(count) for stream in self._streams(session)]

    def _types(self, session: int) -> "tuple[Dict[int, Optional[str]], Dict[int, List[str]]]":
        """The names of types, and those of their fields, by the places of types; None: it is not declared."""
        types: Dict[int, Optional[str]] = {}
        fields: Dict[int, List[str]] = {}
        while (found := filled(library.evtr_type_at_1, _Type, self._handle(), session, len(types))) is not None:
            fields[len(types)] = [
                str(filled(library.evtr_field_at_1, _Field, self._handle(), session, len(types), i).name)
                for i in range(found.field_count)]
            types[len(types)] = str(found.name)
        types[NONE] = None
        return types, fields

    @property
    def tables(self) -> List[str]:
        """Names of all tables: those of docs/TABLES.md first, then one for each type of event."""
        count = library.evtr_table_count(self._handle())
        return [str(library.evtr_table_name(self._handle(), i)) for i in range(count)]

    def table(self, name: str, start: Time = None, end: Time = None) -> Table:
        """A table by its name, of a range of time: ns since a session's start, a timedelta, or text such as 1.5s."""
        options = _TableOptions(_range(start, end), 0, 0)

        def open_stream(stream: Any, error: _Error) -> int:
            return library.evtr_table_1(self._handle(), encoded(name), ctypes.byref(options), ctypes.sizeof(options),
                                        ctypes.byref(stream), ctypes.byref(error))

        return Table(name, open_stream, self._warn)

    @property
    def stats(self) -> Stats:
        """What `evt stats` computes, as tables: `trace.stats.cpu(by="cpu,thread")`."""
        return Stats(self)

    def events(self, name: Optional[str] = None, start: Time = None, end: Time = None) -> "Union[Table, Events]":
        """The events of one type, as a table; without a name all of them, one by one."""
        if name is None:
            return Events(self, _range(start, end))
        return self.table(name, start, end)

    @property
    def spans(self) -> Table:
        """Spans and calls, with what is around them and their own time."""
        return self.table("spans")

    @property
    def thread_states(self) -> Table:
        """What each thread did, from when to when."""
        return self.table("thread_states")

    @property
    def counters(self) -> Table:
        """Values of counters."""
        return self.table("counters")

    @property
    def marks(self) -> Table:
        """Moments that the program marked."""
        return self.table("marks")

    @property
    def collections(self) -> Table:
        """Collections of garbage."""
        return self.table("collections")

    @property
    def async_spans(self) -> Table:
        """Asynchronous spans, which may end on another stream."""
        return self.table("async_spans")

    @property
    def samples(self) -> Table:
        """Samples of stacks: of processor time, and of long waits."""
        return self.table("samples")

    @property
    def stacks(self) -> Table:
        """Stacks that samples refer to, a row for each frame."""
        return self.table("stacks")

    @property
    def frames(self) -> Table:
        """Frames of the stacks that samples state."""
        return self.table("frames")

    @property
    def lost(self) -> Table:
        """Events that were lost, and rows that are missing."""
        return self.table("lost")

    @property
    def types(self) -> Table:
        """The types of events that sessions declare."""
        return self.table("types")

    def __repr__(self) -> str:
        if not self._open:
            return "<evtrace.Trace, closed>"
        return f"<evtrace.Trace: {', '.join(session.program or 'a session' for session in self.sessions)}>"

    def _repr_html_(self) -> str:
        """What `evt stats` prints."""
        return self.stats.report("summary")._repr_html_()


Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


def open(paths: "Union[Path, Sequence[Path]]", *, segments: bool = False, rings: bool = True,
         strict: bool = False) -> Trace:
    """Opens a trace, or several as one. `segments`: they are segments of one session. `rings`: what the shared memory of
    programs that were killed, or still run, has is read too. `strict`: damage and a missing end are an Error. A session
    that was not closed is none where its ring has the rest: ask `session.closed`."""
    names = [paths] if isinstance(paths, (str, bytes, os.PathLike)) else list(paths)
    all_paths = (ctypes.c_char_p * len(names))(*(encoded(os.fsdecode(name)) for name in names))
    options, error = _OpenOptions(segments, not rings, strict), _Error()
    handle = library.evtr_open_1(all_paths, len(names), ctypes.byref(options), ctypes.sizeof(options), ctypes.byref(error))
    if not handle:
        error.raise_it()
    return Trace(handle)
