// The interface to the writers of picture formats.
#pragma once

#include <evt/analysis/counters.h>
#include <evt/analysis/stated_stacks.h>
#include <evt/text/text_buffer.h>
#include <evt/timeline.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace evt {

// A row of a picture: a thread of a process, by the numbers that formats have for both.
struct PictureTrack {
  std::int64_t process = 0;
  std::int64_t thread = 0;

  auto operator<=>(const PictureTrack&) const = default;
};

// A slice on a track.
struct PictureSlice {
  std::string_view name;
  const char* category = "";
  const Event* event = nullptr;  // with its fields that are not is_drawn(); null for none
  bool is_open = false;          // at an end: it has not ended, but the session has
  bool is_cut = false;           // at an end: cut by the end of its enclosing one, or of its thread
  bool is_uncertain = false;     // at an end: it may belong to another
};

// Fields that a picture shows by position, or by name: they are not among those of a slice.
constexpr bool is_drawn(const Field& field) {
  return field.role == Role::kThread || field.role == Role::kName || field.role == Role::kFunction ||
         field.role == Role::kDuration;
}

// An arrow from one event to another.
struct PictureFlow {
  std::uint64_t id = 0;  // the same at both ends
  bool leaves = false;   // else it arrives
};

// A thread ran here, for so much of its processor time.
struct PictureSample {
  const StatedStacks& stacks;
  const std::vector<std::uint32_t>& frames;  // their numbers there, the innermost first
  std::uint64_t weight_ns = 0;
};

// Times are ns since the earliest session began.
class PictureFormat {
 public:
  PictureFormat() = default;
  PictureFormat(const PictureFormat&) = delete;
  PictureFormat& operator=(const PictureFormat&) = delete;
  virtual ~PictureFormat() = default;

  // `start_utc_ns`: when the earliest session began, since 1970.
  virtual void begin(TextBuffer& out, std::int64_t start_utc_ns) = 0;
  virtual void end(TextBuffer& out) = 0;

  // Called before anything is drawn on it; again if its name changes.
  virtual void name_process(TextBuffer& out, std::int64_t process, std::string_view name) = 0;
  virtual void name_track(TextBuffer& out, PictureTrack track, std::string_view name, bool is_thread) = 0;

  // Slices of a track begin and end in order, nested in one another.
  virtual void begin_slice(TextBuffer& out, std::int64_t ns, PictureTrack track, const PictureSlice& slice) = 0;
  virtual void end_slice(TextBuffer& out, std::int64_t ns, PictureTrack track, const PictureSlice& slice) = 0;
  // Those that may overlap others; each by its `id`.
  virtual void begin_async(TextBuffer& out, std::int64_t ns, PictureTrack track, std::uint64_t id,
                           const PictureSlice& slice) = 0;
  virtual void end_async(TextBuffer& out, std::int64_t ns, PictureTrack track, std::uint64_t id,
                         const PictureSlice& slice) = 0;
  virtual void instant(TextBuffer& out, std::int64_t ns, PictureTrack track, const PictureSlice& slice,
                       const std::optional<PictureFlow>& flow) = 0;
  // `number` is the counter's, in the file; the track has no thread unless counters have threads.
  virtual void counter(TextBuffer& out, std::int64_t ns, PictureTrack track, std::uint32_t number,
                       const Counters::Counter& counter) = 0;
  virtual bool counters_have_threads() const { return false; }
  // False: the format has no samples, and this one is an instant.
  virtual bool sample(TextBuffer&, std::int64_t /*ns*/, PictureTrack, const PictureSample&) { return false; }
  // The thread is in this state from now on; `cpu`: where it runs. kUnknown: it exists from now on.
  virtual void state(TextBuffer& out, std::int64_t ns, PictureTrack track, std::string_view name, ThreadState state,
                     std::int64_t cpu) = 0;
  // Unfinished ones continue until this time.
  virtual void end_session(TextBuffer& out, std::int64_t ns) = 0;
  virtual std::vector<std::string> left_out() const = 0;
};

}  // namespace evt
