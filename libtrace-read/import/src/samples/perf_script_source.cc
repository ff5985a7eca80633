// What `perf script` prints of samples.
#include <evt/events.h>
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <vector>

#include "libtrace-read/core/src/source/importer.h"
#include "libtrace-read/import/src/importers.h"
#include "line_reader.h"
#include "perf_line.h"
#include "sampled_trace.h"

namespace evt {
namespace samples {
namespace {

class PerfScriptReader {
 public:
  explicit PerfScriptReader(ByteSource& file) : lines_(file), trace_(file, "perf script") {}

  Result<std::unique_ptr<ByteSource>> run() {
    while (lines_.next()) {
      const std::string_view line = lines_.line();
      if (lines_.is_too_long()) {
        refuse(fmt::format("is longer than {} KiB", LineReader::kMax >> 10));
      } else if (line.empty()) {
        end_sample();
      } else if (!line.starts_with('#')) {
        take(line);
      }
    }
    end_sample();
    note_weights();
    return trace_.finish();
  }

 private:
  static constexpr std::size_t kMaxFrames = 4096;
  static constexpr std::size_t kMaxEvents = 4096;
  static constexpr std::string_view kOtherEvents = "others";

  struct Frame {
    std::string function;
    std::string module{};
    std::uint32_t line = 0;
    bool is_inlined = false;
  };
  struct Event {
    std::uint32_t type = 0;
    bool is_time = false;  // its periods are nanoseconds
    std::uint64_t no_period = 0;
  };

  void take(std::string_view line) {
    if (const auto front = perf_front(line)) return begin_sample(*front);
    const bool is_indented = line.starts_with(' ') || line.starts_with('\t');
    if (!is_indented) return refuse("is neither the front of a sample (COMMAND TID TIME: PERIOD EVENT:) nor a frame");
    if (!is_open_) return refuse("is a frame of no sample");
    if (const auto frame = perf_frame(line)) return add_frame(*frame);
    if (const auto number = perf_source_line(line); number && !frames_.empty()) {
      frames_.back().line = *number;
    } else {
      trace_.note(damage_here("is no frame: ADDRESS FUNCTION+0xOFFSET (MODULE)"));
    }
  }

  void begin_sample(const PerfFront& front) {
    end_sample();
    sample_.ns = front.ns;
    if (front.is_record) return;
    is_open_ = true;
    // Events beyond the limits are one.
    const std::string_view name_of_event =
        events_.size() < kMaxEvents || events_.contains(std::string(front.event)) ? front.event : kOtherEvents;
    Event& event = events_[std::string(name_of_event)];
    if (event.type == 0) {
      event.type = trace_.type(fmt::format("perf.{}", name_of_event));
      event.is_time = front.event.starts_with("cpu-clock") || front.event.starts_with("task-clock");
    }
    if (event.is_time && !front.period) ++event.no_period;
    const std::string name(front.command);
    sample_ = {front.ns,
               trace_.thread(fmt::format("{}/{}", front.process, front.thread), {name, front.thread, front.process}),
               event.type, front.period.value_or(1)};
    const auto frame = front.is_tracepoint() ? std::nullopt : perf_frame(front.rest);
    if (frame) add_frame(*frame);
  }

  void add_frame(const PerfFrame& frame) {
    if (frames_.size() == kMaxFrames) return;
    if (!frame.is_inlined) {
      for (std::size_t i = frames_.size(); i-- > 0 && frames_[i].is_inlined && frames_[i].module.empty();) {
        frames_[i].module = frame.module;
      }
    }
    const std::string_view file = frame.module.substr(frame.module.rfind('/') + 1);
    const std::string unknown = file.empty()            ? std::string(events::kUnknownName)
                                : file.starts_with('[') ? std::string(file)
                                                        : fmt::format("[{}]", file);
    frames_.push_back({frame.function.empty() ? unknown : std::string(frame.function), std::string(frame.module), 0,
                       frame.is_inlined});
  }

  void end_sample() {
    if (!is_open_) return;
    is_open_ = false;
    if (frames_.empty()) frames_.push_back({std::string(events::kUnknownName)});
    numbers_.clear();
    for (const Frame& frame : frames_) numbers_.push_back(trace_.frame({frame.function, frame.module, frame.line}));
    frames_.clear();
    if (!trace_.add(sample_, numbers_)) refuse("begins after samples whose periods add up to 2^61");
  }

  void refuse(std::string_view why) { trace_.lose(damage_here(why), sample_.ns); }

  Damage damage_here(std::string_view why) const {
    return {lines_.offset(), lines_.size(), fmt::format("line {} {}", lines_.number(), why)};
  }

  // Weights that are no times.
  void note_weights() {
    constexpr std::size_t kMost = 8;
    std::size_t noted = 0;
    for (const auto& [name, event] : events_) {
      if (event.is_time && event.no_period == 0) continue;
      if (++noted > kMost) continue;
      trace_.note(event.is_time ? fmt::format("{}: samples without a period count as 1 ns each", name)
                                : fmt::format("{} is no clock: its periods are read as nanoseconds", name));
    }
    if (noted > kMost) trace_.note(fmt::format("{} more events are no clocks, or have no periods", noted - kMost));
  }

  LineReader lines_;
  SampledTrace trace_;
  std::map<std::string, Event> events_;
  bool is_open_ = false;  // a sample has begun
  SampledTrace::Sample sample_;
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace
}  // namespace samples

// The first line that is no comment is the front of a sample.
bool is_perf_script(Bytes front) {
  std::string_view text(reinterpret_cast<const char*>(front.data()), std::min(front.size(), Importer::kBytes));
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!line.empty() && !line.starts_with('#')) return samples::perf_front(line).has_value();
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return false;
}

Result<std::unique_ptr<ByteSource>> open_perf_script(std::unique_ptr<ByteSource> file) {
  return samples::PerfScriptReader(*file).run();
}

}  // namespace evt
