#include "why/open_calls.h"

#include <evt/analysis/usage.h>
#include <evt/describe.h>
#include <evt/timeline.h>

#include <vector>

namespace evt::tools {
namespace {

class OpenCalls {
 public:
  explicit OpenCalls(Timeline& timeline) : timeline_(&timeline) {}

  void take(const TimelineItem& item) {
    if (item.kind == ItemKind::kObject) return name_object(*item.event->event);
    if (item.thread >= Actor::kOthers) return;
    if (item.kind == ItemKind::kBegan) begin(item);
    if (item.kind == ItemKind::kEnded) item.is_open ? end(item) : forget(item);
  }

  // By the system's numbers of threads.
  std::map<std::uint64_t, OpenCall> finish() {
    for (auto& [thread, call] : calls_) {
      const auto name = names_.find(call.number);
      call.object = call.number == 0 ? "" : name != names_.end() ? name->second : object_number(call.number);
    }
    return std::move(calls_);
  }

 private:
  void name_object(const Event& event) {
    const std::uint32_t name = timeline_->names().said_by(event, Role::kName);
    if (name != EventNames::kNone) names_[event.number(Role::kObject).value_or(0)] = timeline_->names().text(name);
  }

  void begin(const TimelineItem& item) {
    std::vector<OpenCall>& open = open_[item.thread];
    open.resize(item.depth + std::size_t{1});
    OpenCall& call = open[item.depth] = {};
    call.name = timeline_->names().text(item.name);
    call.since_utc_ns = timeline_->actors().session().start_utc_ns + item.ns;
    if (item.event == nullptr || item.event->event == nullptr) return;
    const Event& event = *item.event->event;
    call.number = event.number(Role::kObject).value_or(0);
    const std::uint32_t resource = timeline_->names().said_by(event, Role::kResource);
    if (resource != EventNames::kNone) call.resource = timeline_->names().text(resource);
  }

  // Those within it, which have not ended, move.
  void forget(const TimelineItem& item) {
    std::vector<OpenCall>& open = open_[item.thread];
    if (item.depth < open.size()) open.erase(open.begin() + item.depth);
  }

  // The innermost one ends first.
  void end(const TimelineItem& item) {
    const Actor& thread = timeline_->actors().threads()[item.thread];
    const std::vector<OpenCall>& open = open_[item.thread];
    if (item.depth < open.size()) calls_.try_emplace(thread.number, open[item.depth]);
  }

  Timeline* timeline_;
  std::map<std::uint32_t, std::vector<OpenCall>> open_;  // by thread, the innermost last
  std::map<std::uint64_t, OpenCall> calls_;
  std::map<std::uint64_t, std::string> names_;  // of objects
};

}  // namespace

std::map<std::uint64_t, OpenCall> open_calls(Trace& trace, std::uint64_t session_id) {
  std::map<std::uint64_t, OpenCall> calls;
  Timeline timeline(trace, {});
  while (timeline.next_session()) {
    if (evt_session_id(timeline.actors().session().uuid.data()) != session_id) continue;
    timeline.hand_out({ItemKind::kBegan, ItemKind::kEnded, ItemKind::kObject});
    OpenCalls open(timeline);
    while (const TimelineItem* const item = timeline.next()) open.take(*item);
    calls = open.finish();
  }
  return calls;
}

}  // namespace evt::tools
