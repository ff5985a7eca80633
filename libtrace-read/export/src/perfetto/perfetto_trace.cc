// Perfetto's trace as protobuf: a Trace of TracePackets (google/perfetto, protos/perfetto/trace/perfetto_trace.proto).
// All packets are in one sequence, by clock MONOTONIC.

#include <evt/export/timeline_export.h>

#include <map>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <unordered_map>

#include "libtrace-read/export/src/perfetto/perfetto_stacks.h"
#include "libtrace-read/export/src/picture/picture_format.h"
#include "libtrace-read/export/src/picture/timeline_picture.h"
#include "libtrace-read/export/src/protobuf/utf8_text.h"
#include "libtrace-read/text/counted_sentence.h"
#include "libtrace-read/text/plain_value.h"

namespace evt {
namespace {

using protozero::pbf_writer;

// Numbers of fields, by message.
namespace trace {
enum : protozero::pbf_tag_type { kPacket = 1 };
}
namespace packet {
enum : protozero::pbf_tag_type {
  kClockSnapshot = 6,
  kTimestamp = 8,
  kSequenceId = 10,
  kTrackEvent = 11,
  kInternedData = 12,
  kSequenceFlags = 13,
  kDefaults = 59,
  kTrackDescriptor = 60,
  kPerfSample = 66,
  kTaskState = 117,
  kProcessTree = 122,
};
}
namespace track_event {
enum : protozero::pbf_tag_type {
  kCategoryIds = 3,
  kAnnotations = 4,
  kType = 9,
  kNameId = 10,
  kTrack = 11,
  kCategories = 22,
  kName = 23,
  kDoubleValue = 44,
  kFlows = 47,
  kTerminatingFlows = 48,
};
enum Type : int { kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4 };
}  // namespace track_event
namespace descriptor {
enum : protozero::pbf_tag_type { kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParent = 5, kCounter = 8 };
}
namespace interned {
enum Kind : protozero::pbf_tag_type { kCategories = 1, kNames = 2, kFieldNames = 3 };
}
namespace task_state {
enum : protozero::pbf_tag_type { kCpu = 1, kName = 2, kThread = 3, kState = 4 };
enum State : int { kUnknown = 0, kCreated = 1, kRunnable = 2, kRunning = 3, kSleeping = 4, kDead = 7 };
}  // namespace task_state

constexpr std::uint32_t kSequence = 1;
constexpr std::uint32_t kStateCleared = 1;  // SequenceFlags: earlier interned data is invalid
constexpr std::uint32_t kNeedsState = 2;
constexpr std::uint32_t kRealtime = 1;  // BuiltinClock
constexpr std::uint32_t kMonotonic = 3;
constexpr std::uint32_t kBoottime = 6;
// The clock's time when the earliest session begins: events may be earlier.
constexpr std::int64_t kStartNs = std::int64_t{3600} * 1'000'000'000;
constexpr std::size_t kMostInterned = 1 << 16;

// Kinds of tracks, in the upper bits of their keys; a thread's numbers have 24 and 26 bits.
constexpr std::uint64_t kProcessTracks = std::uint64_t{1} << 60;
constexpr std::uint64_t kCounterTracks = std::uint64_t{2} << 60;
constexpr std::uint64_t kAsyncTracks = std::uint64_t{4} << 60;

class PerfettoTrace : public PictureFormat {
 public:
  void begin(TextBuffer& out, std::int64_t start_utc_ns) override {
    packet(out, std::nullopt, [&](pbf_writer& packet) {
      packet.add_uint32(packet::kSequenceFlags, kStateCleared);
      {
        pbf_writer defaults(packet, packet::kDefaults);
        defaults.add_uint32(58, kMonotonic);  // timestamp_clock_id
      }
      pbf_writer snapshot(packet, packet::kClockSnapshot);
      for (const auto& [clock, ns] :
           {std::pair(kMonotonic, kStartNs), {kBoottime, kStartNs}, {kRealtime, start_utc_ns}}) {
        pbf_writer each(snapshot, 1);
        each.add_uint32(1, clock);
        each.add_uint64(2, static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 0)));
      }
    });
  }

  void end(TextBuffer&) override {}

  void name_process(TextBuffer& out, std::int64_t process, std::string_view name) override {
    std::string text;
    describe(out, process_uuid(process), [&](pbf_writer& track) {
      pbf_writer each(track, descriptor::kProcess);
      each.add_int32(1, static_cast<std::int32_t>(process));
      each.add_string(6, view_of(as_utf8(name, &text)));
    });
  }

