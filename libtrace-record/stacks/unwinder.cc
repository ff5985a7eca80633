#include "unwinder.h"

#include "libtrace-record/perf/perf_records.h"

namespace evt::record {
namespace {

// A call's return address is behind it, and may be that of the next function.
constexpr std::uint64_t kInCall = 1;

class StackBytes {
 public:
  explicit StackBytes(const StackCopy& copy) : begin_(copy.registers.stack), bytes_(copy.stack) {}

  bool read(std::uint64_t address, std::uint64_t* value) const {
    if (address < begin_ || bytes_.size() < sizeof *value || address - begin_ > bytes_.size() - sizeof *value)
      return false;
    *value = loaded<std::uint64_t>(bytes_.data() + (address - begin_));
    return true;
  }

 private:
  std::uint64_t begin_;
  std::string_view bytes_;
};

bool find_cfa(const FrameRule& rule, const FrameRegisters& at, const StackBytes& stack, std::uint64_t* cfa) {
  const auto offset = static_cast<std::uint64_t>(std::int64_t{rule.cfa_offset});
  switch (rule.cfa) {
    case FrameRule::Cfa::kStack:
      *cfa = at.stack + offset;
      return true;
    case FrameRule::Cfa::kFrame:
      *cfa = at.frame + offset;
      return true;
    case FrameRule::Cfa::kFrameMemory:
      return stack.read(at.frame + offset, cfa);
    case FrameRule::Cfa::kPlt:
      *cfa = at.stack + offset + ((at.pc & 15) >= 11 ? 8 : 0);
      return true;
    case FrameRule::Cfa::kNone:
      break;
  }
  return false;
}

// To the caller's registers, by the rule.
StackEnd leave(const FrameRule& rule, const StackBytes& stack, FrameRegisters* at) {
  std::uint64_t cfa = 0;
  if (!find_cfa(rule, *at, stack, &cfa))
    return rule.cfa == FrameRule::Cfa::kFrameMemory ? StackEnd::kTruncated : StackEnd::kLost;
  FrameRegisters caller;
  caller.stack = cfa;
  caller.frame = at->frame;
  const auto saved = [cfa](std::int32_t offset) { return cfa + static_cast<std::uint64_t>(std::int64_t{offset}); };
  if (rule.has_return && !stack.read(saved(rule.return_offset), &caller.pc)) return StackEnd::kTruncated;
  if (rule.has_frame && !stack.read(saved(rule.frame_offset), &caller.frame)) return StackEnd::kTruncated;
  if (!rule.has_return) caller.pc = at->link;
  *at = caller;
  return StackEnd::kWhole;
}

// By the frame pointer: at it is the caller's, and behind that the return address.
StackEnd leave_by_frame_pointer(const StackBytes& stack, FrameRegisters* at) {
  FrameRegisters caller;
  if (at->frame < at->stack) return StackEnd::kLost;
  if (!stack.read(at->frame, &caller.frame) || !stack.read(at->frame + 8, &caller.pc)) return StackEnd::kLost;
  caller.stack = at->frame + 16;
  *at = caller;
  return StackEnd::kWhole;
}

}  // namespace

CodeFile* Unwinder::file_of(const CodeMapping& mapping) {
  if (mapping.path.empty() || mapping.path.front() != '/' || mapping.inode == 0) return nullptr;
  std::vector<std::unique_ptr<CodeFile>>& same_inode = files_[mapping.inode];
  for (const auto& file : same_inode) {
    if (file->path() == mapping.path) return file.get();
  }
  return same_inode.emplace_back(std::make_unique<CodeFile>(mapping.path, mapping.inode)).get();
}

StackFrame Unwinder::frame_at(const StackCopy& copy, std::uint64_t pc) {
  const CodeMapping* const mapping = maps_.find(copy.process, copy.ns, pc);
  CodeFile* const file = mapping == nullptr ? nullptr : file_of(*mapping);
  if (file == nullptr) return {nullptr, mapping != nullptr ? mapping->path : "", pc};
  return {file, "", file->address_of(pc - mapping->begin + mapping->offset)};
}

StackEnd Unwinder::unwind(const StackCopy& copy, std::vector<StackFrame>* frames) {
  frames->clear();
  const StackBytes stack(copy);
  FrameRegisters at = copy.registers;
  bool was_interrupted = true;  // the innermost one, and what a signal came upon
  bool is_doubtful = false;
  while (frames->size() < kMaxFrames) {
    StackFrame frame = frame_at(copy, was_interrupted ? at.pc : at.pc - kInCall);
    if (frame.file == nullptr && is_doubtful) return StackEnd::kLost;
    frame.is_doubtful = is_doubtful;
    frames->push_back(frame);
    static constexpr FrameRule kNoRule = {};
    const FrameRule& rule = frame.file != nullptr ? frame.file->rule_of(frame.address) : kNoRule;
    is_doubtful = rule.cfa == FrameRule::Cfa::kNone;
    if (!is_doubtful && !rule.has_return && at.link == 0) return StackEnd::kWhole;
    const std::uint64_t before = at.stack;
    const StackEnd end = is_doubtful ? leave_by_frame_pointer(stack, &at) : leave(rule, stack, &at);
    if (end != StackEnd::kWhole) return end;
    if (at.pc == 0) return StackEnd::kWhole;
    if (at.stack <= before && !(frames->size() == 1 && at.stack == before)) return StackEnd::kLost;
    was_interrupted = rule.is_signal;
  }
  return StackEnd::kTruncated;
}

}  // namespace evt::record
