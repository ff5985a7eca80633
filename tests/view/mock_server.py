#!/usr/bin/env python3
"""Serves the page of `evt view` with synthetic data over protocol v1.

usage: mock_server.py PAGE TRACE      prints the URL and serves until it is interrupted
"""
import bisect
import http.server
import inspect
import json
import re
import sys
import threading
import time
import urllib.parse

import synthetic

TOKEN = "0123456789abcdef0123456789abcdef"
STATISTICS = [{"name": "cpu", "title": "Cpus", "command": "evt stats cpu --by cpu,thread"}, {"name": "gc", "title": "Collections", "command": "evt stats gc"}]


def milliseconds(ns):
    return [f"{ns / 1e6:.3g} ms", str(ns)]


def rows_asked(text):
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, body, kind="application/json", status=200):
        self.send_response(status)
        policy = self.server.policy
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), "Content-Security-Policy": policy,
                            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}.items():
            self.send_header(name, value)
        try:
            self.end_headers()
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the page has aborted the request

    def stream(self, messages):
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for message in messages:
            self.wfile.write(message)

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path == "/":
            return self.send(self.server.page, "text/html; charset=utf-8")
        if not url.path.startswith("/v1/"):
            return self.send(b"", status=204 if url.path == "/favicon.ico" else 404)
        self.server.requests.append((url.path, query, self.server.trace.complete))
        if self.headers.get("X-Evt-Token") != TOKEN:
            return self.send(b"", status=401)
        answer = getattr(self, url.path[4:] + "_of")(query)
        if inspect.isgenerator(answer):
            return self.stream(answer)
        if isinstance(answer, bytes):
            return self.send(answer, "application/octet-stream")
        return self.send(json.dumps(answer).encode())

    def session(self, query):
        return self.server.trace.sessions[int(query["s"])]

    def trace_of(self, _):
        trace = self.server.trace
        sessions = [{"name": one.name, "from": str(one.begin), "to": str(one.end), "events": str(sum(len(row.events()) for row in one.contents.values())),
                     "lost": str(one.lost), "start_utc": "1700000000000000000", "files": one.files or [trace.title], "merged": one.merged, "notes": one.notes,
                     "warnings": one.warnings, "statistics": STATISTICS} for one in trace.sessions]
        for one in [] if trace.complete else sessions:
            one["until"], one["ahead"] = one["from"], ["cpus", "cpu", "thread", "span", "events"]
        return {"version": 1, "title": trace.title, **synthetic.WORDS, "sessions": sessions, "complete": trace.complete, "progress": trace.progress,
                "generation": trace.generation}

    def rows_of(self, query):
        session = self.session(query)
        return {"generation": self.server.trace.generation, "finest": session.finest, "rows": session.rows, "groups": session.groups, "names": session.names}

    def tiles_of(self, query):
        trace = self.server.trace
        return self.session(query).tile(int(query["l"]), int(query["i"]), list(rows_asked(query["r"])), trace.generation, not trace.complete)

    def stats_of(self, query):
        self.server.trace.await_answer()
        session, low, high = self.session(query), int(query["from"]), int(query["to"])
        if query["of"] != "cpu":
            return {"tables": session.tables}
        rows = []
        for row in session.rows:
            if row["kind"] == "cpu":
                parts = session.contents[row["id"]].parts(low, high)
                figures = [parts.get(0, 0), parts.get(1, 0), high - low - sum(parts.values())]
                rows.append([row["name"]] + [milliseconds(ns) for ns in figures])
        columns = [{"name": "cpu", "key": "cpu", "text": True}] + [{"name": name, "key": f"{name}_ns"} for name in ("running", "collecting", "idle")]
        return {"tables": [{"name": "cpu", "columns": columns, "rows": rows}]}

    def event_at(self, session, row, ns):
        times = session.contents[row].events()
        if ns not in times:
            return None
        of = session.rows[row - 1]
        _, stream, kind, text = session.event(of, times.index(ns), ns)
        return {"ns": str(ns), "stream": stream, "type": kind, "text": text,
                "fields": [{"name": "row", "value": of["name"]}, {"name": "number", "value": str(times.index(ns))}], "span": session.span_at(ns)}

    def event_of(self, query):
        self.server.trace.await_answer()
        session, row, ns = self.session(query), int(query["row"]), int(query["ns"])
        if session.rows[row - 1]["kind"] == "span":
            return {"event": session.span_of(row, ns, query["find"])}
        times = session.contents[row].events()
        at = {"next": bisect.bisect_right(times, ns), "previous": bisect.bisect_left(times, ns) - 1, "at": bisect.bisect_right(times, ns) - 1}[query["find"]]
        return {"event": self.event_at(session, row, times[at]) if 0 <= at < len(times) else None}

    def find_of(self, query):
        session = self.session(query)
        if "(" in query["q"]:
            return {"count": 0, "error": "a condition is open: ( has no )", "event": None}
        hits = self.hits(session, query["q"])
        if not hits:
            return {"count": 0, "error": None, "event": None}
        place = int(query["place"]) if "place" in query else next((n for n, (ns, _) in enumerate(hits) if ns > int(query["from"])), 0)
        ns, row = hits[place]
        return {"count": len(hits), "error": None, "place": place, "row": row, "event": self.event_at(session, row, ns)}

    def hits(self, session, text):
        return sorted((ns, row["id"]) for row in session.rows if text in row["name"] for ns in session.contents[row["id"]].events())

    def why_of(self, _):
        return {"causes": [], "path": [], "notes": ["not known"]}

    def matches_of(self, query):
        hits = [hit for hit in self.hits(self.session(query), query["q"]) if int(query["from"]) <= hit[0] <= int(query["to"])]
        return {"ns": [str(ns) for ns, _ in hits], "rows": [row for _, row in hits]}

    def events_of(self, query):
        events, at = self.session(query).events(), int(query["at"])
        before, after = int(query["before"]), int(query["after"])
        assert before <= 500 and after <= 500
        middle = bisect.bisect_left(events, (at,))
        first, last = max(0, middle - before), min(len(events), middle + after)
        rows = {row["name"]: row["id"] for row in self.session(query).rows}
        return {"events": [{"ns": str(ns), "stream": stream, "type": kind, "text": text, "row": rows.get(stream)} for ns, stream, kind, text in events[first:last]],
                "is_first": first == 0, "is_last": last == len(events)}

    def flows_of(self, query):
        self.server.trace.await_answer()
        low, high, limit = int(query["from"]), int(query["to"]), int(query["limit"])
        assert limit <= 10_000
        found = [one for one in self.session(query).flows if int(one["from"]) <= high and int(one["to"]) >= low
                 and ("row" not in query or int(query["row"]) in (one["from_row"], one["to_row"]))]
        return {"flows": found[:limit], "more": len(found) - len(found[:limit])}

    def progress_of(self, _):
        trace = self.server.trace
        for growth in range(trace.growths + 1):
            time.sleep(0.6 if growth else 0)
            trace.generation += growth > 0
            trace.complete |= growth > 0 and growth == trace.growths
            yield b"data: " + json.dumps({"generation": trace.generation, "progress": trace.progress, "complete": trace.complete}).encode() + b"\n\n"


class MockServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, page, trace):
        super().__init__(("127.0.0.1", 0), Handler)
        with open(page, "rb") as file:
            self.page = file.read()
        self.policy = re.search(rb'Security-Policy" content="([^"]*)"', self.page).group(1).decode() + "; frame-ancestors 'none'"
        self.trace, self.requests = trace, []
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):  # a page that is left ends its connections
            super().handle_error(request, client_address)

    def url(self, more=""):
        return f"http://127.0.0.1:{self.server_address[1]}/#k={TOKEN}{more}"

    def asked(self, path):
        return [query for one, query, _ in self.requests if one == path]

    def asked_too_early(self, path):
        """While the trace was still being read."""
        return [query for one, query, is_complete in self.requests if one == path and not is_complete]


def main(page, trace):
    server = MockServer(page, synthetic.TRACES[trace]())
    print(server.url(), flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except KeyboardInterrupt:
        pass
