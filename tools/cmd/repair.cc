#include "cmd/repair.h"

#include <evt/block_writer.h>

#include <map>

#include "base/output.h"

namespace evt::tools {
namespace {

class Repair {
 public:
  Repair(Trace& trace, BlockWriter& to) : trace_(trace), to_(to) {}

  void run() {
    EventOptions options;
    options.markers = options.ends = true;
    Events events = trace_.events(options);
    while (const Event* const event = events.next()) {
      go_on_to(&event->session());
      take_missing();
      tell_missing(event->stream(), event->ns());
      to_.write(*event);
    }
    go_on_to(nullptr);
  }

 private:
  // Ends the session that is written, and begins all that stand before this one, though they have no events.
  void go_on_to(const Session* session) {
    const std::deque<Session>& sessions = trace_.sessions();
    while (begun_ == 0 || (begun_ <= sessions.size() && &sessions[begun_ - 1] != session)) {
      if (begun_ > 0) tell_all_missing();
      if (begun_++ == sessions.size()) return;
      to_.begin(sessions[begun_ - 1]);
    }
  }

  // What has been found missing since the last time.
  void take_missing() {
    for (; taken_ < trace_.missing().size(); ++taken_) {
      const MissingRows& missing = trace_.missing()[taken_];
      missing_[{missing.session, missing.stream}].emplace(missing.to_ns, missing.rows);
    }
  }

  // Before an event of this time is written.
  void tell_missing(const StreamInfo& stream, std::int64_t ns) {
    const auto found = missing_.find({session(), stream.id});
    if (found == missing_.end()) return;
    auto& [of, rows] = *found;
    for (auto first = rows.begin(); first != rows.end() && first->first <= ns; first = rows.erase(first)) {
      to_.lose(stream, first->second, first->first);
    }
    if (rows.empty()) missing_.erase(found);
  }

  void tell_all_missing() {
    take_missing();
    // Stream 0 last: it gets a number that none of the others has.
    for (const StreamInfo& stream : trace_.sessions()[session()].streams) tell_missing(stream, INT64_MAX);
    StreamInfo unknown;
    unknown.declared_name = "streams that are not known";
    tell_missing(unknown, INT64_MAX);
    // What a later version may read in the original is not in its copy.
    const Session& now = trace_.sessions()[session()];
    if (now.not_decodable > 0) to_.lose(unknown, now.not_decodable, now.last_ns);
  }

  std::uint32_t session() const { return static_cast<std::uint32_t>(begun_ - 1); }

  using Rows = std::multimap<std::int64_t, std::uint64_t>;  // how many, by when they are missing at last

  Trace& trace_;
  BlockWriter& to_;
  std::size_t begun_ = 0;                                            // sessions, so far
  std::size_t taken_ = 0;                                            // of the trace's list
  std::map<std::pair<std::uint32_t, std::uint32_t>, Rows> missing_;  // by session and stream
};

}  // namespace

Status repair(Trace& trace, const std::string& to, const OutputMode& mode, std::vector<std::string>* left_out) {
  auto output = FileOutput::open(to, mode);
  if (!output) return output.status();
  const evt_sink write = [](void* file, const void* bytes, std::size_t size) {
    return static_cast<FileOutput*>(file)->write(bytes, size);
  };
  BlockWriter writer(write, &*output);
  Repair(trace, writer).run();
  const Status closed = writer.close();
  *left_out = writer.refused_types();
  if (!output->status().ok()) return output->status();
  return closed.ok() ? output->complete() : closed;
}

}  // namespace evt::tools
