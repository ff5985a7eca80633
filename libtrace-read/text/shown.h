// Names, numbers and times of a trace for people.
#pragma once

#include <evt/trace.h>

#include <string>

namespace evt {

// A name for people: quoted if it is empty, contains anything but plain characters, or looks like one of the reader's
// own words: !lost, type#5, #1.
std::string shown(const std::string& name);
// The program of a session for people, even if it has no name.
std::string shown_program(const Session& session);
// 01234567-89ab-cdef-0123-456789abcdef
std::string uuid_text(const Session::Uuid& uuid);
// The version of the session's format, such as 1.0.
std::string format_text(const Session& session);
// 2026-11-21 22:48:09.123456789 UTC
std::string utc_text(std::int64_t utc_ns);

// The stream's name, or #id if it has none; a type's name for people.
std::string shown_stream(const StreamInfo& stream);
std::string shown_type(const Event& event);
// The index of a session, or of an event's session, in its trace.
std::size_t session_index(const Trace& trace, const Session& session);
std::size_t session_index(const Trace& trace, const Event& event);

}  // namespace evt
