// Names of files, given away and taken so that no other file loses its own: others may do the same in the same folder
// at the same time.
#pragma once

#include <cstddef>

#include "file_id.h"

namespace evt {

// `pattern` with %p as this process's number, %t as the time now, %% as a per cent sign; false when it does not fit.
bool expand_path(const char* pattern, char* path, std::size_t size);

// app.evt -> app.WORD.evt; false when it does not fit.
bool insert_word(const char* path, const char* word, char* out, std::size_t size);

// Never over another file: false, with EEXIST, where there is one.
bool rename_to_free(const char* from, const char* to);

}  // namespace evt
