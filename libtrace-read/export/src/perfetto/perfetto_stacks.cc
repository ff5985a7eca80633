#include "perfetto_stacks.h"

#include <protozero/pbf_writer.hpp>
#include <vector>

#include "libtrace-read/export/src/protobuf/utf8_text.h"

namespace evt {
namespace {

using protozero::pbf_writer;

// Numbers of fields of InternedData.
enum : protozero::pbf_tag_type {
  kFunctions = 5,
  kFrames = 6,
  kCallstacks = 7,
  kPaths = 17,
  kMappings = 19,
};

}  // namespace

std::uint64_t PerfettoStacks::number_of(const PictureSample& sample, std::string* interned) {
  std::vector<std::uint64_t> frames;
  for (auto number = sample.frames.rbegin(); number != sample.frames.rend(); ++number) {
    frames.push_back(frame(sample.stacks.frame(*number), interned));
  }
  const std::string key(reinterpret_cast<const char*>(frames.data()), frames.size() * sizeof frames.front());
  const auto [known, is_new] = callstacks_.try_emplace(key, callstacks_.size() + 1);
  if (is_new) {
    pbf_writer all(*interned);
    pbf_writer each(all, kCallstacks);
    each.add_uint64(1, known->second);
    for (const std::uint64_t number : frames) each.add_uint64(2, number);
  }
  return known->second;
}

std::uint64_t PerfettoStacks::frame(const StatedStacks::Frame& frame, std::string* interned) {
  const std::string name = frame.name();
  const auto [known, is_new] = frames_.try_emplace(name + '\0' + frame.module, frames_.size() + 1);
  if (is_new) {
    const std::uint64_t function = text(name, kFunctions, &functions_, interned);
    const std::uint64_t in = mapping(frame.module, interned);
    pbf_writer all(*interned);
    pbf_writer each(all, kFrames);
    each.add_uint64(1, known->second);
    each.add_uint64(2, function);
    each.add_uint64(3, in);
    each.add_uint64(4, frame.address.value_or(0));
  }
  return known->second;
}

// Readers want one for each frame: that of frames without a module has no path.
std::uint64_t PerfettoStacks::mapping(const std::string& module, std::string* interned) {
  const auto [known, is_new] = mappings_.try_emplace(module, mappings_.size() + 1);
  if (is_new) {
    const std::uint64_t path = module.empty() ? 0 : text(module, kPaths, &paths_, interned);
    pbf_writer all(*interned);
    pbf_writer each(all, kMappings);
    each.add_uint64(1, known->second);
    if (path != 0) each.add_uint64(7, path);
  }
  return known->second;
}

std::uint64_t PerfettoStacks::text(std::string_view text, std::uint32_t kind, Interned* known, std::string* interned) {
  const auto [found, is_new] = known->try_emplace(std::string(text), known->size() + 1);
  if (is_new) {
    std::string made;
    pbf_writer all(*interned);
    pbf_writer each(all, kind);
    each.add_uint64(1, found->second);
    each.add_string(2, view_of(as_utf8(text, &made)));
  }
  return found->second;
}

}  // namespace evt
