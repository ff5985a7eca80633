#include "error_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

namespace evt {

void set_error(evt_error* error, int code, const char* format, ...) {
  if (error == nullptr) return;
  error->code = code;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
}

void add_notice(evt_error* notice, const char* format, ...) {
  if (notice == nullptr) return;
  notice->code = EVT_OK;
  std::size_t length = strlen(notice->message);
  if (length > 0)
    length += static_cast<std::size_t>(snprintf(notice->message + length, sizeof notice->message - length, "; "));
  if (length >= sizeof notice->message) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(notice->message + length, sizeof notice->message - length, format, arguments);
  va_end(arguments);
}

void show_path(const char* path, char* shown, std::size_t size) {
  const std::size_t length = strlen(path);
  const bool fits = length < size;
  snprintf(shown, size, "%s%s", fits ? "" : "...", fits ? path : path + length - (size - 4));
}

}  // namespace evt
