#include "timeline_picture.h"

#include <algorithm>

#include "instants.h"
#include "libtrace-read/text/counted_sentence.h"

namespace evt {
namespace {

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  // The finalizer of MurmurHash3: ids of flows and spans need not be small, and must not collide by accident.
  std::uint64_t hash = a * 0x9E37'79B9'7F4A'7C15 + b;
  hash = (hash ^ hash >> 33) * 0xFF51'AFD7'ED55'8CCD;
  hash = (hash ^ hash >> 33) * 0xC4CE'B9FE'1A85'EC53;
  return hash ^ hash >> 33;
}

}  // namespace

// The number of the one that begins or ends.
std::uint64_t OverlappingSpans::take(const TimelineItem& item) {
  return item.kind == ItemKind::kBegan ? open_.begin(item) = ++count_ : open_.end(item);
}

void OverlappingSpans::look(const TimelineItem& item) {
  if (item.kind != ItemKind::kBegan && item.kind != ItemKind::kEnded) return;
  const bool is_last = item.kind == ItemKind::kEnded && item.depth + std::size_t{1} == open_.of(item.thread).size();
  const std::uint64_t number = take(item);
  if (item.kind == ItemKind::kEnded && !is_last) numbers_.push_back(number);
}

void OverlappingSpans::begin_again() {
  std::ranges::sort(numbers_);
  open_.clear();
  count_ = 0;
}

std::optional<std::uint64_t> OverlappingSpans::number_of(const TimelineItem& item) {
  const std::uint64_t number = take(item);
  const bool overlaps = std::ranges::binary_search(numbers_, number);
  return overlaps ? std::optional(number) : std::nullopt;
}

void TimelinePicture::begin(TextBuffer& out, const Trace& trace) {
  overlaps_.begin_again();
  base_ns_ = trace.sessions().empty() ? 0 : INT64_MAX;
  for (const Session& session : trace.sessions()) base_ns_ = std::min(base_ns_, session.start_utc_ns);
  format_->begin(out, base_ns_);
}

void TimelinePicture::begin_session(TextBuffer&, Timeline& timeline) {
  timeline_ = &timeline;
  numbers_.begin_session(timeline);
  const Session& session = timeline.actors().session();
  counters_.emplace(session, timeline.names());
  stacks_.emplace(session);
  offset_ns_ = session.start_utc_ns - base_ns_;
  last_ns_ = 0;
  stops_since_.clear();
}

void TimelinePicture::name_process(TextBuffer& out, std::int64_t process, std::string_view name) {
  if (named_processes_.insert(process).second) format_->name_process(out, process, name);
}

void TimelinePicture::name_track(TextBuffer& out, PictureTrack track, std::string_view name, bool is_thread) {
  std::string& known = named_tracks_[track];
  if (known == name) return;
  known = name;
  name_process(out, track.process, numbers_.process_name(track.process));
  format_->name_track(out, track, name, is_thread);
}

// Named again where it ends, because threads get names while they run.
PictureTrack TimelinePicture::thread(TextBuffer& out, std::uint32_t thread) {
  bool is_new = false;
  const PictureTrack track = numbers_.thread(thread, &is_new);
  if (is_new) name_track(out, track, numbers_.thread_name(thread), true);
  return track;
}

PictureTrack TimelinePicture::own_track(TextBuffer& out, std::string_view process, std::int64_t number,
                                        std::string_view name) {
  const PictureTrack track = {numbers_.own_process(process), number};
  name_track(out, track, name, false);
  return track;
}

void TimelinePicture::take(TextBuffer& out, const TimelineItem& item) {
  last_ns_ = item.ns;
  switch (item.kind) {
    case ItemKind::kRow:
      return take_row(out, item);
    case ItemKind::kThread:
      format_->state(out, at(item.ns), thread(out, item.thread), numbers_.thread_name(item.thread),
                     ThreadState::kUnknown, 0);
      return;
    case ItemKind::kState:
      return take_state(out, item);
    case ItemKind::kIdleThread:
      return format_->state(out, at(item.ns), thread(out, item.thread), "idle", ThreadState::kEnded, 0);
    case ItemKind::kUncertain:
      ++uncertain_;
      return;
    case ItemKind::kBegan:
    case ItemKind::kEnded:
      return take_span(out, item);
    case ItemKind::kUnmatchedEnd:
      ++unmatched_;
      return;
    case ItemKind::kNotTimed:
      ++not_timed_;
      return;
    case ItemKind::kCollectorBegan:
    case ItemKind::kCollectorPhase:
    case ItemKind::kCollectorEnded:
    case ItemKind::kCollection:
      return take_collector(out, item);
    case ItemKind::kStopBegan:
    case ItemKind::kStopEnded:
      return take_stop(out, item);
    case ItemKind::kLost:
      return take_loss(out, item);
    case ItemKind::kFold:
      for (const std::uint32_t gone : item.event->fold->all()) {
        const auto named = numbers_.forget(gone);
        if (!named) continue;
        name_track(out, named->track, named->name, true);
        named_tracks_.erase(named->track);
      }
      return;
    default:
      return;
  }
}

