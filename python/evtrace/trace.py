"""Traces, and what they state of themselves."""
import ctypes
import datetime
import json
import os
import re
import uuid
import warnings
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Union

from ._library import (NONE, Error, _Error, _Event, _Field, _OpenOptions, _Range, _Session, _Stream, _TableOptions, _Type,
                       _Value, filled, library)
from .table import Table

Time = Union[None, int, str, datetime.timedelta]

_UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "": 10**9}


class EvtraceWarning(UserWarning):
    """A trace is not whole: events were lost, or cannot be read."""


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


def _ns(time: Time) -> Optional[int]:
    if time is None or isinstance(time, int):
        return time
    if isinstance(time, datetime.timedelta):
        return (time.days * 86400 + time.seconds) * 10**9 + time.microseconds * 1000
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
    return _Range(from_ns or 0, to_ns or 0, from_ns is not None, to_ns is not None)


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
        trace = self._trace
        handle = self._open()
        event, value = _Event(), _Value()
        size, value_size = ctypes.sizeof(event), ctypes.sizeof(value)
        fields_of: Dict[tuple, Any] = {}
        streams: Dict[tuple, str] = {}
        try:
            while library.evtr_next_1(handle, ctypes.byref(event), size):
                key = (event.session, event.type)
                if key not in fields_of:
                    fields_of[key] = trace._type(*key)
                name, fields = fields_of[key]
                where = (event.session, event.stream)
                if where not in streams:
                    streams[where] = str(filled(library.evtr_stream_at_1, _Stream, trace._handle(), *where).name)
                values = {}
                for i, field in enumerate(fields):
                    library.evtr_value_at_1(handle, i, ctypes.byref(value), value_size)
                    values[field] = _python_value(value)
                yield Event(event.ns, event.session, streams[where], name, values)
            self._check(handle)
        finally:
            library.evtr_events_close(handle)

    def to_numpy(self) -> "Dict[str, Any]":
        """Arrays of numpy: `ns` (int64, since the session's start), and the places of session, stream and type
        (uint32) in sessions, in the session's streams and in its types; 0xFFFFFFFF: of a type that is not declared."""
        from ._numpy import arrays_of_events
        return arrays_of_events(self)


def _python_value(value: _Value) -> Any:
    kind = value.kind
    if kind == 1:
        return value.value.signed_number
    if kind == 2:
        return value.value.number
    if kind == 3:
        return value.value.float_number
    if kind == 4:
        return value.value.number != 0
    if kind == 5:
        return str(value.text)
    if kind == 6:
        return bytes(value.text)
    return json.loads(str(value.text)) if kind == 7 else None


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
        all_of = []
        for i in range(library.evtr_session_count(self._handle())):
            s = filled(library.evtr_session_at_1, _Session, self._handle(), i)
            start = datetime.datetime.fromtimestamp(0, datetime.timezone.utc) + datetime.timedelta(
                microseconds=s.start_utc_ns // 1000)
            all_of.append(Session(i, s.key, uuid.UUID(bytes=bytes(s.uuid)), str(s.program), s.pid, str(s.host),
                                  str(s.writer), start, s.events, s.lost, s.missing, bool(s.closed)))
        return all_of

    @property
    def streams(self) -> List[Stream]:
        all_of = []
        for session in range(library.evtr_session_count(self._handle())):
            place = 0
            while (s := filled(library.evtr_stream_at_1, _Stream, self._handle(), session, place)) is not None:
                all_of.append(Stream(session, s.id, str(s.name), s.thread, s.events, s.lost, s.missing))
                place += 1
        return all_of

    def _type(self, session: int, type_place: int) -> "tuple[Optional[str], List[str]]":
        found = filled(library.evtr_type_at_1, _Type, self._handle(), session, type_place) if type_place != NONE else None
        if found is None:
            return None, []
        fields = [str(filled(library.evtr_field_at_1, _Field, self._handle(), session, type_place, i).name)
                  for i in range(found.field_count)]
        return str(found.name), fields

    @property
    def tables(self) -> List[str]:
        """Names of all tables: those of docs/TABLES.md first, then one for each type of event."""
        count = library.evtr_table_count(self._handle())
        return [str(library.evtr_table_name(self._handle(), i)) for i in range(count)]

    def table(self, name: str, start: Time = None, end: Time = None) -> Table:
        """A table by its name, of a range of time: ns since a session's start, a timedelta, or text such as 1.5s."""
        return Table(self, name, _TableOptions(_range(start, end), 0, 0))

    def events(self, name: Optional[str] = None, start: Time = None, end: Time = None) -> "Union[Table, Events]":
        """The events of one type, as a table; without a name all of them, one by one."""
        if name is None:
            return Events(self, _range(start, end))
        return self.table(name, start, end)

    @property
    def spans(self) -> Table:
        return self.table("spans")

    @property
    def thread_states(self) -> Table:
        return self.table("thread_states")

    @property
    def counters(self) -> Table:
        return self.table("counters")

    @property
    def marks(self) -> Table:
        return self.table("marks")

    @property
    def lost(self) -> Table:
        return self.table("lost")

    @property
    def types(self) -> Table:
        return self.table("types")

    def __repr__(self) -> str:
        if not self._open:
            return "<evtrace.Trace, closed>"
        return f"<evtrace.Trace: {', '.join(session.program or 'a session' for session in self.sessions)}>"

    def _repr_html_(self) -> str:
        return self.table("sessions")._repr_html_() + self.table("streams")._repr_html_()


Path = Union[str, "os.PathLike[str]"]


def open(paths: "Union[Path, Sequence[Path]]", *, segments: bool = False, rings: bool = True,
         strict: bool = False) -> Trace:
    """Opens a trace, or several as one. `segments`: they are segments of one session. `rings`: what the shared memory of
    programs that were killed, or still run, has is read too. `strict`: what is not whole is an Error."""
    names = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    encoded = (ctypes.c_char_p * len(names))(*(os.fsencode(name) for name in names))
    options, error = _OpenOptions(segments, not rings, strict), _Error()
    handle = library.evtr_open_1(encoded, len(names), ctypes.byref(options), ctypes.sizeof(options), ctypes.byref(error))
    if not handle:
        error.raise_it()
    return Trace(handle)
