#include "span_rows.h"

#include <algorithm>

namespace evt::view {

// FNV-1a: not std::hash, of which each library has its own.
Key hue_of(const std::string& name) {
  std::uint32_t hash = 2166136261;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
  return static_cast<Key>((hash ^ hash >> 16) % kKeys);
}

// In the lowest row that is free there: one that was inside of what has ended is still where it was.
void SpanRows::begin(const TimelineItem& item) {
  if (item.thread >= open_.size()) open_.resize(item.thread + std::size_t{1});
  std::vector<Open>& open = open_[item.thread];
  std::uint32_t row = item.depth;
  const auto is_there = [&](const Open& other) { return other.row == row; };
  while (std::any_of(open.begin(), open.end(), is_there)) ++row;
  const std::size_t life = lives_->life_of(item.thread, item);
  open.push_back({{item.name, item.began_ns, item.is_call}, row, life, item.ns});
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
  if (item.thread >= open_.size()) return;
  std::vector<Open>& open = open_[item.thread];
  const auto it = std::find_if(open.rbegin(), open.rend(), [&](const Open& other) {
    return other.name == item.name && other.began_ns == item.began_ns && other.is_call == item.is_call;
  });
  if (it == open.rend()) return;
  const Open ended = *it;
  open.erase(std::next(it).base());
  if (ended.row >= kMaxDepth || ended.life == ThreadLives::kNone) return;
  Depth& depth = by_life_[ended.life][ended.row];
  depth.course.become(*scale_, kNothing, item.ns);
  depth.labels.add(*scale_, ended.name, ended.since_ns, item.ns);
}

const std::vector<SpanRows::Depth>& SpanRows::of_life(std::size_t life) const {
  static const std::vector<Depth> none;
  return life < by_life_.size() ? by_life_[life] : none;
}

void SpanRows::go_on_from(const SpanRows& other) {
  open_ = other.open_;
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