void TimelinePicture::take_row(TextBuffer& out, const TimelineItem& item) {
  const RoleEvent& event = *item.event;
  if (event.lost || event.jump || event.event == nullptr) return;
  const std::uint32_t counter = counters_->take(item);
  if (!item.is_wanted) return;
  if (counter != Counters::kNone) return take_counter(out, item, counter);
  if (event.role == Role::kAsyncBegin || event.role == Role::kAsyncEnd) return take_async(out, item);
  if (event.is_facet || !is_instant(event.role)) return;
  const std::uint32_t who = event.thread != Actor::kNone ? event.thread : timeline_->actors().thread_of(*item.stream);
  if (event.role == Role::kSample && take_sample(out, item, who)) return;
  PictureSlice slice;
  slice.name = event.event->type().name();
  slice.category = event.role == Role::kMark ? "mark" : "event";
  if (event.role == Role::kMark) {
    const std::uint32_t text = timeline_->names().said_by(*event.event, Role::kMessage);
    if (text != EventNames::kNone) slice.name = name_of(text);
  }
  slice.event = event.event;
  format_->instant(out, at(item.ns), thread(out, who), slice, flow_of(event));
}

// False for one of a wait, or whose stack or time the trace does not have: it is an instant.
bool TimelinePicture::take_sample(TextBuffer& out, const TimelineItem& item, std::uint32_t who) {
  const Event& event = *item.event->event;
  const StatedStacks::Weight weight = StatedStacks::weight_of(event);
  const std::vector<std::uint32_t>* const frames = stacks_->stack_of(event).frames;
  if (weight.is_wait || !weight.ns || frames == nullptr || frames->empty()) return false;
  const PictureSample sample{*stacks_, *frames, *weight.ns};
  return format_->sample(out, at(item.ns), thread(out, who), sample);
}

std::optional<PictureFlow> TimelinePicture::flow_of(const RoleEvent& event) const {
  const bool leaves = event.role == Role::kMessageSend || event.role == Role::kFlowOut;
  if (!leaves && event.role != Role::kMessageReceive && event.role != Role::kFlowIn) return std::nullopt;
  std::uint64_t number = 0;
  if (!event.event->get_number(Role::kFlow, &number)) return std::nullopt;
  const bool is_message = event.role == Role::kMessageSend || event.role == Role::kMessageReceive;
  const std::uint64_t scope = timeline_->actors().part_of_ids(*event.event, Role::kFlow);
  return PictureFlow{mixed(mixed(scope, is_message ? 1 : 0), number), leaves};
}

void TimelinePicture::take_counter(TextBuffer& out, const TimelineItem& item, std::uint32_t which) {
  PictureTrack track = {numbers_.process(timeline_->actors().part_of(*item.stream)), 0};
  name_process(out, track.process, numbers_.process_name(track.process));
  if (format_->counters_have_threads()) track = thread(out, timeline_->actors().thread_of(*item.stream));
  format_->counter(out, at(item.ns), track, counters_before_ + which, counters_->all()[which]);
}

// Begins on one thread, and may end on another: both are in the process's row.
void TimelinePicture::take_async(TextBuffer& out, const TimelineItem& item) {
  const RoleEvent& event = *item.event;
  std::uint64_t number = 0;
  if (!event.event->get_number(Role::kSpanId, &number)) {
    ++not_timed_;
    return;
  }
  const std::uint64_t id = mixed(timeline_->actors().part_of_ids(*event.event, Role::kSpanId), number);
  const std::uint32_t who = event.thread != Actor::kNone ? event.thread : timeline_->actors().thread_of(*item.stream);
  PictureSlice slice;
  slice.name = name_of(timeline_->names().of(*event.event, Role::kName));
  slice.category = "async";
  slice.event = event.event;
  if (event.role == Role::kAsyncBegin) {
    format_->begin_async(out, at(item.ns), thread(out, who), id, slice);
  } else {
    format_->end_async(out, at(item.ns), thread(out, who), id, slice);
  }
}

void TimelinePicture::take_state(TextBuffer& out, const TimelineItem& item) {
  if (item.is_open || item.state == ThreadState::kUnknown) return;
  const std::int64_t cpu = item.state == ThreadState::kRunning ? numbers_.cpu(item.cpu) : 0;
  format_->state(out, at(item.ns), thread(out, item.thread), numbers_.thread_name(item.thread), item.state, cpu);
}

