#include "span_rows.h"

namespace evt::view {

// FNV-1a: not std::hash, of which each library has its own.
Key hue_of(const std::string& name) {
  std::uint32_t hash = 2166136261;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
  return static_cast<Key>((hash ^ hash >> 16) % kKeys);
}

// The lowest row that is free there; kMaxDepth or more: none that is drawn.
std::uint32_t SpanRows::free_row(std::uint32_t thread, std::uint32_t depth) {
  if (thread >= used_rows_.size()) used_rows_.resize(thread + std::size_t{1});
  std::uint64_t& used = used_rows_[thread];
  while (depth < kMaxDepth && (used >> depth & 1) != 0) ++depth;
  if (depth < kMaxDepth) used |= std::uint64_t{1} << depth;
  return depth;
}

// One that was inside of what has ended is still where it was.
void SpanRows::begin(const TimelineItem& item) {
  const std::uint32_t row = free_row(item.thread, item.depth);
  const std::size_t life = lives_->life_of(item.thread, item);
  latest_ = {row, life};
  open_.begin(item) = {{item.name, item.began_ns, item.is_call, latest_}, item.ns};
  if (row >= kMaxDepth) return;
  if (life == ThreadLives::kNone) return;
  if (life >= by_life_.size()) by_life_.resize(life + 1);
  std::vector<Depth>& depths = by_life_[life];
  if (row >= depths.size()) depths.resize(row + std::size_t{1});
  depths[row].course.become(*scale_, kNothing, item.ns);
  depths[row].course.become(*scale_, hue_of_name(item.name), item.ns);
}

Key SpanRows::hue_of_name(std::uint32_t name) {
  if (name >= hues_.size()) hues_.resize(name + std::size_t{1}, kNothing);
  if (hues_[name] == kNothing) hues_[name] = hue_of(names_->text(name));
  return hues_[name];
}

void SpanRows::end(const TimelineItem& item) {
  const Open& ended = open_.end(item);
  latest_ = ended.place;
  const auto [row, life] = ended.place;
  if (row < kMaxDepth) used_rows_[item.thread] &= ~(std::uint64_t{1} << row);
  if (row >= kMaxDepth || life == ThreadLives::kNone) return;
  Depth& depth = by_life_[life][row];
  depth.course.become(*scale_, kNothing, item.ns);
  depth.labels.add(*scale_, ended.name, ended.since_ns, item.ns);
}

const std::vector<SpanRows::Depth>& SpanRows::of_life(std::size_t life) const {
  static const std::vector<Depth> none;
  return life < by_life_.size() ? by_life_[life] : none;
}

void SpanRows::go_on_from(const SpanRows& other) {
  open_ = other.open_;
  used_rows_ = other.used_rows_;
  hues_ = other.hues_;
  for (const std::vector<Depth>& depths : other.by_life_) {
    by_life_.emplace_back(depths.size());
    for (std::size_t row = 0; row < depths.size(); ++row) by_life_.back()[row].course.go_on_from(depths[row].course);
  }
}

void SpanRows::coarsen() {
  for (std::vector<Depth>& depths : by_life_) {
    for (Depth& depth : depths) {
      depth.course.coarsen(*scale_);
      depth.labels.coarsen();
    }
  }
}

std::size_t SpanRows::size() const {
  std::size_t size = 0;
  for (const std::vector<Depth>& depths : by_life_) {
    for (const Depth& depth : depths) size += depth.course.size() + depth.labels.size();
  }
  return size;
}

}  // namespace evt::view
