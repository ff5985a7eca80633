#include "code_file.h"

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <gelf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "demangled.h"

namespace evt::record {
namespace {

#if defined(__aarch64__)
constexpr int kFrameRegister = 29;
constexpr int kStackRegister = 31;
constexpr int kReturnColumn = 30;
#else
constexpr int kFrameRegister = 6;
constexpr int kStackRegister = 7;
constexpr int kReturnColumn = 16;
#endif

// Addresses are those that the file itself has.
constexpr GElf_Addr kNoBias = 0;

int find_no_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, char**, Elf**) { return -1; }

const Dwfl_Callbacks kCallbacks = {find_no_file, dwfl_standard_find_debuginfo, dwfl_offline_section_address, nullptr};

// Version 1; a pointer of four bytes from here on, a count of four bytes, entries of two times four bytes from the
// table's own beginning on.
constexpr char kTableForm[4] = {0x01, 0x1b, 0x03, 0x3b};
constexpr std::size_t kTableBegin = 12;
constexpr std::size_t kTableEntry = 8;

struct Register {
  int number = -1;  // none
  std::int64_t offset = 0;
};

// The place among FrameRegisters::others of a register that tables call so; -1: it is not there.
int other_register(int number) {
  if (kOtherRegisters == 0 || number < 0 || number > 15 || number == kFrameRegister || number == kStackRegister) {
    return -1;
  }
  return number < kFrameRegister ? number : number - 2;
}

int number_of(std::uint8_t other) { return other < kFrameRegister ? other : other + 2; }

Register register_of(const Dwarf_Op& op) {
  if (op.atom == DW_OP_bregx) return {static_cast<int>(op.number), static_cast<std::int64_t>(op.number2)};
  if (op.atom < DW_OP_breg0 || op.atom > DW_OP_breg31) return {};
  return {op.atom - DW_OP_breg0, static_cast<std::int64_t>(op.number)};
}

void read_cfa(Dwarf_Frame* frame, FrameRule* rule) {
  Dwarf_Op* ops = nullptr;
  std::size_t count = 0;
  if (dwarf_frame_cfa(frame, &ops, &count) != 0 || count == 0) return;
  const Register base = register_of(ops[0]);
  rule->cfa_offset = static_cast<std::int32_t>(base.offset);
  if (count == 1 && base.number == kStackRegister) rule->cfa = FrameRule::Cfa::kStack;
  if (count == 1 && base.number == kFrameRegister) rule->cfa = FrameRule::Cfa::kFrame;
  if (const int other = other_register(base.number); count == 1 && other >= 0) {
    rule->cfa = FrameRule::Cfa::kOther;
    rule->cfa_register = static_cast<std::uint8_t>(other);
  }
  const bool adds = count == 3 && ops[2].atom == DW_OP_plus_uconst;
  if ((count == 2 || adds) && ops[1].atom == DW_OP_deref) {
    rule->cfa_added = adds ? static_cast<std::int32_t>(ops[2].number) : 0;
    if (base.number == kFrameRegister) rule->cfa = FrameRule::Cfa::kFrameMemory;
    if (base.number == kStackRegister) rule->cfa = FrameRule::Cfa::kStackMemory;
  }
  // The one expression that linkers make: ((pc & 15) >= 11) * 8 is added in an entry of the table of imports.
  if (count > 2 && base.number == kStackRegister && ops[count - 1].atom == DW_OP_plus) rule->cfa = FrameRule::Cfa::kPlt;
}

// Where a register of the caller was saved.
FrameRule::Saved read_saved(Dwarf_Frame* frame, int number) {
  using From = FrameRule::Saved::From;
  Dwarf_Op memory[3];
  Dwarf_Op* ops = nullptr;
  std::size_t count = 0;
  if (dwarf_frame_register(frame, number, memory, &ops, &count) != 0 || ops == nullptr || count == 0) return {};
  if (ops[0].atom != DW_OP_call_frame_cfa || count > 2) return {};
  if (count == 1) return {From::kCfa, 0};
  if (ops[1].atom == DW_OP_plus_uconst) return {From::kCfa, static_cast<std::int32_t>(ops[1].number)};
  // An expression for the place, as frames of signals have it, and those whose stack is aligned.
  const Register base = register_of(ops[1]);
  const auto offset = static_cast<std::int32_t>(base.offset);
  if (base.number == kStackRegister) return {From::kStack, offset};
  return base.number == kFrameRegister ? FrameRule::Saved{From::kFrame, offset} : FrameRule::Saved{};
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

CodeFile::CodeFile(const std::string& path, ino_t inode) : path_(path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return;
  struct stat found {};
  const bool is_it = fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode) && found.st_ino == inode;
  if (is_it) report(descriptor);
  if (module_ == nullptr) close(descriptor);
}

CodeFile::CodeFile(const std::string& name, std::string_view image) : path_(name) {
  const int descriptor = memfd_create("evt run: code", MFD_CLOEXEC);
  if (descriptor < 0) return;
  if (write(descriptor, image.data(), image.size()) == static_cast<ssize_t>(image.size())) report(descriptor);
  if (module_ == nullptr) close(descriptor);
}

// The descriptor is the module's afterwards.
void CodeFile::report(int descriptor) {
  session_.reset(dwfl_begin(&kCallbacks));
  if (!session_) return;
  dwfl_report_begin(session_.get());
  module_ = dwfl_report_elf(session_.get(), path_.c_str(), path_.c_str(), descriptor, kNoBias, true);
  dwfl_report_end(session_.get(), nullptr, nullptr);
  for_each_segment(PT_LOAD, [this](Elf*, const Segment& segment) { loaded_.push_back(segment); });
}

// Calls `each` with the program headers of this type.
void CodeFile::for_each_segment(std::uint32_t type, const std::function<void(Elf*, const Segment&)>& each) const {
  GElf_Addr bias = 0;
  Elf* const elf = module_ == nullptr ? nullptr : dwfl_module_getelf(module_, &bias);
  std::size_t count = 0;
  if (elf == nullptr || elf_getphdrnum(elf, &count) != 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr || header.p_type != type) continue;
    each(elf, {header.p_offset, header.p_filesz, header.p_vaddr});
  }
}

