// Stacks of a process that executes one instruction after the other: its calls tell which functions it is in.
#include "libtrace-record/stacks/unwinder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "libtrace-record/stacks/code_lines.h"

#ifdef __x86_64__

namespace evt::testing {
namespace {

using record::CodeMapping;
using record::ProcessMaps;
using record::StackCopy;
using record::StackEnd;
using record::StackFrame;
using record::Unwinder;

#define KEPT __attribute__((noinline, used))

volatile std::uint64_t sink = 0;

KEPT int compare(const void* a, const void* b) { return *static_cast<const int*>(a) - *static_cast<const int*>(b); }

KEPT std::uint64_t recurse(int depth) {
  char room[40];
  memset(room, depth, sizeof room);
  const std::uint64_t inner = depth == 0 ? 0 : recurse(depth - 1);
  return inner + static_cast<std::uint64_t>(room[sink % sizeof room]);
}

// A stack of changing size.
KEPT std::uint64_t take_room(std::size_t size) {
  char* const room = static_cast<char*>(__builtin_alloca(size));
  memset(room, 1, size);
  return recurse(static_cast<int>(size % 7)) + static_cast<std::uint64_t>(room[size / 2]);
}

// A stack that is aligned and of changing size: gcc finds its frame by r10 at first, then by a word of it.
KEPT std::uint64_t take_aligned_room(std::size_t size) {
  alignas(64) char aligned[64];
  char* const room = static_cast<char*>(__builtin_alloca(size));
  memset(aligned, 1, sizeof aligned);
  memset(room, 1, size);
  return recurse(static_cast<int>(size % 5)) + static_cast<std::uint64_t>(room[size / 2] + aligned[size % 64]);
}

KEPT void recurse_a_little() { sink = sink + recurse(3); }

// Frames as the loader (rbx) and cryptography by hand have them: an aligned stack whose beginning is in a register, or
// in a word of it. Each calls what it is given.
asm(R"(
  .text
  .type frame_by_rbx, @function
frame_by_rbx:
  .cfi_startproc
  push %rbx
  .cfi_def_cfa_offset 16
  .cfi_offset %rbx, -16
  mov %rsp, %rbx
  .cfi_def_cfa_register %rbx
  and $-64, %rsp
  sub $64, %rsp
  mov %rdi, %rax
  mov %rsi, %rdi
  call *%rax
  mov %rbx, %rsp
  .cfi_def_cfa_register %rsp
  pop %rbx
  .cfi_def_cfa_offset 8
  ret
  .cfi_endproc
  .size frame_by_rbx, . - frame_by_rbx

  .type frame_in_memory, @function
frame_in_memory:
  .cfi_startproc
  mov %rsp, %rax
  .cfi_def_cfa_register %rax
  push %rbx
  .cfi_offset %rbx, -16
  push %r12
  .cfi_offset %r12, -24
  and $-64, %rsp
  sub $64, %rsp
  mov %rax, 24(%rsp)
  .cfi_escape 0x0f, 0x05, 0x77, 24, 0x06, 0x23, 8
  xor %ebx, %ebx
  xor %r12d, %r12d
  call *%rdi
  mov 24(%rsp), %rax
  .cfi_def_cfa %rax, 8
  mov -16(%rax), %r12
  .cfi_restore %r12
  mov -8(%rax), %rbx
  .cfi_restore %rbx
  mov %rax, %rsp
  .cfi_def_cfa_register %rsp
  ret
  .cfi_endproc
  .size frame_in_memory, . - frame_in_memory
)");
extern "C" void frame_by_rbx(void (*call)(void (*)()), void (*with)()) asm("frame_by_rbx");
extern "C" void frame_in_memory(void (*call)()) asm("frame_in_memory");

KEPT void throw_from(int depth) {
  if (depth == 0) throw std::runtime_error("thrown");
  throw_from(depth - 1);
  sink = sink + 1;
}

KEPT void on_signal(int number) { sink = sink + recurse(number % 5); }

KEPT void work() {
  signal(SIGUSR1, on_signal);
  for (int round = 0; round < 1000; ++round) {
    int numbers[16];
    for (int i = 0; i < 16; ++i) numbers[i] = (i * 7 + round) % 16;
    qsort(numbers, 16, sizeof numbers[0], compare);
    sink = sink + recurse(round % 12) + take_room(static_cast<std::size_t>(16 + round % 200));
    sink = sink + take_aligned_room(static_cast<std::size_t>(16 + round % 100));
    frame_by_rbx(frame_in_memory, recurse_a_little);
    timespec now{};
    for (int i = 0; i < 4; ++i) clock_gettime(CLOCK_MONOTONIC, &now);
    char text[64];
    snprintf(text, sizeof text, "%d %s %.3f", round, "text", static_cast<double>(round) / 3);
    std::vector<std::string> words = {text, "b", "a"};
    std::ranges::sort(words);
    if (round % 10 == 0) raise(SIGUSR1);
    if (round % 20 != 0) continue;
    try {
      throw_from(round % 7);
    } catch (const std::exception& thrown) {
      sink = sink + strlen(thrown.what());
    }
  }
}

class Stepped : public ::testing::Test {
 protected:
  // Where a function goes on: behind its call, or where a signal came upon it.
  struct Outer {
    std::uint64_t pc;
    std::uint64_t at;  // its part of the stack begins behind this
    bool is_call = true;
  };
  struct Found {
    int stacks = 0;
    int doubtful = 0;
    int wrong = 0;
    std::string first_wrong;
  };

