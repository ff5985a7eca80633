// Events recorded after a range of time about things that began in it, or before it.
#pragma once

#include <evt/trace.h>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "libtrace-read/core/src/event/facet_event.h"
#include "libtrace-read/core/src/event/kept_event.h"

namespace evt {

// Reads the rest of a session after the range. Refers to its arguments while it lives.
class LateRows {
 public:
  using Take = std::function<void(const KeptEvent& event)>;

  // `streams`: those that are wanted.
  LateRows(Trace& trace, const Session& session, std::function<bool(const StreamInfo&)> streams)
      : trace_(trace), session_(session), streams_(std::move(streams)) {}

  // Passes events that cover time up to `to_ns`, in order; each with the runs and stops that tell its thread. Nothing
  // after a step back in time, because times are not those of the range.
  void read(std::int64_t to_ns, const Take& take);

 private:
  struct Stream {
    std::unique_ptr<KeptEvent> run;  // the latest, not returned yet
    // After it: the first of each thread, because any of them may be the running one.
    std::vector<std::unique_ptr<KeptEvent>> stops;
    std::set<std::optional<std::uint64_t>> stopped;
  };

  bool covers(const Event& event, std::int64_t to_ns);
  void note(const Event& event);
  std::optional<std::uint64_t> thread_stopped_by(const Event& event);
  void take_context(const StreamInfo& stream, const Take& take);

  Trace& trace_;
  const Session& session_;
  std::function<bool(const StreamInfo&)> streams_;
  std::unordered_map<const StreamInfo*, Stream> scheduling_;
  FacetEvent of_facet_;
};

}  // namespace evt