  void name_track(TextBuffer& out, PictureTrack track, std::string_view name, bool is_thread) override {
    std::string text;
    const std::string_view shown = as_utf8(name, &text);
    describe(out, uuid_of(track), [&](pbf_writer& described) {
      if (!is_thread) {
        described.add_string(descriptor::kName, view_of(shown));
        described.add_uint64(descriptor::kParent, process_uuid(track.process));
        return;
      }
      pbf_writer each(described, descriptor::kThread);
      each.add_int32(1, static_cast<std::int32_t>(track.process));
      each.add_int64(2, track.thread);
      each.add_string(5, view_of(shown));
    });
    if (!is_thread) return;
    // For its states, which are separate from tracks.
    packet(out, std::nullopt, [&](pbf_writer& packet) {
      pbf_writer tree(packet, packet::kProcessTree);
      pbf_writer each(tree, 2);
      each.add_int64(1, track.thread);
      each.add_int64(2, track.process);
      each.add_string(3, view_of(shown));
    });
  }

  void begin_slice(TextBuffer& out, std::int64_t ns, PictureTrack track, const PictureSlice& slice) override {
    event(out, ns, {track_event::kBegin, uuid_of(track)}, &slice);
  }

  void end_slice(TextBuffer& out, std::int64_t ns, PictureTrack track, const PictureSlice& slice) override {
    event(out, ns, {track_event::kEnd, uuid_of(track)}, &slice);
  }

  void begin_async(TextBuffer& out, std::int64_t ns, PictureTrack track, std::uint64_t id,
                   const PictureSlice& slice) override {
    const std::uint64_t track_id = kAsyncTracks | id >> 3;
    ++open_async_[track_id];
    event(out, ns, {track_event::kBegin, async_uuid(out, track_id, track, slice.name)}, &slice);
  }

  void end_async(TextBuffer& out, std::int64_t ns, PictureTrack track, std::uint64_t id,
                 const PictureSlice& slice) override {
    const std::uint64_t track_id = kAsyncTracks | id >> 3;
    event(out, ns, {track_event::kEnd, async_uuid(out, track_id, track, slice.name)}, &slice);
    const auto open = open_async_.find(track_id);
    if (open != open_async_.end() && --open->second > 0) return;
    if (open != open_async_.end()) open_async_.erase(open);
    uuids_.erase(track_id);
  }

  void instant(TextBuffer& out, std::int64_t ns, PictureTrack track, const PictureSlice& slice,
               const std::optional<PictureFlow>& flow) override {
    event(out, ns, {track_event::kInstant, uuid_of(track), flow ? &*flow : nullptr}, &slice);
  }

  void counter(TextBuffer& out, std::int64_t ns, PictureTrack track, std::uint32_t number,
               const Counters::Counter& counter) override {
    const bool is_new = !uuids_.contains(kCounterTracks | number);
    const std::uint64_t uuid = uuid_of(kCounterTracks | number);
    if (is_new) {
      std::string text;
      describe(out, uuid, [&](pbf_writer& described) {
        described.add_string(descriptor::kName, view_of(as_utf8(counter.name, &text)));
        described.add_uint64(descriptor::kParent, process_uuid(track.process));
        pbf_writer each(described, descriptor::kCounter);
        if (!counter.unit.empty()) each.add_string(6, view_of(as_utf8(counter.unit, &text)));
      });
    }
    packet(out, ns, [&](pbf_writer& packet) {
      pbf_writer event(packet, packet::kTrackEvent);
      event.add_enum(track_event::kType, track_event::kCounter);
      event.add_uint64(track_event::kTrack, uuid);
      event.add_double(track_event::kDoubleValue, counter.value);
    });
  }

  bool sample(TextBuffer& out, std::int64_t ns, PictureTrack track, const PictureSample& sample) override {
    constexpr std::int32_t kUserMode = 2;
    interned_.clear();
    const std::uint64_t stack = stacks_.number_of(sample, &interned_);
    sampled_ns_ += sample.weight_ns;
    packet(out, ns, [&](pbf_writer& packet) {
      packet.add_uint32(packet::kSequenceFlags, kNeedsState);
      {
        pbf_writer each(packet, packet::kPerfSample);
        each.add_uint32(2, static_cast<std::uint32_t>(track.process));
        each.add_uint32(3, static_cast<std::uint32_t>(track.thread));
        each.add_uint64(4, stack);
        each.add_enum(5, kUserMode);
        each.add_uint64(6, sampled_ns_);
      }
      if (!interned_.empty()) packet.add_message(packet::kInternedData, interned_);
    });
    return true;
  }