// If one event records it as a whole, the fields are at its end; if another's end cuts it, there are none.
void TimelinePicture::take_span(TextBuffer& out, const TimelineItem& item) {
  const std::optional<std::uint64_t> overlapping = overlaps_.number_of(item);
  if (!item.is_wanted) return;
  const PictureTrack track = thread(out, item.thread);
  PictureSlice slice;
  slice.name = name_of(item.name);
  slice.category = item.is_call ? "call" : "span";
  const bool is_own_event = item.event != nullptr && item.event->event != nullptr && !item.is_open && !item.is_cut;
  if (is_own_event) slice.event = item.event->event;
  if (item.kind == ItemKind::kEnded) {
    slice.is_open = item.is_open;
    slice.is_cut = item.is_cut;
    slice.is_uncertain = item.is_uncertain;
  }
  const bool begins = item.kind == ItemKind::kBegan;
  if (overlapping) {
    const std::uint64_t id = mixed(UINT64_MAX, *overlapping);
    return begins ? format_->begin_async(out, at(item.ns), track, id, slice)
                  : format_->end_async(out, at(item.ns), track, id, slice);
  }
  return begins ? format_->begin_slice(out, at(item.ns), track, slice)
                : format_->end_slice(out, at(item.ns), track, slice);
}

void TimelinePicture::whole(TextBuffer& out, std::int64_t from_ns, std::int64_t to_ns, PictureTrack track,
                            std::string_view name) {
  PictureSlice slice;
  slice.name = name;
  slice.category = "trace";
  format_->begin_slice(out, at(from_ns), track, slice);
  format_->end_slice(out, at(to_ns), track, slice);
}

void TimelinePicture::take_collector(TextBuffer& out, const TimelineItem& item) {
  constexpr std::string_view kProcess = "garbage collection";
  if (item.kind == ItemKind::kCollection) {
    const bool has_generation = item.value != Timeline::kNoGeneration;
    const std::string name =
        has_generation ? "collection of generation " + std::to_string(item.value) : std::string("collection");
    return whole(out, item.began_ns, item.ended_ns, own_track(out, kProcess, 1, "collections"), name);
  }
  const std::string& stream = item.stream->name;
  const PictureTrack track = own_track(out, kProcess, std::int64_t{item.stream->id} + 2, stream);
  PictureSlice slice;
  slice.name = "collecting";
  slice.category = "gc";
  if (item.kind == ItemKind::kCollectorBegan) return format_->begin_slice(out, at(item.ns), track, slice);
  const bool is_pause = item.phase_before == CollectorPhase::kIdle || item.phase_before == CollectorPhase::kSync;
  if (is_pause) {
    whole(out, item.began_ns, item.ns, track,
          item.phase_before == CollectorPhase::kIdle ? "idle" : "waiting for others");
  }
  if (item.kind == ItemKind::kCollectorEnded) format_->end_slice(out, at(item.ns), track, slice);
}

void TimelinePicture::take_stop(TextBuffer& out, const TimelineItem& item) {
  if (item.depth > 0) return;
  if (item.kind == ItemKind::kStopBegan) {
    stops_since_[item.part] = item.ns;
    return;
  }
  const auto since = stops_since_.find(item.part);
  if (since == stops_since_.end()) return;
  const std::int64_t process = numbers_.process(item.part);
  whole(out, since->second, item.ns, own_track(out, "stops", process, numbers_.process_name(process)), "stopped");
  stops_since_.erase(since);
}

void TimelinePicture::take_loss(TextBuffer& out, const TimelineItem& item) {
  const Event* const event = item.event != nullptr ? item.event->event : nullptr;
  const auto count = event != nullptr ? event->value("count") : std::nullopt;
  const std::string name = count ? std::to_string(count->as_unsigned()) + " events lost" : "events lost";
  const bool is_known = item.stream != nullptr;
  const PictureTrack track = own_track(out, "lost events", is_known ? std::int64_t{item.stream->id} + 2 : 1,
                                       is_known ? std::string_view(item.stream->name) : "streams that are not known");
  whole(out, item.began_ns, item.ns, track, name);
}

void TimelinePicture::end_session(TextBuffer& out) {
  format_->end_session(out, at(last_ns_));
  for (const SystemNumbers::NamedTrack& named : numbers_.threads()) {
    name_track(out, named.track, named.name, true);
  }
  counters_before_ += static_cast<std::uint32_t>(counters_->all().size());
}

std::vector<std::string> TimelinePicture::left_out() const {
  std::vector<std::string> sentences = format_->left_out();
  add_counted(not_timed_, " span or call without a valid duration or id: left out",
              " spans and calls without a valid duration or id: left out", &sentences);
  add_counted(unmatched_, " end of a span or call without its begin: left out",
              " ends of spans or calls without their begins: left out", &sentences);
  add_counted(uncertain_, " state of threads may have changed where events were lost: drawn as they were recorded",
              " states of threads may have changed where events were lost: drawn as they were recorded", &sentences);
  return sentences;
}

}  // namespace evt
