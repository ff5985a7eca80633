#include "path_export.h"

namespace evt {

void PathExport::begin_session(TextBuffer&, Timeline& timeline) {
  timeline_ = &timeline;
  paths_.emplace(timeline, CallPaths::Options{.by_thread = true, .divides = weight_ == PathWeight::kShare});
}

void PathExport::finish_session() {
  has_others_ |= paths_->has_other_paths();
  if (weight_ != PathWeight::kShare) return;
  std::vector<Uint128> shares;
  Uint128 sum;
  for (const CallPaths::Node& node : nodes()) sum += shares.emplace_back(node.self.share);
  shares_ = whole_shares(shares, sum.high + (sum.low >> 63));
}

std::uint64_t PathExport::weight_of(const CallPaths::Node& node) const {
  switch (weight_) {
    case PathWeight::kWall:
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
  if (!has_others_) return {};
  return {"there are more paths, or deeper ones, than are kept: those are under (other paths), by name alone"};
}

}  // namespace evt