  void state(TextBuffer& out, std::int64_t ns, PictureTrack track, std::string_view name, ThreadState state,
             std::int64_t cpu) override {
    constexpr int kStates[] = {task_state::kCreated,  task_state::kRunnable, task_state::kRunning,
                               task_state::kSleeping, task_state::kUnknown,  task_state::kDead};
    ThreadState& before = states_[track];
    // Running twice in a row is an error there: it was runnable before another cpu ran it.
    if (before == ThreadState::kRunning && state == ThreadState::kRunning) {
      append_state(out, ns, track, name, task_state::kRunnable, 0);
    }
    before = state;
    outside_ += state == ThreadState::kOutside ? 1 : 0;
    append_state(out, ns, track, name, kStates[static_cast<std::size_t>(state)], cpu);
    if (state == ThreadState::kEnded) states_.erase(track);
  }

  void end_session(TextBuffer&, std::int64_t) override {}

  std::vector<std::string> left_out() const override {
    constexpr const char* kOutside =
        " times a thread ran where no event records it, for which Perfetto has no state: it is unknown there";
    std::vector<std::string> sentences;
    add_counted(outside_, kOutside, kOutside, &sentences);
    add_counted(too_early_, " time is more than an hour before the first session begins: written as an hour before",
                " times are more than an hour before the first session begins: written as an hour before", &sentences);
    return sentences;
  }

 private:
  // Numbers that replace texts once a packet has defined them.
  using Interned = std::unordered_map<std::string, std::uint64_t>;
  struct EventKind {
    int type = 0;  // a TrackEvent.Type
    std::uint64_t track = 0;
    const PictureFlow* flow = nullptr;
  };

  // Small ones, because each event has one.
  std::uint64_t uuid_of(std::uint64_t track) {
    const auto [known, is_new] = uuids_.try_emplace(track, next_uuid_);
    next_uuid_ += is_new ? 1 : 0;
    return known->second;
  }

  std::uint64_t uuid_of(PictureTrack track) {
    return uuid_of(static_cast<std::uint64_t>(track.process) << 32 | static_cast<std::uint64_t>(track.thread));
  }

  std::uint64_t process_uuid(std::int64_t process) {
    return uuid_of(kProcessTracks | static_cast<std::uint64_t>(process));
  }

  // Each id has its own track below the thread's, for as long as something is open on it.
  std::uint64_t async_uuid(TextBuffer& out, std::uint64_t track_id, PictureTrack track, std::string_view name) {
    const bool is_new = !uuids_.contains(track_id);
    const std::uint64_t uuid = uuid_of(track_id);
    if (is_new) {
      std::string text;
      const std::uint64_t parent = uuid_of(track);
      describe(out, uuid, [&](pbf_writer& described) {
        described.add_string(descriptor::kName, view_of(as_utf8(name, &text)));
        described.add_uint64(descriptor::kParent, parent);
      });
    }
    return uuid;
  }

  // Times are unsigned 64-bit numbers.
  std::uint64_t time_of(std::int64_t ns) {
    too_early_ += ns < -kStartNs ? 1 : 0;
    return static_cast<std::uint64_t>(kStartNs) + static_cast<std::uint64_t>(std::max(ns, -kStartNs));
  }

  // Appends a packet; `fill` writes everything except its time, if it has one, and its sequence.
  template <typename Fill>
  void packet(TextBuffer& out, std::optional<std::int64_t> ns, Fill fill) {
    packet_.clear();
    {
      pbf_writer packet(packet_);
      if (ns) packet.add_uint64(packet::kTimestamp, time_of(*ns));
      packet.add_uint32(packet::kSequenceId, kSequence);
      fill(packet);
    }
    trace_.clear();
    pbf_writer(trace_).add_message(trace::kPacket, packet_);
    out += trace_;
  }

  template <typename Fill>
  void describe(TextBuffer& out, std::uint64_t uuid, Fill fill) {
    packet(out, std::nullopt, [&](pbf_writer& packet) {
      pbf_writer track(packet, packet::kTrackDescriptor);
      track.add_uint64(descriptor::kUuid, uuid);
      fill(track);
    });
  }

