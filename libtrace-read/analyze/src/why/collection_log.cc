#include "collection_log.h"

#include <algorithm>
#include <utility>

namespace evt {

CollectionLog::CollectionLog(Actors& actors, std::int64_t from_ns)
    : actors_(&actors),
      from_ns_(from_ns),
      streams_(actors.session().streams.size()),
      parts_(actors.session().parts.size() + 1) {
  for (std::size_t i = 0; i < streams_.size(); ++i) streams_[i].part = actors.part_of(actors.session().streams[i]);
}

std::uint32_t CollectionLog::index_of(const StreamInfo& stream) const {
  return static_cast<std::uint32_t>(&stream - actors_->session().streams.data());
}

std::uint32_t CollectionLog::stream_of_cpu(std::uint32_t cpu) const {
  if (cpu >= Actor::kOthers || !actors_->cpus()[cpu].is_stream) return kNone;
  const StreamInfo* const stream = actors_->session().stream(static_cast<std::uint32_t>(actors_->cpus()[cpu].number));
  return stream != nullptr ? index_of(*stream) : kNone;
}

void CollectionLog::take(const TimelineItem& item) {
  if (item.is_open) return;
  Stream& stream = streams_[index_of(*item.stream)];
  item.kind == ItemKind::kCollectorBegan ? begin(&stream, item.ns) : end(&stream, item.ns);
}

void CollectionLog::begin_first(const Stream& of, std::int64_t ns) {
  Request& request = part_of(of).request;
  if (request.has_begun) request = {};
  if (ns >= from_ns_) return;
  for (Stream& stream : streams_) {
    if (stream.part == of.part) stream.entries.clear();
  }
}

// Who joins a collection that has begun is there for the same request.
void CollectionLog::begin(Stream* stream, std::int64_t ns) {
  Part& part = part_of(*stream);
  if (part.collecting == 0) begin_first(*stream, ns);
  part.request.has_begun = true;
  if (!std::exchange(stream->collects, true)) ++part.collecting;
  Entries& entries = stream->entries;
  Entry entry{.from_ns = ns, .began_ns = ns, .asker = part.request.asker};
  if (part.request.stream != kNone) entry.from_ns = std::max(part.request.ns, stream->ran_ns);
  if (!entries.empty()) entry.from_ns = std::max(entry.from_ns, entries.back().to_ns);
  entries.push_back(entry);
}

void CollectionLog::end(Stream* stream, std::int64_t ns) {
  if (!std::exchange(stream->collects, false)) return;
  --part_of(*stream).collecting;
  stream->entries.back().to_ns = ns;
}

void CollectionLog::ask(const StreamInfo& stream, std::uint32_t asker, std::int64_t ns) {
  const std::uint32_t index = index_of(stream);
  Request& request = part_of(streams_[index]).request;
  const bool is_first = request.stream == kNone || request.has_begun;
  if (is_first && !streams_[index].collects) request = {.stream = index, .asker = asker, .ns = ns};
}

void CollectionLog::run_on(std::uint32_t cpu, std::int64_t ns) {
  const std::uint32_t stream = stream_of_cpu(cpu);
  if (stream == kNone) return;
  streams_[stream].ran_ns = ns;
  Request& request = part_of(streams_[stream]).request;
  if (request.stream == stream && !request.has_begun) request = {};
}

void CollectionLog::lead(const StreamInfo& stream) {
  Entries& entries = streams_[index_of(stream)].entries;
  if (!entries.empty()) entries.back().leads = true;
}

void CollectionLog::fold(const FoldedActors& gone) {
  for (Part& part : parts_) part.request.asker = gone(part.request.asker);
  for (Stream& stream : streams_) {
    for (Entry& entry : stream.entries) entry.asker = gone(entry.asker);
  }
}

std::uint32_t CollectionLog::leader_of(std::uint32_t stream, const Entry& entry) const {
  if (entry.leads) return stream;
  const auto leads_then = [&](const Stream& other) {
    if (other.part != streams_[stream].part) return false;
    auto it = std::ranges::partition_point(other.entries, [&](const Entry& e) { return e.began_ns < entry.to_ns; });
    while (it != other.entries.begin() && (--it)->to_ns > entry.began_ns) {
      if (it->leads) return true;
    }
    return false;
  };
  const auto leader = std::ranges::find_if(streams_, leads_then);
  return leader != streams_.end() ? static_cast<std::uint32_t>(leader - streams_.begin()) : kNone;
}

}  // namespace evt
