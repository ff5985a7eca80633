#include "stack_writer.h"

#include <evt/emit_events.h>
#include <evt/events.h>
#include <fmt/core.h>

#include <algorithm>

#include "libtrace-record/sched/declare.h"

namespace evt::record {
namespace {

constexpr const char* kDoubtful = " [doubtful]";
constexpr const char* kMade = "[jit]";  // the module of what runtimes make

}  // namespace

void StackWriter::open(evt_writer* writer) {
  writer_ = writer;
  const evt_field inlined = EVT_FIELD_BOOL("inlined", EVT_ROLE_INLINED);
  const evt_field line = EVT_FIELD_U32("line", EVT_ROLE_LINE);
  frame_ = declare(writer, "run.frame", "a function that a thread is in", EVT_ROLE_FRAME,
                   {EVT_FIELD_INTERNED("function", EVT_ROLE_FUNCTION), EVT_FIELD_INTERNED("module", EVT_ROLE_MODULE),
                    line, inlined});
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

// Bytes that no UTF-8 has would make a row of a text.
std::uint32_t StackWriter::named(const CodeName& name, const std::string& module) {
  const auto interned = [&](std::string text) {
    std::ranges::replace(text, '\xff', '?');
    return evt_intern(writer_, text.data(), text.size());
  };
  std::uint8_t fields[13];
  evt_store_u32(fields, interned(name.function));
  evt_store_u32(fields + 4, interned(module));
  evt_store_u32(fields + 8, static_cast<std::uint32_t>(std::min<std::uint64_t>(name.line, UINT32_MAX)));
  fields[12] = name.is_inlined ? 1 : 0;
  return evt_intern_row(writer_, frame_, fields, sizeof fields);
}

std::uint32_t StackWriter::unknown(const std::string& what, const std::string& module) {
  std::uint32_t& known = unknown_[{what, module}];
  if (known == 0) known = named({what}, module);
  return known;
}

StackWriter::Frames StackWriter::frames_of(const StackFrame& frame) {
  Frames frames;
  for (CodeName& name : frame.file->names_of(frame.address)) {
    if (frame.is_doubtful) name.function += kDoubtful;
    frames.push_back(named(name, frame.file->path()));
  }
  return frames;
}

void StackWriter::add_frame(const StackFrame& frame) {
  if (!frame.made.empty()) return stack_.push_back(unknown(frame.made + (frame.is_doubtful ? kDoubtful : ""), kMade));
  if (frame.file == nullptr) {
    const bool is_named = frame.region.starts_with('[');
    return stack_.push_back(unknown(is_named ? frame.region : std::string(events::kUnknownName)));
  }
  Frames& known = known_[{frame.file, frame.address, frame.is_doubtful}];
  if (known.empty()) known = frames_of(frame);
  stack_.insert(stack_.end(), known.begin(), known.end());
}

evt_stream* StackWriter::stream_of(std::uint32_t cpu) {
  evt_stream*& stream = streams_[cpu];
  if (stream == nullptr) stream = evt_stream_open(writer_, fmt::format("{}{}", kStreams, cpu).c_str());
  return stream;
}

void StackWriter::add(const StackCopy& copy, const std::vector<StackFrame>& frames, StackEnd end, std::uint64_t ticks) {
  stack_.clear();
  if (!copy.object.empty()) stack_.push_back(unknown(std::string(copy.object)));
  if (!copy.function.empty()) stack_.push_back(unknown(std::string(copy.function)));
  for (const StackFrame& each : frames) add_frame(each);
  if (stack_.size() >= Unwinder::kMaxFrames) end = StackEnd::kTruncated;
  stack_.resize(std::min(stack_.size(), Unwinder::kMaxFrames - 1));
  if (end == StackEnd::kTruncated) stack_.push_back(unknown(std::string(events::kTruncatedStack)));
  if (end == StackEnd::kLost) stack_.push_back(unknown(std::string(events::kUnknownName)));
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
