// A session of the writer's that comes out the same each time it is recorded.
#pragma once

#include <evt/compact.h>
#include <evt/emit.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace evt::testing {

// Closed when it goes. Times are counted from the session's start.
class V1Session {
 public:
  struct How {
    std::uint8_t number = 0;  // the first byte of its uuid
    std::uint64_t hz = 1'000'000'000;
    bool ring = false;
    std::uint64_t ring_size = 0;
    bool columns = false;
    bool append = false;
    std::uint32_t buffer = 0;
    bool real_clock = false;
  };

  V1Session(const std::string& path, const How& how) {
    evt_session_info info = {};
    info.program = "archive";
    info.writer = "evtrace " EVT_VERSION;
    info.start_utc_ns = 1767225600'000'000'000;
    info.exact = 1;
    for (unsigned i = 0; i < sizeof info.uuid; ++i) info.uuid[i] = static_cast<std::uint8_t>(0x10 + i);
    info.uuid[0] = how.number;
    info.uuid[15] = static_cast<std::uint8_t>(0x1f + how.number);
    info.uuid[6] = 0x46;
    info.uuid[8] = 0x88;
    evt_clock clock = {};
    clock.hz = how.hz;
    clock.start_ticks = start();
    evt_options options = {};
    options.session = &info;
    if (!how.real_clock) options.clock = &clock;
    options.flush_inline = how.ring ? 0 : 1;
    options.buffer_size = how.buffer;
    options.ring_size = how.ring_size;
    options.append = how.append ? 1 : 0;
    if (how.columns) options.compact = evt_columns();
    evt_error error;
    writer_ = evt_open(path.c_str(), &options, &error);
    if (error.code != EVT_OK) throw std::runtime_error(error.message);
  }
  ~V1Session() { evt_close(writer_, nullptr); }
  V1Session(const V1Session&) = delete;
  V1Session& operator=(const V1Session&) = delete;

  evt_writer* writer() const { return writer_; }
  static std::uint64_t start() { return std::uint64_t{1} << 40; }

  evt_stream* stream(const char* name) { return evt_stream_open(writer_, name); }
  const evt_type* declare(const char* name, const std::vector<evt_field>& fields, std::uint32_t number = 0) {
    evt_event_type type = {};
    type.name = name;
    type.number = number;
    type.fields = fields.data();
    type.field_count = static_cast<std::uint32_t>(fields.size());
    evt_error error;
    const evt_type* const declared = evt_declare(writer_, &type, &error);
    if (error.code != EVT_OK) throw std::runtime_error(error.message);
    return declared;
  }
  // An event `tick n=...` so many ticks after the start.
  void tick(evt_stream* stream, std::uint64_t ticks, std::uint64_t n) {
    if (tick_ == nullptr) tick_ = declare("tick", {EVT_FIELD_U64("n")});
    evt_row row = evt_begin_at(stream, tick_, start() + ticks);
    evt_u64(&row, n);
    evt_commit(&row);
  }

 private:
  evt_writer* writer_ = nullptr;
  const evt_type* tick_ = nullptr;
};

}  // namespace evt::testing
