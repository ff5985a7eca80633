// What libbabeltrace2 reads of CTF traces -> a trace.
#pragma once

#include <babeltrace2/babeltrace.h>
#include <evt/writer.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "event_layout.h"

namespace evt::ctf {

// Messages in order of time; one session for all traces, with a stream for each of theirs. Writes to a descriptor.
class CtfMessages {
 public:
  explicit CtfMessages(int descriptor) : descriptor_(descriptor) {}
  CtfMessages(const CtfMessages&) = delete;  // the writer reports its errors to this one
  CtfMessages& operator=(const CtfMessages&) = delete;

  // False once something is wrong, which error() then has.
  bool take(const bt_message* message);
  // There are no more; false as above. Without a message there is a session without events.
  bool finish();
  const std::string& error() const { return error_; }
  // A message was taken, so all metadata is read.
  bool has_begun() const { return has_begun_; }
  // Sentences of what is not as it was in the traces.
  std::vector<std::string> notes() const;

 private:
  struct Stream {
    evt_stream* stream = nullptr;
    std::int64_t last_ns = 0;
  };

  bool open(std::int64_t start_utc_ns, const bt_trace* trace);
  bool take_event(const bt_message* message);
  bool take_discarded(const bt_message* message);
  Stream& stream_of(const bt_stream* stream);
  evt_stream* own_stream(const bt_trace* trace, const std::string& file);
  std::uint64_t ticks_of(std::int64_t ns) const;

  int descriptor_;
  bool has_begun_ = false;
  Surroundings surroundings_;
  std::int64_t start_ns_ = 0;
  std::unordered_map<const bt_stream*, Stream> streams_;
  std::map<std::pair<const bt_trace*, std::string>, evt_stream*> own_streams_;
  std::unordered_map<const bt_event_class*, std::unique_ptr<EventLayout>> layouts_;
  std::string error_;
  std::uint64_t without_time_ = 0;
  std::uint64_t not_counted_ = 0;  // times that events were discarded, of which the number is not known
};

}  // namespace evt::ctf
