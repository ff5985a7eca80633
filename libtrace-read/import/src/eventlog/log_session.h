// What a log records of its program -> the metadata of a session.
#pragma once

#include "libtrace-read/edit/src/session_maker.h"
#include "log_scan.h"

namespace evt::eventlog {

// The same log always makes the same session.
Session::Uuid uuid_of(ByteSource& log, const Dictionary& types);

// SESSION, CLOCK, TYPES, STREAMS.
void add_metadata(const Session::Uuid& uuid, const Dictionary& types, const LogScan& scan, SessionMaker* out);

}  // namespace evt::eventlog