  void event(TextBuffer& out, std::int64_t ns, const EventKind& kind, const PictureSlice* slice) {
    event_.clear();
    interned_.clear();
    needs_state_ = false;
    {
      pbf_writer event(event_);
      event.add_enum(track_event::kType, kind.type);
      event.add_uint64(track_event::kTrack, kind.track);
      if (slice != nullptr && kind.type != track_event::kEnd) {
        needs_state_ = true;
        std::string text;
        const std::string_view name = as_utf8(slice->name, &text);
        const std::uint64_t number = intern(name, interned::kNames, &names_);
        number > 0 ? event.add_uint64(track_event::kNameId, number)
                   : event.add_string(track_event::kName, view_of(name));
        event.add_uint64(track_event::kCategoryIds, intern(slice->category, interned::kCategories, &categories_));
      }
      if (slice != nullptr && slice->event != nullptr) append_fields(*slice->event);
      if (kind.flow != nullptr) {
        event.add_fixed64(kind.flow->leaves ? track_event::kFlows : track_event::kTerminatingFlows, kind.flow->id);
      }
    }
    packet(out, ns, [&](pbf_writer& packet) {
      if (needs_state_) packet.add_uint32(packet::kSequenceFlags, kNeedsState);
      packet.add_message(packet::kTrackEvent, event_);
      if (!interned_.empty()) packet.add_message(packet::kInternedData, interned_);
    });
  }

  // Its number, which the packet defines if it is new; 0: there are too many, so write the text itself.
  std::uint64_t intern(std::string_view text, interned::Kind kind, Interned* known) {
    const auto found = known->find(std::string(text));
    if (found != known->end()) return found->second;
    if (known->size() == kMostInterned) return 0;
    const std::uint64_t number = known->size() + 1;
    known->emplace(text, number);
    pbf_writer all(interned_);
    pbf_writer each(all, kind);
    each.add_uint64(1, number);
    each.add_string(2, view_of(text));
    return number;
  }

  // Appends them to event_.
  void append_fields(const Event& event) {
    pbf_writer to(event_);
    FieldWalker walker = event.values();
    while (const std::optional<Value> value = walker.next()) {
      if (is_drawn(value->field())) continue;
      needs_state_ = true;
      pbf_writer annotation(to, track_event::kAnnotations);
      std::string text;
      const std::string_view name = as_utf8(value->field().name, &text);
      const std::uint64_t number = intern(name, interned::kFieldNames, &field_names_);
      number > 0 ? annotation.add_uint64(1, number) : annotation.add_string(10, view_of(name));
      const bool is_number = !value->is_sequence() && value->field().labels.empty() && value->field().scale == 0;
      if (is_number && value->kind() == Kind::kUnsigned) {
        annotation.add_uint64(3, value->as_unsigned());
      } else if (is_number && value->kind() == Kind::kSigned) {
        annotation.add_int64(4, value->as_signed());
      } else if (is_number && value->kind() == Kind::kFloat) {
        annotation.add_double(5, value->as_double());
      } else if (!value->is_sequence() && value->kind() == Kind::kBool) {
        annotation.add_bool(2, value->as_unsigned() != 0);
      } else {
        TextBuffer shown;
        const auto plain = value->is_sequence() ? std::nullopt : append_unless_text(shown, event, *value, made_);
        if (value->is_sequence()) append_json_value(shown, event, *value, made_);
        annotation.add_string(6, view_of(as_utf8(plain ? *plain : shown.text(), &text)));
      }
    }
  }

  void append_state(TextBuffer& out, std::int64_t ns, PictureTrack track, std::string_view name, int state,
                    std::int64_t cpu) {
    std::string text;
    packet(out, ns, [&](pbf_writer& packet) {
      pbf_writer task(packet, packet::kTaskState);
      if (state == task_state::kRunning) task.add_int32(task_state::kCpu, static_cast<std::int32_t>(cpu));
      if (state == task_state::kCreated) task.add_string(task_state::kName, view_of(as_utf8(name, &text)));
      task.add_int64(task_state::kThread, track.thread);
      task.add_enum(task_state::kState, state);
    });
  }

  std::string trace_;
  std::string packet_;
  std::string event_;
  std::string interned_;  // the current packet's
  Interned names_;
  Interned categories_;
  Interned field_names_;
  PerfettoStacks stacks_;
  std::uint64_t sampled_ns_ = 0;  // up to here
  bool needs_state_ = false;      // the current event refers to interned data
  std::unordered_map<std::uint64_t, std::uint64_t> uuids_;
  std::uint64_t next_uuid_ = 1;
  std::unordered_map<std::uint64_t, std::uint64_t> open_async_;  // number of slices, by their track
  std::map<PictureTrack, ThreadState> states_;
  TextBuffer made_;
  std::uint64_t outside_ = 0;
  std::uint64_t too_early_ = 0;
};

}  // namespace

std::unique_ptr<TimelineExport> perfetto_trace() {
  return std::make_unique<TimelinePicture>(std::make_unique<PerfettoTrace>());
}

}  // namespace evt
