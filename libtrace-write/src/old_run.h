// What an earlier run, or another one that still goes on, has left where a session is to be opened.
#pragma once

#include <evt/evt.h>

#include <cstddef>

namespace evt {

// Makes way for a session at `path`, where there is a file. An unfinished trace of a dead writer gets what its ring
// still holds and, if it is to be replaced, is renamed, app.evt to app.<start>.evt; that of a living writer stays, and
// `path` becomes app.<pid>.evt. `said` gets a sentence about either, with code EVT_OK. All else is unlinked, or
// appended to. False, with `said` the reason, if the path cannot be had.
bool make_way(char* path, std::size_t size, bool append, evt_error* said);

// Rings of this user whose writers are dead, beyond a few: what they hold goes into their traces, oldest first, and
// they are removed.
void tidy_rings();

// `pattern` with %p as this process's number, %t as the time now, %% as a per cent sign; false when it does not fit.
bool expand_path(const char* pattern, char* path, std::size_t size);

}  // namespace evt