std::uint64_t CodeFile::address_of(std::uint64_t offset) const {
  for (const Segment& segment : loaded_) {
    if (offset >= segment.offset && offset - segment.offset < segment.size) {
      return segment.address + (offset - segment.offset);
    }
  }
  return offset;
}

const FrameRule& CodeFile::rule_of(std::uint64_t address) {
  auto next = rules_.upper_bound(address);
  if (next != rules_.begin() && address < std::prev(next)->second.end) return std::prev(next)->second;
  const FrameRule rule = read_rule(address);
  return rules_[rule.begin] = rule;
}

FrameRule CodeFile::read_rule(std::uint64_t address) {
  FrameRule rule;
  rule.begin = address;
  rule.end = address + 1;
  if (module_ == nullptr) return rule;
  using Tables = Dwarf_CFI* (*)(Dwfl_Module*, Dwarf_Addr*);
  for (const Tables tables : {dwfl_module_eh_cfi, dwfl_module_dwarf_cfi}) {
    Dwarf_Addr bias = 0;
    Dwarf_CFI* const cfi = tables(module_, &bias);
    Dwarf_Frame* found = nullptr;
    if (cfi == nullptr || dwarf_cfi_addrframe(cfi, address - bias, &found) != 0) continue;
    const std::unique_ptr<Dwarf_Frame, decltype(&free)> frame(found, free);
    // Where the rule begins, libdw has wrong behind an epilogue in the middle of a function (DW_CFA_restore_state).
    Dwarf_Addr end = 0;
    dwarf_frame_info(found, nullptr, &end, &rule.is_signal);
    read_cfa(found, &rule);
    rule.return_address = read_saved(found, kReturnColumn);
    rule.frame = read_saved(found, kFrameRegister);
    for (std::size_t i = 0; i < rule.kept.size(); ++i) rule.kept[i] = read_saved(found, number_of(kKeptRegisters[i]));
    rule.end = end + bias;
    break;
  }
  return rule;
}

// The linker's sorted table of frame descriptions, one for each function: .eh_frame_hdr, as the Linux Standard Base has
// it. Other encodings than those that linkers write are not read.
void CodeFile::read_functions() {
  for_each_segment(PT_GNU_EH_FRAME, [this](Elf* elf, const Segment& segment) {
    const Elf_Data* const data =
        elf_getdata_rawchunk(elf, static_cast<std::int64_t>(segment.offset), segment.size, ELF_T_BYTE);
    if (data == nullptr || data->d_size < kTableBegin) return;
    const char* const bytes = static_cast<const char*>(data->d_buf);
    if (std::memcmp(bytes, kTableForm, sizeof kTableForm) != 0) return;
    std::uint32_t entries = 0;
    std::memcpy(&entries, bytes + 8, sizeof entries);
    const std::size_t most = (data->d_size - kTableBegin) / kTableEntry;
    for (std::size_t k = 0; k < std::min<std::size_t>(entries, most); ++k) {
      std::int32_t begin = 0;
      std::memcpy(&begin, bytes + kTableBegin + k * kTableEntry, sizeof begin);
      functions_.push_back(segment.address + static_cast<std::uint64_t>(std::int64_t{begin}));
    }
  });
  std::ranges::sort(functions_);
}

std::uint64_t CodeFile::function_begin(std::uint64_t address) {
  if (!has_functions_) read_functions();
  has_functions_ = true;
  const auto next = std::upper_bound(functions_.begin(), functions_.end(), address);
  return next == functions_.begin() ? address : *std::prev(next);
}

std::string CodeFile::symbol_of(std::uint64_t address) {
  const char* const symbol = symbols_.at(module_, address);
  return symbol != nullptr ? demangled(symbol) : fmt::format("{}+0x{:x}", base_name(path_), function_begin(address));
}

std::uint64_t CodeFile::line_of(std::uint64_t address) const {
  int line = 0;
  Dwfl_Line* const found = dwfl_module_getsrc(module_, address);
  if (found == nullptr || dwfl_lineinfo(found, nullptr, &line, nullptr, nullptr, nullptr) == nullptr) return 0;
  return static_cast<std::uint64_t>(std::max(line, 0));
}

std::vector<CodeName> CodeFile::names_of(std::uint64_t address) {
  if (module_ == nullptr) return {CodeName{}};
  std::vector<CodeName> names;
  std::uint64_t line = line_of(address);
  for (InlinedCalls::Call& call : inlined_.at(module_, address)) {
    names.push_back({std::move(call.function), std::exchange(line, call.line), true});
  }
  names.push_back({symbol_of(address), line});
  return names;
}

}  // namespace evt::record
