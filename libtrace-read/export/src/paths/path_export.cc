#include "path_export.h"

#include <evt/analysis/role_set.h>
#include <evt/analysis/stated_stacks.h>

#include <algorithm>

#include "libtrace-read/text/counted_sentence.h"

namespace evt {

PathWeight usual_weight(Trace& trace) {
  const bool may_have_samples =
      std::ranges::any_of(trace.sessions(), [](const Session& session) { return may_have(session, {Role::kSample}); });
  if (!may_have_samples) return PathWeight::kWall;
  PathWeight weight = PathWeight::kWall;
  for (const Event& event : trace.events()) {
    if (event.type().role() != Role::kSample) continue;
    if (!StatedStacks::weight_of(event).is_wait) return PathWeight::kSamples;
    weight = PathWeight::kWaiting;
  }
  return weight;
}

void PathExport::begin_session(TextBuffer&, Timeline& timeline) {
  timeline_ = &timeline;
  if (is_of_stacks()) {
    samples_.emplace(timeline, StackPaths::Options{.by_thread = true, .waiting = weight_ == PathWeight::kWaiting});
    return;
  }
  paths_.emplace(timeline, CallPaths::Options{.by_thread = true, .divides = weight_ == PathWeight::kShare});
}

void PathExport::finish_session() {
  if (samples_) no_time_ += samples_->doubts().no_time;
  if (samples_) no_stack_ += samples_->doubts().no_stack;
  has_others_ |= samples_ ? samples_->has_other_paths() : paths_->has_other_paths();
  if (weight_ == PathWeight::kShare) find_shares();
  has_paths_ |=
      std::ranges::any_of(nodes(), [this](const auto& node) { return !node.is_root() && weight_of(node) > 0; });
}

void PathExport::find_shares() {
  std::vector<Uint128> shares;
  Uint128 sum;
  for (const CallPaths::Node& node : nodes()) sum += shares.emplace_back(node.self.share);
  shares_ = whole_shares(shares, sum.high + (sum.low >> 63));
}

std::uint64_t PathExport::weight_of(const CallPaths::Node& node) const {
  switch (weight_) {
    case PathWeight::kWall:
    case PathWeight::kSamples:
    case PathWeight::kWaiting:
      return node.self.ns;
    case PathWeight::kRunning:
      return node.self.running_ns;
    case PathWeight::kShare:
      return shares_[static_cast<std::size_t>(&node - nodes().data())];
    default:
      return node.count;
  }
}

std::string_view PathExport::name_of(const CallPaths::Node& node) const {
  return node.is_other_paths() ? std::string_view("(other paths)") : timeline_->names().text(node.name);
}

std::string PathExport::thread_name(const CallPaths::Node& root) const {
  if (root.thread >= Actor::kOthers) return "(others)";
  const Session& session = timeline_->actors().session();
  const Actor& actor = timeline_->actors().threads()[root.thread];
  std::string name = actor.name_or_number("thread");
  if (actor.part < session.parts.size()) name = session.part_name(actor.part) + ", " + name;
  return name;
}

std::vector<std::string> PathExport::left_out() const {
  std::vector<std::string> sentences;
  add_counted(no_time_, " sample is left out: its weight states no time",
              " samples are left out: their weight states no time", &sentences);
  add_counted(no_stack_, " sample is left out: the trace does not have its stack",
              " samples are left out: the trace does not have their stacks", &sentences);
  if (!has_paths_) {
    sentences.emplace_back(
        weight_ == PathWeight::kSamples   ? "nothing is written: no sample of processor time has a stack"
        : weight_ == PathWeight::kWaiting ? "nothing is written: no wait has a stack"
                                          : "nothing is written: no span and no call has such a weight");
  }
  if (has_others_) {
    sentences.emplace_back("there are too many or too deep paths: the rest is under (other paths), by name only");
  }
  return sentences;
}

}  // namespace evt
