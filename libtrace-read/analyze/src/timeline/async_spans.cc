#include "async_spans.h"

#include <iterator>

namespace evt {

void AsyncSpans::begin(const TimelineItem& at, bool is_named, TimelineItems* items) {
  if (open_.size() == kMaxOpen) {
    TimelineItem cut = at;
    cut.is_cut = true;
    cut.is_wanted = false;
    close(open_.find(by_age_.begin()->second), cut, items);
  }
  const Key key = {at.part, at.value, ++begun_};
  open_[key] = {at.began_ns, losses(at.part), at.stream, at.name, is_named, at.is_wanted};
  by_age_[begun_] = key;
  items->append(at, ItemKind::kAsyncBegan);
}

void AsyncSpans::end(const TimelineItem& at, TimelineItems* items) {
  auto after = open_.upper_bound({at.part, at.value, UINT64_MAX});
  for (std::size_t searched = 0; searched < kMaxSearched && after != open_.begin(); ++searched) {
    const auto span = std::prev(after);
    const auto& [part, id, begun] = span->first;
    if (part != at.part || id != at.value) break;
    if (at.name == EventNames::kNone || !span->second.is_named || span->second.name == at.name) {
      return close(span, at, items);
    }
    after = span;
  }
  items->append(at, ItemKind::kAsyncUnmatched);
}

void AsyncSpans::close(Spans::iterator span, TimelineItem at, TimelineItems* items) {
  const auto& [part, id, begun] = span->first;
  const Open& open = span->second;
  at.part = part;
  at.value = id;
  at.name = open.name;
  at.began_ns = open.began_ns;
  at.stream = open.stream;
  at.is_wanted |= open.is_wanted;
  at.is_uncertain = open.losses != losses(part);
  items->append(at, ItemKind::kAsyncEnded);
  by_age_.erase(begun);
  open_.erase(span);
}

void AsyncSpans::lose(std::uint32_t part) {
  ++losses_[part];
  ++all_losses_;
}

// Ids without a part may belong to any.
std::uint64_t AsyncSpans::losses(std::uint32_t part) const {
  if (part == Actor::kNone) return all_losses_;
  const auto found = losses_.find(part);
  return found != losses_.end() ? found->second : 0;
}

void AsyncSpans::begin(TimelineItem at, TimelineItems* items) const {
  for (const auto& [begun, key] : by_age_) {
    const Open& open = open_.at(key);
    at.part = std::get<0>(key);
    at.value = std::get<1>(key);
    at.name = open.name;
    at.began_ns = open.began_ns;
    at.stream = open.stream;
    at.is_wanted = open.is_wanted;
    items->append(at, ItemKind::kAsyncBegan);
  }
}

void AsyncSpans::finish(const TimelineItem& at, TimelineItems* items) {
  while (!by_age_.empty()) close(open_.find(by_age_.rbegin()->second), at, items);
}

void AsyncSpans::archive(Archive& archive, const Session& session, std::size_t names) {
  archive.numbers(begun_, all_losses_);
  archive.map(losses_, session.parts.size() + 1, [&](std::uint32_t& part, std::uint64_t& losses) {
    archive.index(part, session.parts.size());
    archive.numbers(losses);
  });
  archive.map(open_, kMaxOpen, [&](Key& key, Open& open) {
    auto& [part, id, begun] = key;
    archive.index(part, session.parts.size());
    archive.numbers(id, begun, open.began_ns, open.losses);
    archive.place(open.stream, session.streams);
    archive.index(open.name, names);
    archive.numbers(open.is_named, open.is_wanted);
    archive.require(open.stream != nullptr && open.name != EventNames::kNone);
    if (archive.is_reading()) archive.require(by_age_.emplace(begun, key).second);
  });
}

}  // namespace evt
