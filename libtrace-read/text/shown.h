// Names, numbers and times of a trace as a person sees them.
#pragma once

#include <evt/trace.h>

#include <string>

namespace evt {

// A name as people see it: quoted if it is empty, holds anything but plain characters, or looks like one of the
// reader's own words: !lost, type#5, #1.
std::string shown(const std::string& name);
// The program of a session as people see it, also where it has no name.
std::string shown_program(const Session& session);
// 01234567-89ab-cdef-0123-456789abcdef
std::string uuid_text(const Session::Uuid& uuid);
// The version of the session's format: 1.0, or what a draft of it is called.
std::string format_text(const Session& session);
// 2026-11-21 22:48:09.123456789 UTC
std::string utc_text(std::int64_t utc_ns);

// The stream's name, or #id where it has none; a type's as people see it.
std::string shown_stream(const StreamInfo& stream);
std::string shown_type(const Event& event);
// The place of a session, or of an event's, in its trace.
std::size_t session_index(const Trace& trace, const Session& session);
std::size_t session_index(const Trace& trace, const Event& event);

}  // namespace evt
