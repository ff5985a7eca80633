// Where a trace goes: a path, the caller's descriptor, or the caller's function.
#pragma once

#include <evt/evt.h>

#include <cstddef>
#include <cstdint>

namespace evt {

void set_error(evt_error* error, int code, const char* format, ...) __attribute__((format(printf, 3, 4)));

// Not thread-safe: whoever holds the writer's lock uses it.
class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  bool open_path(const char* path, bool append, evt_error* error);
  void use_descriptor(int fd);
  void use_function(evt_sink function, void* context);

  // Writes all the bytes, or fails; then `error` names the reason, and on a regular file what had been written of them
  // is taken back, so that the file ends with a whole block.
  bool write(const void* bytes, std::size_t size, evt_error* error);
  bool close(evt_error* error);

 private:
  bool write_descriptor(const std::uint8_t* bytes, std::size_t size, int* reason);
  void learn_what_it_is();

  int fd_ = -1;
  bool owned_ = false;
  bool regular_ = false;
  evt_sink function_ = nullptr;
  void* context_ = nullptr;
  char name_[160] = "the sink";
};

}  // namespace evt
