#include "ctf_events.h"

#include <errno.h>
#include <fmt/core.h>
#include <string.h>

#include <algorithm>

#include "libtrace-read/core/src/source/open_source.h"
#include "metadata.h"

namespace evt::ctf {
namespace {

// Fields without bits have values, too.
constexpr std::uint64_t kNeverABomb = 64 << 20;
constexpr std::uint64_t kMostTimes = 200;

std::string_view behind_slash(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool has_clock(const Metadata& metadata) {
  return std::ranges::any_of(metadata.streams, [](const auto& stream) { return stream.second.clock.has_value(); });
}

bool has_offset_left_out(const Metadata& metadata) {
  return std::ranges::any_of(metadata.streams, [](const auto& stream) {
    return stream.second.clock && stream.second.clock->is_offset_left_out;
  });
}

// evt convert wrote it.
bool is_own(const Metadata& metadata) { return metadata.text_of("tracer_name") == "evtrace"; }

}  // namespace

Result<std::unique_ptr<CtfEvents>> CtfEvents::read(const std::vector<TraceFiles>& traces, const std::string& called) {
  std::unique_ptr<CtfEvents> events(new CtfEvents());
  const Status read = events->read_all(traces, called);
  if (!read.ok()) return read;
  return events;
}

// Traces without a clock come last: their events are placed where those of the others begin.
Status CtfEvents::read_all(const std::vector<TraceFiles>& files, const std::string& called) {
  std::vector<Trace> traces;
  for (const TraceFiles& each : files) {
    auto metadata = metadata_of(each);
    if (metadata) {
      const bool is_timed = has_clock(*metadata);
      surroundings_.has_waking =
          surroundings_.has_waking || metadata->has_event("sched_waking") || metadata->has_event("sched:sched_waking");
      traces.push_back({&each, *std::move(metadata), is_timed});
      continue;
    }
    const std::string why = fmt::format("{}: {}", each.metadata, metadata.status().message());
    if (files.size() == 1 || metadata.status().code() == Code::kIo) return {metadata.status().code(), why};
    note({0, 0, why});
  }
  if (traces.empty()) return {Code::kNotATrace, damage_.empty() ? called + ": it has no CTF trace" : damage_[0].reason};
  std::ranges::stable_sort(traces, [](const Trace& a, const Trace& b) { return a.has_clock && !b.has_clock; });
  for (const Trace& trace : traces) {
    metadata_ = &trace.metadata;
    trace_ = trace.files->metadata;
    surroundings_.is_own = is_own(trace.metadata);
    if (has_offset_left_out(trace.metadata)) {
      notes_.push_back(fmt::format("{}: the offset of its clock is one of centuries, and is left out", trace_));
    }
    for (const std::string& stream : trace.files->streams) {
      if (const Status status = read_stream(stream); !status.ok()) return status;
    }
    types_.clear();
  }
  if (!has_origin_) set_origin(traces.front().metadata);
  return finish(called);
}

Result<Metadata> CtfEvents::metadata_of(const TraceFiles& files) {
  auto source = open_file(files.metadata);
  if (!source) return source.status();
  size_ += (*source)->size();
  if ((*source)->size() > kMaxMetadata) {
    return Status(Code::kNotATrace, fmt::format("it has {} bytes, and metadata of up to {} MiB is read",
                                                (*source)->size(), kMaxMetadata >> 20));
  }
  std::string text(static_cast<std::size_t>((*source)->size()), '\0');
  text.resize((*source)->read_at(0, reinterpret_cast<std::byte*>(text.data()), text.size()));
  return read_metadata(text);
}

void CtfEvents::set_origin(const Metadata& metadata) {
  has_origin_ = true;
  const bool own = is_own(metadata);
  origin_.program = metadata.text_of(own ? "procname" : "tracer_name");
  if (origin_.program.empty() && !own) origin_.program = "ctf";
  origin_.host = metadata.text_of("hostname");
  if (!own) return;
  origin_.pid = static_cast<std::uint64_t>(metadata.number_of("vpid"));
  origin_.start_ns = metadata.number_of("session_start");
}

Status CtfEvents::read_stream(const std::string& path) {
  auto source = open_file(path);
  if (!source) return source.status();
  if ((*source)->size() == 0) return {};
  size_ += (*source)->size();
  begin_stream(path);
  StreamReader(**source, *metadata_, *this).run();
  end_stream();
  if (is_bomb_) {
    return {Code::kNotATrace, fmt::format("{}: its events have more than {} MiB and {} times its size", path,
                                          kNeverABomb >> 20, kMostTimes)};
  }
  return has_room_ ? Status()
                   : Status(Code::kIo, fmt::format("cannot sort the events of {}: {}", path, strerror(errno)));
}

void CtfEvents::begin_stream(const std::string& file) {
  file_ = behind_slash(file);
  stream_ = 0;
  last_ns_.reset();
  without_time_ = 0;
  earlier_ = 0;
}

// evt convert puts events of `stream_1` that are earlier than others into `stream_1_2` and so on.
std::uint32_t CtfEvents::add_stream(const std::string& file) {
  if (is_own(*metadata_) && file.starts_with("stream_")) {
    const std::string first = file.substr(0, file.find('_', std::string_view("stream_").size()));
    const auto [known, is_new] = own_streams_.try_emplace(trace_ + "\n" + first, streams_.size() + 1);
    if (is_new) streams_.push_back(metadata_->text_of(first));
    return known->second;
  }
  const std::string host = is_own(*metadata_) ? "" : metadata_->text_of("hostname");
  streams_.push_back(host.empty() ? file : fmt::format("{}, {}", host, file));
  return static_cast<std::uint32_t>(streams_.size());
}

void CtfEvents::end_stream() {
  const auto events = [](std::uint64_t count) { return fmt::format("{} event{}", count, count == 1 ? "" : "s"); };
  if (without_time_ > 0) {
    notes_.push_back(fmt::format("{}: {} without a time: each is put a nanosecond behind the one before", file_,
                                 events(without_time_)));
  }
  if (earlier_ > 0) {
    notes_.push_back(
        fmt::format("{}: the time of {} is earlier than that of the event before: all are in order of time", file_,
                    events(earlier_)));
  }
}

Status CtfEvents::finish(const std::string& called) {
  if (events_ == 0 && !damage_.empty()) {
    return {Code::kNotATrace, fmt::format("{}: no event of it can be read: {}", called, damage_.front().reason)};
  }
  const std::int64_t begin = first_ns();
  for (const PendingLoss& loss : pending_) {
    stream_ = loss.stream;
    lose(loss.count, loss.cause, begin, begin);
  }
  if (has_room_ && rows_.finish()) return {};
  return {Code::kIo, fmt::format("cannot sort the events of {}: {}", called, strerror(errno))};
}

void CtfEvents::put(std::int64_t ns, std::uint64_t rank) {
  first_ns_ = std::min(first_ns_, ns);
  has_room_ = has_room_ && rows_.add({ns, rank, row_});
}

bool CtfEvents::event(const StreamClass& stream, const EventClass& event, std::optional<std::int64_t> ns,
                      FieldReader* reader) {
  if (!has_origin_) set_origin(*metadata_);
  if (stream_ == 0) stream_ = add_stream(file_);
  std::unique_ptr<EventType>& type = types_[&event];
  if (type == nullptr) type = std::make_unique<EventType>(surroundings_, *metadata_, stream, event);
  RowFront front;
  row_.resize(sizeof front);
  const std::uint64_t begin = reader->bits().at() / 8;
  if (!type->read(reader, &row_, &front.running)) return false;
  if (!ns) {
    ++without_time_;
    ns = last_ns_ ? *last_ns_ + 1 : first_ns();
  }
  if (last_ns_ && *ns < *last_ns_) ++earlier_;
  last_ns_ = ns;
  if (type->number() == 0 || row_.size() - sizeof front > EventType::kMaxRow) {
    const bool is_large = type->number() != 0;
    note({begin, reader->bits().at() / 8 - begin,
          is_large ? fmt::format("{}: an event is longer than {} MiB", file_, EventType::kMaxRow >> 20)
                   : fmt::format("{}: there are too many types of events", file_)});
    lose(1, EVT_LOST_TOO_LARGE, ns, ns);
    return true;
  }
  front.stream = stream_;
  front.type = type->number();
  memcpy(row_.data(), &front, sizeof front);
  put(*ns, UINT64_MAX);
  ++events_;
  rows_size_ += row_.size();
  is_bomb_ = rows_size_ > kNeverABomb && rows_size_ / kMostTimes > size_;
  return has_room_ && !is_bomb_;
}

void CtfEvents::lose(std::uint64_t count, evt_lost_cause cause, std::optional<std::int64_t> first_ns,
                     std::optional<std::int64_t> last_ns) {
  if (stream_ == 0) stream_ = add_stream(file_);
  if (!last_ns) last_ns = last_ns_;
  if (!last_ns) return pending_.push_back({stream_, count, cause});
  const std::int64_t begin = std::min(first_ns.value_or(*last_ns), *last_ns);
  RowFront front;
  front.stream = stream_;
  front.cause = cause;
  const std::uint64_t facts[] = {count, static_cast<std::uint64_t>(*last_ns - begin)};
  row_.resize(sizeof front + sizeof facts);
  memcpy(row_.data(), &front, sizeof front);
  memcpy(row_.data() + sizeof front, facts, sizeof facts);
  put(*last_ns, 0);
}

void CtfEvents::discarded(std::uint64_t count, std::optional<std::int64_t> first_ns,
                          std::optional<std::int64_t> last_ns) {
  lose(count, EVT_LOST_RING_FULL, first_ns, last_ns);
}

void CtfEvents::missing(std::uint64_t offset, std::uint64_t first, std::uint64_t last, std::optional<std::int64_t> ns) {
  const std::uint64_t count = last - first + 1;
  note({offset, 0,
        count == 1 ? fmt::format("{}: packet {} is missing: it counts as one lost event", file_, first)
                   : fmt::format("{}: {} packets ({} to {}) are missing: each counts as one lost event", file_, count,
                                 first, last)});
  lose(count, EVT_LOST_OVERWRITTEN, last_ns_, ns);
}

void CtfEvents::zeros(std::uint64_t size) {
  notes_.push_back(fmt::format("{}: {} bytes 0 are behind its last packet", file_, size));
}

void CtfEvents::damage(std::uint64_t offset, std::uint64_t size, const std::string& why) {
  note({offset, size, fmt::format("{}: {}", file_, why)});
  lose(1, EVT_LOST_DAMAGE, last_ns_, last_ns_);
}

void CtfEvents::note(Damage damage) {
  if (damage_.size() < kMaxDamage) damage_.push_back(std::move(damage));
}

std::vector<std::string> CtfEvents::notes() const {
  std::vector<std::string> notes = notes_;
  if (surroundings_.cut_sequences > 0) {
    notes.push_back(fmt::format("{} sequences have their first 65535 elements alone", surroundings_.cut_sequences));
  }
  if (surroundings_.cut_texts > 0) {
    notes.push_back(fmt::format("{} texts in lists have their first 65535 bytes alone", surroundings_.cut_texts));
  }
  return notes;
}

}  // namespace evt::ctf
