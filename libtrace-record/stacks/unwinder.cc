#include "unwinder.h"

#include <unistd.h>

#include <algorithm>
#include <optional>

#include "code_lines.h"
#include "libtrace-record/perf/perf_records.h"

namespace evt::record {
namespace {

// A call's return address is behind it, and may be that of the next function.
constexpr std::uint64_t kInCall = 1;

constexpr const char* kVdso = "[vdso]";

// Code that a runtime makes begins with checks of some bytes; then it has a frame pointer.
constexpr std::uint64_t kMadePrologue = 32;

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

std::uint64_t plus(std::uint64_t address, std::int32_t offset) {
  return address + static_cast<std::uint64_t>(std::int64_t{offset});
}

bool find_cfa(const FrameRule& rule, const FrameRegisters& at, const StackBytes& stack, std::uint64_t* cfa) {
  const auto in_memory = [&](std::uint64_t base) {
    const bool is_read = stack.read(plus(base, rule.cfa_offset), cfa);
    *cfa = plus(*cfa, rule.cfa_added);
    return is_read;
  };
  switch (rule.cfa) {
    case FrameRule::Cfa::kStack:
      *cfa = plus(at.stack, rule.cfa_offset);
      return true;
    case FrameRule::Cfa::kFrame:
      *cfa = plus(at.frame, rule.cfa_offset);
      return true;
    case FrameRule::Cfa::kOther:
      *cfa = plus(at.others[rule.cfa_register], rule.cfa_offset);
      return true;
    case FrameRule::Cfa::kFrameMemory:
      return in_memory(at.frame);
    case FrameRule::Cfa::kStackMemory:
      return in_memory(at.stack);
    case FrameRule::Cfa::kPlt:
      *cfa = plus(at.stack, rule.cfa_offset) + ((at.pc & 15) >= 11 ? 8 : 0);
      return true;
    case FrameRule::Cfa::kNone:
      break;
  }
  return false;
}

// `leave` restores the frame pointer of an aligned frame, and gcc's tables go on to say that it is in memory. Where it
// is, gcc keeps a copy of the return address behind it.
bool is_restored(const FrameRule& rule, const FrameRegisters& at, std::uint64_t return_address,
                 const StackBytes& stack) {
  const bool goes_by_frame = rule.cfa == FrameRule::Cfa::kFrame || rule.cfa == FrameRule::Cfa::kFrameMemory;
  if (rule.frame.from != FrameRule::Saved::From::kFrame || rule.frame.offset != 0 || goes_by_frame) return false;
  std::uint64_t behind = 0;
  return !stack.read(at.frame + 8, &behind) || behind != return_address;
}

// To the caller's registers, by the rule; else how the stack ends here.
std::optional<StackEnd> leave(const FrameRule& rule, const StackBytes& stack, FrameRegisters* at) {
  using From = FrameRule::Saved::From;
  std::uint64_t cfa = 0;
  if (!find_cfa(rule, *at, stack, &cfa))
    return rule.cfa == FrameRule::Cfa::kNone ? StackEnd::kLost : StackEnd::kTruncated;
  FrameRegisters caller = *at;
  caller.stack = cfa;
  caller.pc = at->link;
  caller.link = 0;
  // What is saved nowhere stays.
  const auto restore = [&](const FrameRule::Saved& saved, std::uint64_t* value) {
    const std::uint64_t base = saved.from == From::kCfa ? cfa : saved.from == From::kStack ? at->stack : at->frame;
    return !saved.is_somewhere() || stack.read(plus(base, saved.offset), value);
  };
  if (!restore(rule.return_address, &caller.pc)) return StackEnd::kTruncated;
  if (!is_restored(rule, *at, caller.pc, stack) && !restore(rule.frame, &caller.frame)) return StackEnd::kTruncated;
  for (std::size_t i = 0; i < rule.kept.size(); ++i) {
    if (!restore(rule.kept[i], &caller.others[kKeptRegisters[i]])) return StackEnd::kTruncated;
  }
  *at = caller;
  return std::nullopt;
}

// By the frame pointer: at it is the caller's, and behind that the return address.
std::optional<StackEnd> leave_by_frame_pointer(const StackBytes& stack, FrameRegisters* at) {
  FrameRegisters caller = *at;
  caller.link = 0;
  if (at->frame < at->stack) return StackEnd::kLost;
  if (!stack.read(at->frame, &caller.frame) || !stack.read(at->frame + 8, &caller.pc)) return StackEnd::kLost;
  caller.stack = at->frame + 16;
  *at = caller;
  return std::nullopt;
}

std::string_view own_vdso() {
  for (const CodeMapping& mapping : code_of_process(static_cast<std::uint32_t>(getpid()))) {
    if (mapping.path != kVdso) continue;
    return {reinterpret_cast<const char*>(mapping.begin), static_cast<std::size_t>(mapping.end - mapping.begin)};
  }
  return {};
}

}  // namespace

bool StackFrame::is_of_recorder() const {
  return file != nullptr && file->path().find("/libevtrace-preload") != std::string::npos;
}

// That of this process: the kernel gives each program the same, or of another size to those of 32 bits.
CodeFile* Unwinder::vdso(std::size_t size) {
  if (!vdso_) {
    const std::string_view image = own_vdso();
    vdso_size_ = image.size();
    vdso_ = std::make_unique<CodeFile>(kVdso, image);
  }
  return vdso_->has_code() && size == vdso_size_ ? vdso_.get() : nullptr;
}

CodeFile* Unwinder::file_of(const CodeMapping& mapping) {
  if (mapping.path == kVdso) return vdso(static_cast<std::size_t>(mapping.end - mapping.begin));
  if (mapping.path.empty() || mapping.path.front() != '/' || mapping.inode == 0) return nullptr;
  std::vector<std::unique_ptr<CodeFile>>& same_inode = files_[mapping.inode];
  for (const auto& file : same_inode) {
    if (file->path() == mapping.path) return file.get();
  }
  return same_inode.emplace_back(std::make_unique<CodeFile>(mapping.path, mapping.inode)).get();
}

std::size_t Unwinder::files_without_inlined() const {
  std::size_t count = 0;
  for (const auto& [inode, files] : files_) {
    count +=
        static_cast<std::size_t>(std::ranges::count_if(files, [](const auto& file) { return file->lacks_inlined(); }));
  }
  return count;
}

Unwinder::Place Unwinder::place_of(const StackCopy& copy, std::uint64_t pc) {
  const CodeMapping* const mapping = maps_.find(copy.process, copy.ns, pc);
  CodeFile* const file = mapping == nullptr ? nullptr : file_of(*mapping);
  if (file == nullptr || !file->has_code()) {
    const JitNames::Code* const made = jit_names_.find(copy.process, copy.ns, pc);
    if (made != nullptr) return {{nullptr, "", made->name, pc}, pc - made->begin >= kMadePrologue};
  }
  if (file == nullptr) return {{nullptr, mapping != nullptr ? mapping->path : "", "", pc}};
  return {{file, "", "", file->address_of(pc - mapping->begin + mapping->offset)}};
}

StackEnd Unwinder::unwind(const StackCopy& copy, std::vector<StackFrame>* frames) {
  frames->clear();
  const StackBytes stack(copy);
  FrameRegisters at = copy.registers;
  bool was_interrupted = true;  // the innermost one, and what a signal came upon
  bool is_guessed = false;      // found by the frame pointer
  bool is_doubtful = false;
  while (frames->size() < kMaxFrames) {
    auto [frame, has_frame_pointer] = place_of(copy, was_interrupted ? at.pc : at.pc - kInCall);
    if (frame.file == nullptr && frame.made.empty() && is_guessed) return StackEnd::kLost;
    frame.is_doubtful = is_doubtful;
    frames->push_back(frame);
    static constexpr FrameRule kNoRule = {};
    const FrameRule& rule = frame.file != nullptr ? frame.file->rule_of(frame.address) : kNoRule;
    is_guessed = rule.cfa == FrameRule::Cfa::kNone;
    is_doubtful = is_guessed && !has_frame_pointer;
    if (!is_guessed && !rule.return_address.is_somewhere() && at.link == 0) return StackEnd::kOutermost;
    const std::uint64_t before = at.stack;
    const std::optional<StackEnd> end = is_guessed ? leave_by_frame_pointer(stack, &at) : leave(rule, stack, &at);
    if (end) return *end;
    if (at.pc == 0) return StackEnd::kOutermost;
    if (at.stack <= before && !(frames->size() == 1 && at.stack == before)) return StackEnd::kLost;
    was_interrupted = rule.is_signal;
  }
  return StackEnd::kTruncated;
}

}  // namespace evt::record
