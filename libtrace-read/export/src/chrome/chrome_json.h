// Chrome's Trace Event Format, JSON object format ("Trace Event Format", the document of the Chromium project): one
// event a line, times in microseconds with three decimals.
#pragma once

#include <map>
#include <set>

#include "libtrace-read/export/src/picture/picture_format.h"

namespace evt {

class ChromeJson : public PictureFormat {
 public:
  void begin(TextBuffer& out, std::int64_t start_utc_ns) override;
  void end(TextBuffer& out) override;
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
  // What is read again has each with the stream that it was on.
  bool counters_have_threads() const override { return true; }
  void state(TextBuffer& out, std::int64_t ns, PictureTrack track, std::string_view name, ThreadState state,
             std::int64_t cpu) override;
  void end_session(TextBuffer& out, std::int64_t ns) override;
  std::vector<std::string> left_out() const override;

 private:
  // What runs on a cpu.
  struct Running {
    std::int64_t since_ns = 0;
    std::int64_t cpu = 0;
    std::string name;
  };

  void name(TextBuffer& out, std::int64_t process, std::optional<std::int64_t> thread, std::string_view name);
  void async(TextBuffer& out, char phase, std::int64_t ns, PictureTrack track, std::uint64_t id,
             const PictureSlice& slice);
  void append_id(TextBuffer& out, std::uint64_t id) const;
  void begin_object(TextBuffer& out, char phase);
  void begin_event(TextBuffer& out, char phase, std::int64_t ns, PictureTrack track);
  void append_slice(TextBuffer& out, const PictureSlice& slice, bool has_category);
  void stop_running(TextBuffer& out, std::int64_t ns, const Running& running);

  TextBuffer made_;
  bool has_any_ = false;
  std::map<PictureTrack, Running> running_;
  std::set<std::int64_t> named_cpus_;
  std::uint64_t states_ = 0;  // that are not drawn
};

}  // namespace evt
