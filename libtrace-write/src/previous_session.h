// Traces that an earlier run, or another one that is still running, left at the path of a new session.
#pragma once

#include <evt/evt.h>

#include <cstddef>

#include "file_id.h"
#include "put_aside.h"

namespace evt {

// The result for the file at a path.
enum class Way {
  kFree,      // nothing is there any more, or the file there is in use, and the path is another one
  kOfParent,  // like kFree, and in use by a program that started this one
  kStays,     // it is to be appended to
  kChanged,   // another file appeared there meanwhile
  kNone,      // the path cannot be used
};

// Makes way for a session at `path`, where the regular file `found` was found. An unfinished trace of a dead writer
// gets what its ring still holds and, if it is to be replaced, is renamed, app.evt to app.<start>.evt; that of a living
// writer stays, and `path` becomes app.<pid>.evt. `notice` gets a sentence about either, with code EVT_OK. Anything
// else is put aside, or appended to. If the path cannot be used, `notice` is the reason.
Way displace_existing(char* path, std::size_t size, bool append, const FileId& found, PutAside& aside,
                      evt_error* notice);

}  // namespace evt
