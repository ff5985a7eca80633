// pprof's profile (google/pprof, proto/profile.proto), compressed by gzip as its readers expect.
#include <evt/format.h>
#include <zlib.h>

#include <algorithm>
#include <map>
#include <new>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "libtrace-read/core/src/base/pprof_fields.h"
#include "libtrace-read/export/src/protobuf/utf8_text.h"
#include "path_export.h"

namespace evt {
namespace {

using protozero::pbf_writer;

using namespace pprof_fields;

constexpr int kGzip = 15 + 16;  // zlib's window and header

void append_gzip(TextBuffer& out, std::string& bytes) {
  z_stream stream = {};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  out += packed;
}

// Some of its samples stand for others, whose number is unknown.
bool has_sums(const Session& session) {
  return std::ranges::any_of(session.facts, [](const Fact& fact) { return fact.key == EVT_FACT_SUMS_OF_SAMPLES; });
}

class Pprof : public PathExport {
 public:
  using PathExport::PathExport;

  void begin(TextBuffer&, const Trace& trace) override {
    for (const Session& session : trace.sessions()) {
      if (start_utc_ns_ == 0 || session.start_utc_ns < start_utc_ns_) start_utc_ns_ = session.start_utc_ns;
    }
    text("");  // its number is 0
    has_counts_ = !is_of_stacks() || std::ranges::none_of(trace.sessions(), has_sums);
    pbf_writer profile(profile_);
    if (has_counts_) add_type(profile, profile::kSampleType, things(), "count");
    if (weight() != PathWeight::kCount) add_type(profile, profile::kSampleType, kind(), "nanoseconds");
  }

  void end_session(TextBuffer&) override {
    finish_session();
    std::vector<std::uint32_t> root_of(nodes().size());
    std::vector<std::uint64_t> path;
    for (std::uint32_t i = 0; i < nodes().size(); ++i) {
      const CallPaths::Node& node = nodes()[i];
      root_of[i] = node.is_root() ? i : root_of[node.parent];
      const std::uint64_t weighs = node.is_root() ? 0 : weight_of(node);
      if (weighs == 0) continue;
      path.clear();
      for (std::uint32_t at = i; !nodes()[at].is_root(); at = nodes()[at].parent) path.push_back(place_of(nodes()[at]));
      const std::string thread = thread_name(nodes()[root_of[i]]);
      pbf_writer profile(profile_);
      pbf_writer sample(profile, profile::kSample);
      sample.add_packed_uint64(sample::kLocations, path.begin(), path.end());
      const std::int64_t values[] = {static_cast<std::int64_t>(node.count), static_cast<std::int64_t>(weighs)};
      sample.add_packed_int64(sample::kValues, values + (has_counts_ ? 0 : 1),
                              values + (weight() == PathWeight::kCount ? 1 : 2));
      pbf_writer label(sample, sample::kLabel);
      label.add_int64(label::kKey, text("thread"));
      label.add_int64(label::kText, text(thread));
    }
  }

  void end(TextBuffer& out) override {
    {
      pbf_writer profile(profile_);
      profile.add_int64(profile::kTime, start_utc_ns_);
      for (const auto& [each, number] : texts_) by_number_[static_cast<std::size_t>(number)] = &each;
      std::string made;
      for (const std::string* const each : by_number_) {
        profile.add_string(profile::kText, view_of(as_utf8(*each, &made)));
      }
    }
    append_gzip(out, profile_);
  }

 private:
  const char* things() const {
    return !is_of_stacks() ? "entries" : weight() == PathWeight::kWaiting ? "waits" : "samples";
  }
  const char* kind() const {
    return weight() == PathWeight::kSamples   ? "cpu"
           : weight() == PathWeight::kWaiting ? "delay"  // as Go calls it
           : weight() == PathWeight::kShare   ? "share"
           : weight() == PathWeight::kWall    ? "wall"
                                              : "running";
  }

  void add_type(pbf_writer& profile, protozero::pbf_tag_type tag, std::string_view type, std::string_view unit) {
    pbf_writer each(profile, tag);
    each.add_int64(value_type::kType, text(type));
    each.add_int64(value_type::kUnit, text(unit));
  }

  std::int64_t text(std::string_view text) {
    const auto [known, is_new] = texts_.try_emplace(std::string(text), static_cast<std::int64_t>(texts_.size()));
    if (is_new) by_number_.push_back(nullptr);
    return known->second;
  }

  // A location, with a function, for each name in each module; a mapping for each module.
  std::uint64_t place_of(const CallPaths::Node& node) {
    const std::string name(name_of(node));
    const std::string module = module_of(node);
    const auto [known, is_new] = places_.try_emplace({name, module}, places_.size() + 1);
    if (!is_new) return known->second;
    const std::uint64_t number = known->second;
    const std::uint64_t mapping = module.empty() ? 0 : mapping_of(module);
    pbf_writer profile(profile_);
    {
      pbf_writer function(profile, profile::kFunction);
      function.add_uint64(function::kId, number);
      function.add_int64(function::kName, text(name));
      function.add_int64(function::kSystemName, text(name));
    }
    pbf_writer location(profile, profile::kLocation);
    location.add_uint64(location::kId, number);
    if (mapping > 0) location.add_uint64(location::kMapping, mapping);
    pbf_writer line(location, location::kLine);
    line.add_uint64(line::kFunction, number);
    return number;
  }

  std::uint64_t mapping_of(const std::string& module) {
    const auto [known, is_new] = mappings_.try_emplace(module, mappings_.size() + 1);
    if (!is_new) return known->second;
    pbf_writer profile(profile_);
    pbf_writer mapping(profile, profile::kMapping);
    mapping.add_uint64(mapping::kId, known->second);
    mapping.add_int64(mapping::kFile, text(module));
    mapping.add_bool(mapping::kHasFunctions, true);  // its functions have names: readers look for none
    return known->second;
  }

  std::string profile_;
  bool has_counts_ = true;
  std::int64_t start_utc_ns_ = 0;
  std::unordered_map<std::string, std::int64_t> texts_;
  std::vector<const std::string*> by_number_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> places_;
  std::unordered_map<std::string, std::uint64_t> mappings_;
};

}  // namespace

std::unique_ptr<TimelineExport> pprof(PathWeight weight) { return std::make_unique<Pprof>(weight); }

}  // namespace evt
