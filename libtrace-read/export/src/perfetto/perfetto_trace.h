// Perfetto's trace as protobuf: a Trace of TracePackets (google/perfetto, protos/perfetto/trace/perfetto_trace.proto).
// All packets are of one sequence, by clock MONOTONIC.
#pragma once

#include <map>
#include <string>
#include <unordered_map>

#include "libtrace-read/export/src/picture/picture_format.h"

namespace evt {

class PerfettoTrace : public PictureFormat {
 public:
  void begin(TextBuffer& out, std::int64_t start_utc_ns) override;
  void end(TextBuffer&) override {}
  void name_process(TextBuffer& out, std::int64_t process, std::string_view name) override;
  void name_track(TextBuffer& out, PictureTrack track, std::string_view name, bool is_thread) override;
  void begin_slice(TextBuffer& out, std::int64_t ns, PictureTrack track, const PictureSlice& slice) override;
  void end_slice(TextBuffer& out, std::int64_t ns, PictureTrack track, const PictureSlice& slice) override;
  void begin_async(TextBuffer& out, std::int64_t ns, PictureTrack track, std::uint64_t id,
                   const PictureSlice& slice) override;
  void end_async(TextBuffer& out, std::int64_t ns, PictureTrack track, std::uint64_t id,
                 const PictureSlice& slice) override;
  void instant(TextBuffer& out, std::int64_t ns, PictureTrack track, const PictureSlice& slice,
               const std::optional<PictureFlow>& flow) override;
  void counter(TextBuffer& out, std::int64_t ns, PictureTrack track, std::uint32_t number,
               const Counters::Counter& counter) override;
  void state(TextBuffer& out, std::int64_t ns, PictureTrack track, std::string_view name, ThreadState state,
             std::int64_t cpu) override;
  void end_session(TextBuffer&, std::int64_t) override {}
  std::vector<std::string> left_out() const override;

 private:
  // What texts are called once a packet has had them: they have numbers from then on.
  class Interned {
   public:
    // Its number; 0: there are too many, and it is to be written as it is. `is_new`: the packet must have it.
    std::uint64_t number_of(std::string_view text, bool* is_new);

   private:
    std::unordered_map<std::string, std::uint64_t> numbers_;
  };
  struct EventKind {
    int type = 0;  // of TrackEvent.Type
    std::uint64_t track = 0;
    const PictureFlow* flow = nullptr;
  };

  std::uint64_t uuid_of(std::uint64_t track);
  std::uint64_t uuid_of(PictureTrack track);
  std::uint64_t process_uuid(std::int64_t process);
  std::uint64_t async_uuid(TextBuffer& out, std::uint64_t track_id, PictureTrack track, std::string_view name);
  std::uint64_t time_of(std::int64_t ns);
  // Appends one, of which `fill` writes all but its time, if it has one, and its sequence.
  template <typename Fill>
  void packet(TextBuffer& out, std::optional<std::int64_t> ns, Fill fill);
  template <typename Fill>
  void describe(TextBuffer& out, std::uint64_t uuid, Fill fill);
  void event(TextBuffer& out, std::int64_t ns, const EventKind& kind, const PictureSlice* slice);
  void append_fields(const Event& event);  // to event_
  void append_state(TextBuffer& out, std::int64_t ns, PictureTrack track, std::string_view name, int state,
                    std::int64_t cpu);

  std::string trace_;
  std::string packet_;
  std::string event_;
  std::string interned_;  // of the packet in the making
  Interned names_;
  Interned categories_;
  Interned field_names_;
  bool needs_state_ = false;  // the event in the making refers to what was interned
  std::unordered_map<std::uint64_t, std::uint64_t> uuids_;
  std::uint64_t next_uuid_ = 1;
  std::unordered_map<std::uint64_t, std::uint64_t> open_async_;  // how many slices, by their track
  std::map<PictureTrack, ThreadState> states_;
  TextBuffer made_;
  std::uint64_t outside_ = 0;
  std::uint64_t too_early_ = 0;
};

}  // namespace evt
