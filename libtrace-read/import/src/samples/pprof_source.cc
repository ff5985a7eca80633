// A profile of pprof, decompressed.
#include <evt/events.h>
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "libtrace-read/core/src/base/pprof_fields.h"
#include "libtrace-read/import/src/importers.h"
#include "pprof_tables.h"
#include "sampled_trace.h"

namespace evt {
namespace samples {
namespace {

using namespace pprof_fields;

constexpr std::uint64_t kMaxProfile = 64 << 20;  // bytes, which are in memory

std::uint64_t ns_in(std::string_view unit) {
  if (unit == "nanoseconds") return 1;
  if (unit == "microseconds") return 1'000;
  if (unit == "milliseconds") return 1'000'000;
  return unit == "seconds" ? 1'000'000'000 : 0;
}

bool is_value_type(Bytes message) {
  ProtoFields type(message);
  return type.next() && type.tag() == value_type::kType && !type.is_bytes() && type.next() &&
         type.tag() == value_type::kUnit && !type.is_bytes() && !type.next() && type.ok();
}

class PprofReader {
 public:
  explicit PprofReader(ByteSource& file) : file_(file), trace_(file, "pprof") {}

  Result<std::unique_ptr<ByteSource>> run() {
    if (file_.size() > kMaxProfile) return no_profile(fmt::format("it has more than {} MiB", kMaxProfile >> 20));
    bytes_.resize(static_cast<std::size_t>(file_.size()));
    bytes_.resize(file_.read_at(0, bytes_.data(), bytes_.size()));
    read_tables();
    if (tables_.value_types().empty()) return no_profile("it states no type of its values");
    choose_values();
    count_samples();
    if (!count_) trace_.set_sums(type_);
    read_samples();
    note_left_out();
    return trace_.finish();
  }

 private:
  static constexpr std::size_t kMostValues = 1024;       // a sample has: no profile has as many types
  static constexpr std::uint64_t kMostEach = 1'000'000;  // samples that have events of their own
  static constexpr std::size_t kMaxFrames = 513;         // one more than a trace keeps
  static constexpr std::size_t kMaxBad = 10'000;

  struct Sample {
    std::vector<std::uint32_t> frames;
    std::vector<std::uint64_t> values;
    std::string thread;
  };

  Status no_profile(const std::string& why) const {
    return {Code::kNotATrace, fmt::format("{} is a profile of pprof that evt does not read: {}", file_.name(), why)};
  }

  void read_tables() {
    ProtoFields profile(bytes_);
    while (profile.next()) {
      if (!tables_.take(profile) && bad_.size() < kMaxBad) bad_.push_back(profile.begin());
    }
    trace_.set_start_utc_ns(tables_.time_ns());
  }

  std::string type_text(std::size_t at) const {
    const PprofTables::ValueType& type = tables_.value_types()[at];
    return fmt::format("{} ({})", tables_.text(type.type), tables_.text(type.unit));
  }

  // The profile's own choice if it is a time, else the last time; without any, its own choice, else the last value.
  void choose_values() {
    const auto& types = tables_.value_types();
    std::optional<std::size_t> time;
    std::optional<std::size_t> own;
    for (std::size_t i = 0; i < types.size(); ++i) {
      const bool is_own = tables_.default_type() != 0 && types[i].type == tables_.default_type();
      if (is_own) own = i;
      if (ns_in(tables_.text(types[i].unit)) != 0 && (is_own || !time || time != own)) time = i;
      if (tables_.text(types[i].unit) == "count" && !count_) count_ = i;
    }
    value_ = time.value_or(own.value_or(types.size() - 1));
    if (!time) trace_.note(fmt::format("{} is no time: its values are read as nanoseconds", type_text(value_)));
    if (!time) count_.reset();
    if (time) unit_ns_ = ns_in(tables_.text(types[value_].unit));
    // Go's profiles of goroutines that wait.
    type_ = trace_.type("pprof.sample", tables_.text(types[value_].type) == "delay");
    std::vector<std::string> others;
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (i != value_ && i != count_) others.push_back(type_text(i));
    }
    if (!others.empty()) trace_.note(fmt::format("values left out: {}", fmt::join(others, ", ")));
  }

  void count_samples() {
    ProtoFields profile(bytes_);
    std::uint64_t sum = 0;
    while (count_ && profile.next()) {
      if (profile.tag() != profile::kSample) continue;
      read_values(profile.bytes(), &sample_);
      sum += count_of(sample_);
      if (sum <= kMostEach) continue;
      count_.reset();
      trace_.note(fmt::format("it has more than {} samples: those of one stack are one event", kMostEach));
    }
  }

  std::uint64_t count_of(const Sample& sample) const {
    const std::uint64_t count = count_ && *count_ < sample.values.size() ? sample.values[*count_] : 1;
    return std::clamp<std::uint64_t>(count, 1, kMostEach + 1);
  }

  static bool read_values(Bytes message, Sample* sample) {
    sample->values.clear();
    ProtoFields fields(message);
    while (fields.next()) {
      if (fields.tag() != sample::kValues) continue;
      fields.each_number([&](std::uint64_t value) {
        if (sample->values.size() < kMostValues) sample->values.push_back(value);
      });
    }
    return fields.ok();
  }

  void read_samples() {
    ProtoFields profile(bytes_);
    auto bad = bad_.begin();
    while (profile.next()) {
      if (bad != bad_.end() && *bad == profile.begin()) {
        trace_.note(
            Damage{profile.begin(), profile.end() - profile.begin(), "a part of it claims more bytes than it has"});
        ++bad;
      }
      if (profile.tag() != profile::kSample) continue;
      if (const char* const why = take_sample(profile.bytes())) {
        trace_.lose({profile.begin(), profile.end() - profile.begin(), why}, trace_.weight_ns());
      }
    }
    if (profile.ok()) return;
    trace_.lose(
        {profile.begin(), bytes_.size() - profile.begin(), "the profile ends inside a field, or is none from here on"},
        trace_.weight_ns());
  }

