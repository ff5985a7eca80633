#!/usr/bin/python3
"""The events of a CTF trace as libbabeltrace2 reads them, an object of JSON in a line; then what it reports as discarded.

usage: ctf_events.py FOLDER

Numbers of enumerations come with their labels, [number, labels...]; bytes as they are in sequences. Needs Debian's python3-bt2, and so its
Python.
"""
import json
import os
import sys

import bt2


def plain(field):
    if isinstance(field, bt2._StructureFieldConst):
        return {name: plain(member) for name, member in field.items()}
    if isinstance(field, bt2._ArrayFieldConst):
        return [plain(element) for element in field]
    if isinstance(field, bt2._EnumerationFieldConst):
        # Its own `labels` fail for some values without one.
        fits = [mapping.label for mapping in field.cls.values() if any(one.contains(int(field)) for one in mapping.ranges)]
        return [int(field), *fits]
    if isinstance(field, bt2._RealFieldConst):
        return repr(float(field))
    if isinstance(field, bt2._StringFieldConst):
        return str(field)
    return int(field)


def main():
    for message in bt2.TraceCollectionMessageIterator(sys.argv[1]):
        stream = None
        if isinstance(message, bt2._EventMessageConst):
            event, stream = message.event, message.event.stream
            found = {"ns": message.default_clock_snapshot.ns_from_origin, "event": event.name, "fields": plain(event.payload_field) if event.payload_field is not None else {}}
            if event.packet.context_field is not None and "cpu_id" in event.packet.context_field:
                found["cpu"] = int(event.packet.context_field["cpu_id"])
        elif isinstance(message, bt2._DiscardedEventsMessageConst):
            stream = message.stream
            found = {"discarded": message.count, "from": message.beginning_default_clock_snapshot.ns_from_origin,
                     "ns": message.end_default_clock_snapshot.ns_from_origin}
        if stream is not None:
            file = os.path.basename(stream.name)
            found["stream"] = str(stream.trace.environment.get(file, file)) if "cpu" not in found else ""
            session = os.path.basename(os.path.dirname(stream.name))
            found["session"] = int(session[len("session_"):]) if session.startswith("session_") else 0
            found["start"] = int(stream.trace.environment.get("session_start", 0))
            print(json.dumps(found))


if __name__ == "__main__":
    main()