  ~Stepped() override {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

  // False: the system refuses to let one process control another.
  bool start() {
    work();  // functions of libraries are found when they are called first
    child_ = fork();
    if (child_ == 0) {
      if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(1);
      raise(SIGSTOP);
      work();
      _exit(0);
    }
    int status = 0;
    if (waitpid(child_, &status, 0) != child_ || !WIFSTOPPED(status)) {
      child_ = -1;
      return false;
    }
    for (CodeMapping& mapping : record::code_of_process(process())) maps_.add(process(), 0, std::move(mapping));
    return true;
  }

  std::uint32_t process() const { return static_cast<std::uint32_t>(child_); }

  // False: it has ended.
  bool step() {
    const auto given = std::exchange(signal_, 0);
    if (ptrace(PTRACE_SINGLESTEP, child_, nullptr, static_cast<long>(given)) != 0) return false;
    int status = 0;
    if (waitpid(child_, &status, 0) != child_ || !WIFSTOPPED(status)) {
      child_ = -1;
      return false;
    }
    const user_regs_struct before = registers_;
    ptrace(PTRACE_GETREGS, child_, nullptr, &registers_);
    if (WSTOPSIG(status) != SIGTRAP) signal_ = WSTOPSIG(status);
    follow(before, given != 0);
    return true;
  }

  std::uint64_t word(std::uint64_t address) const {
    return static_cast<std::uint64_t>(ptrace(PTRACE_PEEKDATA, child_, address, nullptr));
  }

  void follow(const user_regs_struct& before, bool has_signal) {
    while (!outer_.empty() && registers_.rsp > outer_.back().at) outer_.pop_back();
    if (has_signal) {
      outer_.push_back({before.rip, before.rsp - 1, false});
      outer_.push_back({word(registers_.rsp) - 1, registers_.rsp});
    } else if (registers_.rsp == before.rsp - 8) {
      const std::uint64_t pushed = word(registers_.rsp);
      if (pushed > before.rip && pushed <= before.rip + 8) outer_.push_back({pushed - 1, registers_.rsp});
    }
  }

  bool step_into_work() {
    const auto begin = reinterpret_cast<std::uint64_t>(&work);
    do {
      if (!step()) return false;
    } while (registers_.rip != begin);
    outer_ = {{word(registers_.rsp) - 1, registers_.rsp}};
    return true;
  }

  // What throws an exception puts the address of its handler in the place of a return address, and jumps there.
  bool is_rewritten() const {
    return std::ranges::any_of(outer_, [&](const Outer& each) { return each.is_call && word(each.at) - 1 != each.pc; });
  }

  // Of a stack at this moment, whether the unwinder finds it.
  void check(Found* found) {
    if (is_rewritten()) return;
    char bytes[8192];
    constexpr std::size_t kPage = 4096;
    const iovec here = {bytes, sizeof bytes};
    const std::size_t first = kPage - registers_.rsp % kPage;
    const iovec there[] = {{reinterpret_cast<void*>(registers_.rsp), first},
                           {reinterpret_cast<void*>(registers_.rsp + first), kPage},
                           {reinterpret_cast<void*>(registers_.rsp + first + kPage), sizeof bytes - kPage - first}};
    const ssize_t size = process_vm_readv(child_, &here, 1, there, 3, 0);
    StackCopy copy;
    copy.process = process();
    copy.ns = 1;
    copy.registers = {registers_.rip, registers_.rsp, registers_.rbp, 0, {}};
    copy.registers.others = {registers_.rax, registers_.rdx, registers_.rcx, registers_.rbx, registers_.rsi,
                             registers_.rdi, registers_.r8,  registers_.r9,  registers_.r10, registers_.r11,
                             registers_.r12, registers_.r13, registers_.r14, registers_.r15};
    copy.stack = {bytes, static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
    std::vector<StackFrame> frames;
    const StackEnd end = unwinder_.unwind(copy, &frames);
    ++found->stacks;
    if (std::ranges::any_of(frames, &StackFrame::is_doubtful)) {
      ++found->doubtful;
      return;
    }
    bool is_right = is_at(frames[0], registers_.rip);
    for (std::size_t i = 1; i <= outer_.size() && is_right; ++i) {
      if (i == frames.size()) {
        is_right = end == StackEnd::kTruncated;
        break;
      }
      is_right = is_at(frames[i], outer_[outer_.size() - i].pc);
    }
    if (is_right) return;
    if (found->wrong++ == 0) found->first_wrong = told(frames);
  }

  bool is_at(const StackFrame& frame, std::uint64_t pc) const {
    const CodeMapping* const mapping = maps_.find(process(), 1, pc);
    return mapping != nullptr && frame.file != nullptr && frame.file->path() == mapping->path &&
           frame.address == frame.file->address_of(pc - mapping->begin + mapping->offset);
  }

  std::string told(const std::vector<StackFrame>& frames) const {
    std::string text = "found:";
    for (const StackFrame& frame : frames) {
      text += "\n  " + (frame.file == nullptr ? frame.region : frame.file->names_of(frame.address).back().function);
    }
    text += "\nexpected:";
    std::vector<std::uint64_t> pcs = {registers_.rip};
    for (auto each = outer_.rbegin(); each != outer_.rend(); ++each) pcs.push_back(each->pc);
    for (const std::uint64_t pc : pcs) {
      const CodeMapping* const mapping = maps_.find(process(), 1, pc);
      if (mapping == nullptr) continue;
      record::CodeFile file(mapping->path, mapping->inode);
      text += "\n  " + file.names_of(file.address_of(pc - mapping->begin + mapping->offset)).back().function;
    }
    return text;
  }

  pid_t child_ = -1;
  int signal_ = 0;
  user_regs_struct registers_{};
  std::vector<Outer> outer_;  // the innermost last
  ProcessMaps maps_;
  Unwinder unwinder_{maps_};
};

// EVT_STACKS: how many.
TEST_F(Stepped, StacksAreFoundAtEachInstruction) {
  if (!start() || !step_into_work()) GTEST_SKIP() << "the system does not let processes be stepped";
  const char* const wanted = getenv("EVT_STACKS");
  const int stacks = wanted == nullptr ? 1000 : atoi(wanted);
  Found found;
  for (int steps = 0; found.stacks < stacks && step() && !outer_.empty(); ++steps) {
    if (steps % 97 == 0) check(&found);
  }
  EXPECT_EQ(found.stacks, stacks);
  EXPECT_LE(found.wrong, stacks / 10000) << found.first_wrong;
  EXPECT_LE(found.doubtful, stacks / 10000);
}

// In front of its return the frame pointer is the caller's again, which its table does not say.
TEST_F(Stepped, StacksAreFoundAtEachInstructionOfAnAlignedFrame) {
  if (!start() || !step_into_work()) GTEST_SKIP() << "the system does not let processes be stepped";
  const auto begin = reinterpret_cast<std::uint64_t>(&take_aligned_room);
  constexpr std::uint64_t kBytes = 512;  // its code, and what is near
  Found found;
  while (found.stacks < 500 && step() && !outer_.empty()) {
    if (registers_.rip - begin < kBytes) check(&found);
  }
  EXPECT_EQ(found.stacks, 500);
  EXPECT_EQ(found.wrong, 0) << found.first_wrong;
  EXPECT_EQ(found.doubtful, 0);
}

}  // namespace
}  // namespace evt::testing

#endif  // __x86_64__
