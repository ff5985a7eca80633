// What began in a range of time, or before it, and was recorded behind it, as it was over then.
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

// Reads all that a session has behind the range. Refers to its arguments while it lives.
class LateRows {
 public:
  using Take = std::function<void(const KeptEvent& event)>;

  // `streams`: of which there is to be any.
  LateRows(Trace& trace, const Session& session, std::function<bool(const StreamInfo&)> streams)
      : trace_(trace), session_(session), streams_(std::move(streams)) {}

  // Hands out what covers time up to `to_ns`, in order; with each event the runs and stops by which it is known of
  // which thread it is. Behind a step back in time there is none, as times are not those of the range.
  void read(std::int64_t to_ns, const Take& take);

 private:
  struct Stream {
    std::unique_ptr<KeptEvent> run;  // the latest, that was not handed out
    // Behind it: the first of each thread, as any of them may be the one that runs.
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
