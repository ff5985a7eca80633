#include "merged_trace.h"

#include <evt/evt.h>
#include <evt/merge.h>
#include <fmt/core.h>
#include <string.h>

#include <map>

#include "base/memory_limit.h"
#include "base/progress.h"
#include "base/trace_sentences.h"
#include "libtrace-read/text/session_texts.h"

namespace evt::tools {
namespace {

// A trace that stays its owner's.
std::shared_ptr<Trace> lent(Trace& trace) {
  return std::shared_ptr<Trace>(&trace, [](Trace*) {});
}

// Parts of which more are aligned alike are one sentence.
constexpr std::size_t kMostAlike = 3;

std::vector<std::string> alignments_of(const std::vector<MergedPart>& parts) {
  std::map<std::string, std::size_t> alike;
  for (const MergedPart& part : parts) ++alike[report::alignment_text(part)];
  std::vector<std::string> sentences;
  for (const MergedPart& part : parts) {
    const std::string text = report::alignment_text(part);
    std::size_t& count = alike[text];
    if (part.alignment == EVT_ALIGNED_NONE || count == 0) continue;
    const bool is_one_of_many = count > kMostAlike;
    sentences.push_back(is_one_of_many ? fmt::format("{} and {} more parts: {}", part.name, count - 1, text)
                                       : fmt::format("{}: {}", part.name, text));
    if (is_one_of_many) count = 0;
  }
  return sentences;
}

}  // namespace

Result<MergedTrace> MergedTrace::of(std::deque<NamedTrace>& traces) {
  auto file = UnlinkedFile::make();
  if (!file) return file.status();
  std::vector<std::string> notes;
  Progress progress;
  MergeOptions options;
  for (const NamedTrace& each : traces) options.inputs.push_back({each.name, 0});
  options.writer = std::string("evtrace ") + evt_version();
  options.open = [&](std::size_t input) -> Result<std::shared_ptr<Trace>> { return lent(traces[input].trace); };
  options.done = [&](std::size_t input, const Trace& trace) {
    for (const std::string& sentence : trace_sentences(trace, UnknownTimes())) {
      notes.push_back(fmt::format("{}: {}", traces[input].name, sentence));
    }
  };
  options.progress = [&](std::uint64_t done, std::uint64_t total) { progress.show(done, total); };
  int error = 0;
  const auto merged = merge(options, [&](Bytes bytes) { return error = file->write(bytes); });
  progress.clear();
  if (error != 0) return Status(Code::kIo, fmt::format("cannot write a temporary file: {}", strerror(error)));
  if (!merged) return merged.status();
  auto trace = Trace::open(file->descriptor(), "the merged trace");
  if (!trace) return trace.status();
  MemoryLimit::allow_for(trace->size());
  MergedTrace all(*std::move(file), *std::move(trace));
  all.notes_ = std::move(notes);
  all.notes_.insert(all.notes_.end(), merged->notes.begin(), merged->notes.end());
  all.alignments_ = alignments_of(merged->parts);
  return all;
}

}  // namespace evt::tools
