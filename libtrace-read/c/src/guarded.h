// Calls from C: no exception leaves, and errors are in the caller's structure.
#pragma once

#include <evt/reader.h>
#include <evt/status.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>

namespace evt::reader {

inline void set_error(evtr_error* error, int code, std::string_view message) {
  if (error == nullptr) return;
  error->code = code;
  const std::size_t size = std::min(message.size(), sizeof error->message - 1);
  std::memcpy(error->message, message.data(), size);
  error->message[size] = '\0';
}

inline void set_error(evtr_error* error, const Status& status) {
  set_error(error, static_cast<int>(status.code()), status.message());
}

// Returns the result of call(); `failed`, without memory for it.
template <typename Made, typename Call>
Made guarded(evtr_error* error, Made failed, Call call) {
  set_error(error, EVT_OK, "");
  try {
    return call();
  } catch (const std::bad_alloc&) {
    set_error(error, EVT_CODE_MEMORY, "there is no memory for this");
    return failed;
  } catch (const std::exception& thrown) {
    set_error(error, EVT_CODE_INVALID, thrown.what());
    return failed;
  }
}

// Copies the part of a structure that both the library and the program know.
template <typename Structure>
void hand_out(const Structure& made, Structure* to, std::size_t size) {
  std::memset(static_cast<void*>(to), 0, size);
  std::memcpy(static_cast<void*>(to), &made, std::min(size, sizeof made));
}

// The program's structure; zero where it gives none, or knows less.
template <typename Structure>
Structure given(const Structure* from, std::size_t size) {
  Structure taken;
  std::memset(static_cast<void*>(&taken), 0, sizeof taken);
  if (from != nullptr) std::memcpy(static_cast<void*>(&taken), from, std::min(size, sizeof taken));
  return taken;
}

}  // namespace evt::reader
