#include "input/stream_turns.h"

#include <algorithm>

namespace evt::tools {
namespace {

// The thread that statistics count the event for.
StreamTurns::Thread thread_of(const RoleEvent& event, Actors& actors) {
  const bool has_role = event.role != Role::kNone;
  const std::uint32_t index = has_role ? event.thread : actors.running_on(*event.stream);
  if (index == Actor::kNone || index == Actor::kOthers) return {};
  const Actor& thread = actors.threads()[index];
  const bool is_own = thread.is_stream || (event.stream->thread != 0 && thread.number == event.stream->thread);
  if (is_own) return {};
  return {true, thread.part, thread.number};
}

}  // namespace

void StreamTurns::take(const RoleEvent& event, Actors& actors) {
  std::uint64_t named = 0;
  if (event.event == nullptr || event.is_facet || event.event->get_number(Role::kThread, &named)) return;
  const auto stream = static_cast<std::size_t>(event.stream - actors.session().streams.data());
  const Thread thread = thread_of(event, actors);
  const Thread before =
      stream < streams_.size() && !streams_[stream].empty() ? streams_[stream].back().thread : Thread();
  if (thread == before || are_too_many()) return;
  if (streams_.size() <= stream) streams_.resize(stream + 1);
  streams_[stream].push_back({event.event->ordinal(), ++turns_ > kMost ? Thread() : thread});
}

StreamTurns::Thread StreamTurns::at(std::size_t stream, std::uint64_t ordinal) const {
  if (stream >= streams_.size()) return {};
  const auto next = std::ranges::upper_bound(streams_[stream], ordinal, {}, &Turn::first);
  return next == streams_[stream].begin() ? Thread() : std::prev(next)->thread;
}

}  // namespace evt::tools
