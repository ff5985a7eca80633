#include "stack_writer.h"

#include <evt/emit_events.h>
#include <fmt/core.h>

#include <algorithm>

#include "libtrace-record/sched/declare.h"

namespace evt::record {
namespace {

constexpr const char* kUnknown = "[unknown]";

}  // namespace

void StackWriter::open(evt_writer* writer) {
  writer_ = writer;
  frame_ = evt_declare_standard(writer, EVT_EVENT_STACK_FRAME, nullptr);
  frames_ = evt_declare_standard(writer, EVT_EVENT_STACK_FRAMES, nullptr);
  const evt_field thread = of_boot(EVT_FIELD_U64("thread", EVT_ROLE_THREAD));
  const evt_field process = of_boot(EVT_FIELD_U64("process", EVT_ROLE_PROCESS));
  const evt_field stack = EVT_FIELD_REFERENCE("stack", EVT_ROLE_STACK);
  const evt_field waited = EVT_FIELD_U64("waited", EVT_ROLE_DURATION, EVT_UNIT_NANOSECONDS);
  const evt_field weight = EVT_FIELD_U64("weight", EVT_ROLE_WEIGHT, EVT_UNIT_NANOSECONDS);
  sample_ = declare(writer, "run.sample", "what a thread runs at this moment, for so much of its processor time",
                    EVT_ROLE_SAMPLE, {thread, process, stack, weight});
  waiting_ = declare(writer, "run.waiting_sample", "a call has taken long: what it waited for, and who called",
                     EVT_ROLE_SAMPLE, {thread, process, stack, waited});
}

std::uint32_t StackWriter::named(const std::string& function, const std::string& module, std::uint64_t line) {
  return evt_intern_stack_frame(writer_, frame_, evt_intern(writer_, function.data(), function.size()),
                                evt_intern(writer_, module.data(), module.size()),
                                static_cast<std::uint32_t>(std::min<std::uint64_t>(line, UINT32_MAX)));
}

std::uint32_t StackWriter::unknown(const std::string& what) {
  std::uint32_t& known = unknown_[what];
  if (known == 0) known = named(what, "", 0);
  return known;
}

std::uint32_t StackWriter::frame(const StackFrame& frame) {
  if (frame.file == nullptr) return unknown(frame.region.starts_with('[') ? frame.region : kUnknown);
  std::uint32_t& known = known_[{frame.file, frame.address, frame.is_doubtful}];
  if (known == 0) {
    const CodeName name = frame.file->name_of(frame.address);
    known = named(name.function + (frame.is_doubtful ? " [doubtful]" : ""), frame.file->path(), name.line);
  }
  return known;
}

evt_stream* StackWriter::stream_of(std::uint32_t cpu) {
  evt_stream*& stream = streams_[cpu];
  if (stream == nullptr) stream = evt_stream_open(writer_, fmt::format("samples of cpu {}", cpu).c_str());
  return stream;
}

void StackWriter::add(const StackCopy& copy, const std::vector<StackFrame>& frames, StackEnd end, std::uint64_t ticks) {
  stack_.clear();
  if (!copy.object.empty()) stack_.push_back(unknown(std::string(copy.object)));
  if (!copy.function.empty()) stack_.push_back(unknown(std::string(copy.function)));
  for (const StackFrame& each : frames) stack_.push_back(frame(each));
  if (end == StackEnd::kTruncated) stack_.push_back(unknown("[truncated]"));
  if (end == StackEnd::kLost) stack_.push_back(unknown(kUnknown));
  const std::uint32_t stack =
      evt_intern_stack_frames(writer_, frames_, stack_.data(), static_cast<std::uint16_t>(stack_.size()));
  const bool is_wait = copy.waited_ns != 0;
  evt_row row = evt_begin_at(stream_of(copy.cpu), is_wait ? waiting_ : sample_, ticks);
  if (row.p == nullptr) return;
  evt_u64(&row, copy.thread);
  evt_u64(&row, copy.process);
  evt_u32(&row, stack);
  evt_u64(&row, is_wait ? copy.waited_ns : copy.weight_ns);
  evt_commit(&row);
}

void StackWriter::add_lost(std::uint64_t samples, std::uint64_t ticks) {
  evt_stream_lost(stream_of(0), EVT_LOST_RING_FULL, samples, ticks, ticks);
}

}  // namespace evt::record
