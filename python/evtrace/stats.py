"""What evt stats computes, as tables."""
import ctypes
import html
import warnings
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Union

from ._library import Error, _Error, _ReportOptions, _WhyOptions, encoded, library
from .table import EvtraceWarning, Table, Time, _ns, _range

Names = Union[None, str, Sequence[str]]


class Report(Mapping[str, Table]):
    """Tables of one or several analyses by their names, such as "gc.pauses"; docs/TABLES.md has all of them. An analysis
    alone is its first table, and a table that no session of the trace has is one without rows.

    `notes` are sentences about what is doubtful or missing.
    """

    def __init__(self, handle: int):
        self._open = handle
        self.notes: List[str] = []
        while note := str(library.evtr_report_note(handle, len(self.notes))):
            self.notes.append(note)

    def __del__(self) -> None:
        if getattr(self, "_open", None):
            library.evtr_report_close(self._open)

    def __reduce__(self) -> Any:
        raise TypeError("a Report cannot be copied or pickled: ask the trace again")

    def __getitem__(self, name: str) -> Table:
        def open_stream(stream: Any, error: _Error) -> int:
            return library.evtr_report_table(self._open, encoded(name), ctypes.byref(stream), ctypes.byref(error))

        try:
            return Table(name, open_stream)
        except Error as error:
            raise KeyError(str(error)) from error

    def __iter__(self) -> Iterator[str]:
        return (str(library.evtr_report_table_name(self._open, i)) for i in range(len(self)))

    def __len__(self) -> int:
        return library.evtr_report_table_count(self._open)

    def __repr__(self) -> str:
        return f"<evtrace.Report: {', '.join(self)}>"

    def _repr_html_(self) -> str:
        return "".join(f"<h4>{html.escape(name)}</h4>{self[name]._repr_html_()}" for name in self)


def _texts(names: Names) -> "tuple[Optional[ctypes.Array], int]":
    if names is None:
        return None, 0
    all_of = [names] if isinstance(names, str) else list(names)
    return (ctypes.c_char_p * len(all_of))(*(encoded(name) for name in all_of)), len(all_of)


def _word(text: Optional[str]) -> Optional[bytes]:
    return encoded(text) if text is not None else None


def _warn(report: Report) -> None:
    for note in report.notes:
        warnings.warn(note, EvtraceWarning, stacklevel=4)


