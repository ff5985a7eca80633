// What threads and cpus do, one stretch after another, for the page of evt view.
#pragma once

#include <evt/timeline.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json_object.h"
#include "event_rows.h"

namespace evt::tools {

struct StateStretch {
  std::uint32_t group = EventRows::kNone;  // of the row
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  bool is_open = false;                   // the session ends here
  std::optional<view::RowState> state{};  // none: a cpu without a thread
  std::string reason;                     // why the thread stopped
  std::string thread;
  std::string cpu;
  std::string woken_by;  // the thread that ended the wait
  // Where a text is empty, there is none.
  void add_members(JsonObject& json) const;
};

// Takes the items of one session in order, each behind EventRows::Pass. Hands out each stretch when it ends: those of
// one row, if one is asked for, from the first on whose begin is among the items. Refers to the rows.
class StateStretches {
 public:
  using Take = std::function<void(const StateStretch&)>;

  StateStretches(const EventRows& rows, Take take, std::uint32_t only = EventRows::kNone)
      : rows_(&rows), take_(std::move(take)), only_(only) {}

  void take(Timeline& timeline, const EventRows::Pass& pass, const TimelineItem& item);
  // Whether a stretch goes on that is wanted.
  bool goes_on() const;

 private:
  struct OfThread {
    std::uint32_t group = EventRows::kNone;  // kNone: it has none, or is not wanted
    ThreadState state = ThreadState::kUnknown;
    bool is_collecting = false;
    std::uint32_t reason = Actor::kNone;
    std::uint32_t cpu = Actor::kNone;
    std::uint32_t waker = Actor::kNone;
    std::int64_t since_ns = 0;
  };
  struct OfCpu {
    std::uint32_t group = EventRows::kNone;
    std::uint32_t thread = Actor::kNone;  // kNone: it is idle
    bool is_collecting = false;
    std::int64_t since_ns = 0;
  };

  bool is_wanted(std::uint32_t group) const {
    return group != EventRows::kNone && (only_ == EventRows::kNone || only_ == group);
  }
  void end_thread(Timeline& timeline, std::uint32_t thread, const TimelineItem& item);
  void end_cpu(Timeline& timeline, std::uint32_t cpu, const TimelineItem& item);
  void change_cpu(Timeline& timeline, std::uint32_t cpu, std::uint32_t thread, const TimelineItem& item);

  const EventRows* rows_;
  Take take_;
  std::uint32_t only_;
  std::vector<OfThread> threads_;  // by the indexes of Actors
  std::vector<OfCpu> cpus_;        // the same
};

}  // namespace evt::tools