  // Returns why it is left out, if it is.
  const char* take_sample(Bytes message) {
    if (!read_values(message, &sample_)) return "a part of it claims more bytes than it has";
    if (sample_.values.size() != tables_.value_types().size()) return "it has not one value of each type";
    read_stack(message);
    const auto value = static_cast<std::int64_t>(sample_.values[value_]);
    if (value < 0) return "its value is negative";
    if (static_cast<std::uint64_t>(value) > UINT64_MAX / unit_ns_) return "its value is out of range";
    return put(static_cast<std::uint64_t>(value) * unit_ns_);
  }

  const char* put(std::uint64_t weight) {
    if (weight == 0) return nullptr;
    const std::uint32_t thread = trace_.thread(sample_.thread, {sample_.thread.empty() ? "profile" : sample_.thread});
    const std::uint64_t count = count_of(sample_);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t part = weight / count + (i == 0 ? weight % count : 0);
      if (!trace_.add({trace_.weight_ns(), thread, type_, part}, sample_.frames))
        return "the values add up to more than 2^61 ns";
    }
    return nullptr;
  }

  void read_stack(Bytes message) {
    sample_.frames.clear();
    sample_.thread.clear();
    ProtoFields fields(message);
    while (fields.next()) {
      if (fields.tag() == sample::kLocations) fields.each_number([&](std::uint64_t id) { add_frames(id); });
      if (fields.tag() == sample::kLabel) read_label(fields.bytes());
    }
    if (sample_.frames.empty()) sample_.frames.push_back(trace_.frame({events::kUnknownName}));
  }

  void read_label(Bytes message) {
    std::string_view key;
    std::string value;
    ProtoFields fields(message);
    while (fields.next()) {
      if (fields.tag() == label::kKey) key = tables_.text(fields.number());
      if (fields.tag() == label::kText && fields.number() != 0) value = tables_.text(fields.number());
      if (fields.tag() == label::kNumber && fields.number() != 0) value = fmt::format("thread {}", fields.number());
    }
    if (key == "thread") {
      sample_.thread = value;
    } else {
      has_other_labels_ = true;
    }
  }

  void add_frames(std::uint64_t id) {
    if (sample_.frames.size() >= kMaxFrames) return;
    PprofTables::Location* const location = tables_.location(id);
    if (location == nullptr) return sample_.frames.push_back(trace_.frame({events::kUnknownName}));
    const PprofTables::Mapping mapping = tables_.mapping(location->mapping);
    const std::string_view module = tables_.text(mapping.file);
    if (location->line_count == 0) {
      if (location->frame == 0) location->frame = trace_.frame({place_in(module, *location, mapping), module});
      return sample_.frames.push_back(location->frame);
    }
    for (std::uint32_t i = 0; i < location->line_count && sample_.frames.size() < kMaxFrames; ++i) {
      PprofTables::Line& line = tables_.lines(*location)[i];
      const std::string_view name = tables_.function_name(line.function);
      if (line.frame == 0) line.frame = trace_.frame({name.empty() ? events::kUnknownName : name, module, line.number});
      sample_.frames.push_back(line.frame);
    }
  }

  static std::string place_in(std::string_view module, const PprofTables::Location& location,
                              const PprofTables::Mapping& mapping) {
    if (module.empty()) return fmt::format("0x{:x}", location.address);
    return fmt::format("{}+0x{:x}", module.substr(module.rfind('/') + 1),
                       location.address - mapping.start + mapping.offset);
  }

  void note_left_out() {
    if (has_other_labels_) trace_.note("labels other than thread are left out");
    if (tables_.left_out() == 0) return;
    trace_.note(Damage{
        file_.size(), 0,
        fmt::format("its tables have more than {} entries: {} are left out", PprofTables::kMost, tables_.left_out())});
  }

  ByteSource& file_;
  SampledTrace trace_;
  std::vector<std::byte> bytes_;
  PprofTables tables_;
  std::vector<std::uint64_t> bad_;    // offsets of fields of the tables
  std::size_t value_ = 0;             // among the values of a sample
  std::optional<std::size_t> count_;  // how many samples it stands for
  std::uint64_t unit_ns_ = 1;
  std::uint32_t type_ = 0;
  Sample sample_;
  bool has_other_labels_ = false;
};

}  // namespace
}  // namespace samples

// A profile begins with a type of values, which is two numbers, or with its texts, the first of which is empty. Numbers
// about the whole profile may be in front.
bool is_pprof(Bytes front) {
  samples::ProtoFields profile(front.first(std::min<std::size_t>(front.size(), 256)));
  while (profile.next()) {
    const std::uint64_t tag = profile.tag();
    if (tag == pprof_fields::profile::kSampleType) return samples::is_value_type(profile.bytes());
    if (tag == pprof_fields::profile::kText && profile.is_bytes())
      return profile.end() == 2 && front.size() > 2 && front[2] == front[0];
    const bool is_value_type = tag == pprof_fields::profile::kPeriodType && samples::is_value_type(profile.bytes());
    if (tag < pprof_fields::profile::kTime || (profile.is_bytes() && !is_value_type)) return false;
  }
  return false;
}

Result<std::unique_ptr<ByteSource>> open_pprof(std::unique_ptr<ByteSource> file) {
  return samples::PprofReader(*file).run();
}

}  // namespace evt