class Stats:
    """The analyses of `evt stats`. Each reads the trace once, as a table of all its sessions; `table` names another of its
    tables. What is doubtful is a warning (EvtraceWarning).

    `at`, `start` and `end` are times as events() takes them, in ns since a session's start, as text such as "1.5s", or
    timedeltas; with `every` a table has the rows of each stretch of so much time. The other options are those of
    `evt stats`.
    """

    def __init__(self, trace: Any):
        self._trace = trace

    def report(self, analyses: str, *, at: Time = None, start: Time = None, end: Time = None, by: Optional[str] = None,
               every: Time = None, model: Optional[str] = None, compare_models: bool = False, threads: Names = None,
               callers: Names = None, callees: Names = None, fold: bool = False, limits: Names = None,
               cost_ns: Optional[float] = None, subtract: bool = False, longest: int = 0,
               whole_session: bool = False, waiting: bool = False, from_event: Optional[str] = None,
               to_event: Optional[str] = None, key: Optional[str] = None) -> Report:
        """Several analyses in one reading of the trace: "cpu,gc". Its notes are no warnings."""
        if at is not None and (start is not None or end is not None):
            raise ValueError("at excludes start and end")
        if cost_ns is not None and not 0 <= cost_ns <= 1e9:
            raise ValueError(f"cost_ns: expected nanoseconds from 0 to 1e9, found {cost_ns}")
        if longest < 0:
            raise ValueError(f"longest: expected a number of spans, found {longest}")
        every_ns = _ns(every)
        if every_ns is not None and every_ns <= 0:
            raise ValueError(f"every: expected a time like 10ms, found {every}")
        options = _ReportOptions(
            range=_range(start, at if at is not None else end), by=_word(by), model=_word(model),
            every_ns=every_ns or 0, cost_ps=round((cost_ns or 0) * 1000), has_cost=cost_ns is not None,
            longest=longest, subtract=subtract, compare_models=compare_models, fold=fold, whole_session=whole_session, waiting=waiting,
            from_event=_word(from_event), to_event=_word(to_event), key=_word(key))
        options.threads, options.thread_count = _texts(threads)
        options.callers, options.caller_count = _texts(callers)
        options.callees, options.callee_count = _texts(callees)
        options.limits, options.limit_count = _texts(limits)
        error = _Error()
        handle = library.evtr_report_open_1(self._trace._handle(), encoded(analyses), ctypes.byref(options),
                                            ctypes.sizeof(options), ctypes.byref(error))
        if not handle:
            error.raise_it()
        self._trace._warn()
        return Report(handle)

    def _table(self, analysis: str, table: Optional[str], **options: Any) -> Table:
        report = self.report(analysis, **options)
        _warn(report)
        return report[f"{analysis}.{table}" if table else analysis]

    def why(self, name: Optional[str] = None, *, thread: Optional[str] = None, nth: Optional[int] = None,
            at: Time = None, percentile: Optional[float] = None, start: Time = None, end: Time = None) -> Table:
        """What the slowest span or call of this name or pattern waited for, as evt why has it; nth is the Nth slowest, at
        the one in progress then, percentile=50 one of median length. Without a name: all that the thread did. An Error
        if there is none."""
        options = _WhyOptions(range=_range(start, end), name=_word(name), thread=_word(thread), nth=nth or 0,
                              at_ns=_ns(at) or 0, has_at=at is not None, percentile=percentile or 0,
                              has_percentile=percentile is not None)
        if nth is not None and nth < 1:
            raise ValueError(f"nth: expected 1 or more, found {nth}")
        error = _Error()
        handle = library.evtr_why_open_1(self._trace._handle(), ctypes.byref(options), ctypes.sizeof(options),
                                         ctypes.byref(error))
        if not handle:
            error.raise_it()
        self._trace._warn()
        report = Report(handle)
        _warn(report)
        return report["why"]

    def overview(self, table: Optional[str] = None, **times: Any) -> Table:
        """The sessions, a row each; tables: load (over time), top (the row with the most of each analysis)."""
        return self._table("overview", table, **times)

    def summary(self, table: Optional[str] = None, **times: Any) -> Table:
        """The sessions, a row each; tables: types, streams, losses, clocks, parts."""
        return self._table("summary", table, **times)

    def cpu(self, *, by: Optional[str] = None, **times: Any) -> Table:
        """How long threads ran. by: thread, cpu, "thread,cpu" or "cpu,thread"."""
        return self._table("cpu", None, by=by, **times)

    def threads(self, table: Optional[str] = None, *, by: Optional[str] = None, **times: Any) -> Table:
        """The life of each thread; tables: waiting, wakers, collectors. by: process, whose table is processes."""
        return self._table("threads", table or ("processes" if by else None), by=by, **times)

    def latency(self, table: Optional[str] = None, *, from_event: Optional[str] = None,
                to_event: Optional[str] = None, key: Optional[str] = None, longest: int = 0, **times: Any) -> Table:
        """How long threads waited for a cpu, by thread; tables: cpus. With from_event and to_event, whose table is pairs:
        times from each such event to the next with the same key; longest lists the longest."""
        return self._table("latency", table or ("pairs" if from_event else None), from_event=from_event,
                           to_event=to_event, key=key, longest=longest, **times)

    def gc(self, table: Optional[str] = None, *, by: Optional[str] = None, longest: int = 0, **times: Any) -> Table:
        """Collecting garbage; tables: pauses, utilization, capabilities, sparks, and longest, with longest=N. by: reason,
        whose table is reasons."""
        return self._table("gc", table or ("reasons" if by else None), by=by, longest=longest, **times)

    def spans(self, table: Optional[str] = None, *, by: Optional[str] = None, longest: int = 0, subtract: bool = False,
              cost_ns: Optional[float] = None, **times: Any) -> Table:
        """Lengths of spans by name; tables: calls, open, extremes, and longest, with longest=N. by: thread."""
        return self._table("spans", table, by=by, longest=longest, subtract=subtract, cost_ns=cost_ns, **times)

    def calls(self, table: Optional[str] = None, *, by: Optional[str] = None, threads: Names = None,
              callers: Names = None, callees: Names = None, fold: bool = False, **times: Any) -> Table:
        """Time of spans and calls by name; tables: inside, callers, callees, folded. by: thread or pattern."""
        return self._table("calls", table or ("folded" if fold else None), by=by, threads=threads, callers=callers,
                           callees=callees, fold=fold, **times)

    def stacks(self, table: Optional[str] = None, *, by: Optional[str] = None, threads: Names = None,
               callers: Names = None, callees: Names = None, fold: bool = False, waiting: bool = False,
               **times: Any) -> Table:
        """Processor time by function, from samples, or with waiting=True the time of long waits; tables: sampled,
        callers, callees, folded. by: thread, pattern, module or line."""
        return self._table("stacks", table or ("folded" if fold else None), by=by, threads=threads, callers=callers,
                           callees=callees, fold=fold, waiting=waiting, **times)

    def counts(self, *, by: Optional[str] = None, **times: Any) -> Table:
        """Counted calls. by: function, caller or thread."""
        return self._table("counts", None, by=by, **times)

    def share(self, table: Optional[str] = None, *, model: Optional[str] = None, compare_models: bool = False,
              **times: Any) -> Table:
        """The wall time, divided among spans and calls; tables: time, threads, models, model_threads. model: running,
        existing or phase."""
        return self._table("share", table or ("models" if compare_models else None), model=model,
                           compare_models=compare_models, **times)

    def usage(self, table: Optional[str] = None, *, by: Optional[str] = None, limits: Names = None,
              subtract: bool = False, cost_ns: Optional[float] = None, **times: Any) -> Table:
        """Where the time went; tables: stops, resources, limits, threads, calls, objects, functions. by: function, object,
        thread, resource or "function,object", whose table it is; limits: "disk=100M/s"."""
        first = {"function": "functions", "object": "objects", "thread": "threads", "resource": "resources",
                 "function,object": "uses"}
        return self._table("usage", table or first.get(by or ""), by=by, limits=limits, subtract=subtract,
                           cost_ns=cost_ns, **times)

    def locks(self, table: Optional[str] = None, **times: Any) -> Table:
        """How long threads waited for locks and barriers, and who held them; table: holders."""
        return self._table("locks", table, **times)

    def stops(self, table: Optional[str] = "stops", **times: Any) -> Table:
        """When processes were stopped; tables: stopped, processes."""
        return self._table("stops", table, **times)

    def counters(self, **times: Any) -> Table:
        """Values of counters: least, mean, most, and how fast they grew."""
        return self._table("counters", None, **times)

    def heap(self, **times: Any) -> Table:
        """What occupied the heap, by a heap profile of GHC: least, mean, most and last bytes of each name."""
        return self._table("heap", None, **times)

    def overhead(self, table: Optional[str] = None, *, cost_ns: Optional[float] = None, **times: Any) -> Table:
        """What tracing itself took; tables: reasons, emitting."""
        return self._table("overhead", table, cost_ns=cost_ns, **times)

    def events(self, **times: Any) -> Table:
        """How many events of each type."""
        return self._table("events", None, **times)
