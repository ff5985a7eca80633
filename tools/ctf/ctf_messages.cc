#include "ctf_messages.h"

#include <evt/evt_copy.h>
#include <fmt/core.h>

#include <algorithm>

namespace evt::ctf {
namespace {

// By the writer's clock, which has 0 where the first event is: far enough from its ends.
constexpr std::uint64_t kStartTicks = std::uint64_t{1} << 62;

const char* entry_text(const bt_trace* trace, const char* key) {
  const bt_value* const value = bt_trace_borrow_environment_entry_value_by_name_const(trace, key);
  return value != nullptr && bt_value_get_type(value) == BT_VALUE_TYPE_STRING ? bt_value_string_get(value) : "";
}

bool has_class(const bt_trace* trace, std::string_view wanted) {
  const bt_trace_class* const classes = bt_trace_borrow_class_const(trace);
  for (std::uint64_t i = 0; i < bt_trace_class_get_stream_class_count(classes); ++i) {
    const bt_stream_class* const streams = bt_trace_class_borrow_stream_class_by_index_const(classes, i);
    for (std::uint64_t j = 0; j < bt_stream_class_get_event_class_count(streams); ++j) {
      const char* const name = bt_event_class_get_name(bt_stream_class_borrow_event_class_by_index_const(streams, j));
      if (name != nullptr && wanted == name) return true;
    }
  }
  return false;
}

// Of its environment; 0 if it states none.
std::int64_t entry_number(const bt_trace* trace, const char* key) {
  const bt_value* const value = bt_trace_borrow_environment_entry_value_by_name_const(trace, key);
  if (value == nullptr) return 0;
  if (bt_value_get_type(value) == BT_VALUE_TYPE_SIGNED_INTEGER) return bt_value_integer_signed_get(value);
  if (bt_value_get_type(value) != BT_VALUE_TYPE_UNSIGNED_INTEGER) return 0;
  return static_cast<std::int64_t>(bt_value_integer_unsigned_get(value));
}

// evt convert wrote it.
bool is_own(const bt_trace* trace) {
  return trace != nullptr && entry_text(trace, "tracer_name") == std::string_view("evtrace");
}

std::string_view behind_slash(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

bool CtfMessages::open(std::int64_t start_utc_ns, const bt_trace* trace) {
  surroundings_.is_own = is_own(trace);
  if (surroundings_.is_own) start_utc_ns = entry_number(trace, "session_start");
  start_ns_ = start_utc_ns;
  evt_session_info info = {};
  const char* const program =
      trace != nullptr ? entry_text(trace, surroundings_.is_own ? "procname" : "tracer_name") : "";
  info.program = *program != '\0' || surroundings_.is_own ? program : "ctf";
  if (surroundings_.is_own) info.pid = static_cast<std::uint64_t>(entry_number(trace, "vpid"));
  info.host = trace != nullptr ? entry_text(trace, "hostname") : "";
  info.writer = "evtrace " EVT_VERSION;
  info.start_utc_ns = start_utc_ns;
  info.exact = 1;
  evt_clock clock = {};
  clock.hz = 1'000'000'000;
  clock.start_ticks = kStartTicks;
  evt_options options = {};
  options.session = &info;
  options.clock = &clock;
  options.flush_inline = 1;
  options.close_wait_ms = EVT_WAIT_FOR_EVER;
  evt_error error;
  surroundings_.writer = evt_open_fd(descriptor_, &options, &error);
  surroundings_.has_waking =
      trace != nullptr && (has_class(trace, "sched_waking") || has_class(trace, "sched:sched_waking"));
  if (surroundings_.writer == nullptr) error_ = error.message;
  return surroundings_.writer != nullptr;
}

std::uint64_t CtfMessages::ticks_of(std::int64_t ns) const {
  return kStartTicks + static_cast<std::uint64_t>(ns - start_ns_);
}

CtfMessages::Stream& CtfMessages::stream_of(const bt_stream* from) {
  Stream& stream = streams_[from];
  if (stream.stream != nullptr) return stream;
  const char* const given = bt_stream_get_name(from);
  const std::string file =
      given != nullptr ? std::string(behind_slash(given)) : fmt::format("stream {}", bt_stream_get_id(from));
  const bt_trace* const trace = bt_stream_borrow_trace_const(from);
  if (is_own(trace) && file.starts_with("stream_")) {
    stream.stream = own_stream(trace, file);
    return stream;
  }
  const char* const trace_name = bt_trace_get_name(trace);
  std::string name = file;
  if (trace_name != nullptr && *trace_name != '\0' && !is_own(trace)) {
    name = fmt::format("{}, {}", behind_slash(trace_name), file);
  }
  stream.stream = evt_stream_open(surroundings_.writer, name.c_str());
  return stream;
}

// Of the events of `stream_1` those that are earlier than others are in `stream_1_2` and so on.
evt_stream* CtfMessages::own_stream(const bt_trace* trace, const std::string& file) {
  const std::string first = file.substr(0, file.find('_', std::string_view("stream_").size()));
  evt_stream*& stream = own_streams_[{trace, first}];
  if (stream == nullptr) stream = evt_stream_open(surroundings_.writer, entry_text(trace, first.c_str()));
  return stream;
}

bool CtfMessages::take(const bt_message* message) {
  has_begun_ = true;
  switch (bt_message_get_type(message)) {
    case BT_MESSAGE_TYPE_EVENT:
      return take_event(message);
    case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
      return take_discarded(message);
    default:
      return true;
  }
}

bool CtfMessages::take_event(const bt_message* message) {
  const bt_event* const event = bt_message_event_borrow_event_const(message);
  const bt_clock_snapshot* const clock = bt_message_event_borrow_default_clock_snapshot_const(message);
  std::int64_t ns = 0;
  if (clock == nullptr ||
      bt_clock_snapshot_get_ns_from_origin(clock, &ns) != BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK) {
    ++without_time_;
    return true;
  }
  const bt_stream* const from = bt_event_borrow_stream_const(event);
  if (surroundings_.writer == nullptr && !open(ns, bt_stream_borrow_trace_const(from))) return false;
  Stream& stream = stream_of(from);
  stream.last_ns = ns;
  std::unique_ptr<EventLayout>& layout = layouts_[bt_event_borrow_class_const(event)];
  if (layout == nullptr) layout = std::make_unique<EventLayout>(surroundings_, event);
  if (!layout->error().empty()) {
    error_ = layout->error();
    return false;
  }
  layout->write(stream.stream, event, ticks_of(ns));
  return true;
}

bool CtfMessages::take_discarded(const bt_message* message) {
  const bt_stream* const from = bt_message_discarded_events_borrow_stream_const(message);
  std::uint64_t count = 0;
  if (bt_message_discarded_events_get_count(message, &count) != BT_PROPERTY_AVAILABILITY_AVAILABLE) {
    ++not_counted_;
    count = 1;
  }
  const bool has_times =
      bt_stream_class_discarded_events_have_default_clock_snapshots(bt_stream_borrow_class_const(from)) != BT_FALSE;
  std::int64_t first_ns = start_ns_;
  std::int64_t last_ns = start_ns_;
  if (has_times) {
    bt_clock_snapshot_get_ns_from_origin(
        bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message), &first_ns);
    bt_clock_snapshot_get_ns_from_origin(bt_message_discarded_events_borrow_end_default_clock_snapshot_const(message),
                                         &last_ns);
  }
  if (surroundings_.writer == nullptr && !open(first_ns, bt_stream_borrow_trace_const(from))) return false;
  Stream& stream = stream_of(from);
  if (!has_times) first_ns = last_ns = stream.last_ns != 0 ? stream.last_ns : start_ns_;
  evt_stream_lost(stream.stream, EVT_LOST_RING_FULL, count, ticks_of(first_ns), ticks_of(last_ns));
  return true;
}

bool CtfMessages::finish() {
  if (!error_.empty()) return false;
  if (surroundings_.writer == nullptr && !open(0, nullptr)) return false;
  evt_error error;
  if (evt_close(surroundings_.writer, &error) != EVT_OK) error_ = error.message;
  return error_.empty();
}

std::vector<std::string> CtfMessages::notes() const {
  std::vector<std::string> notes;
  if (without_time_ > 0) notes.push_back(fmt::format("{} events without a time are left out", without_time_));
  if (not_counted_ > 0) {
    notes.push_back(
        fmt::format("events were discarded {} times, and how many is not known: counted as one each", not_counted_));
  }
  if (surroundings_.cut_sequences > 0) {
    notes.push_back(fmt::format("{} sequences have their first 65535 elements alone", surroundings_.cut_sequences));
  }
  return notes;
}

}  // namespace evt::ctf
