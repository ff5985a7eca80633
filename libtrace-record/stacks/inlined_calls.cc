#include "inlined_calls.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <algorithm>

#include "demangled.h"

namespace evt::record {
namespace {

constexpr int kMostDepth = 256;

bool may_have_code(int tag) {
  switch (tag) {
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
      return true;
    default:
      return false;
  }
}

std::string name_of(Dwarf_Die* call) {
  for (const unsigned linkage : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    Dwarf_Attribute attribute;
    const char* const symbol = dwarf_formstring(dwarf_attr_integrate(call, linkage, &attribute));
    if (symbol != nullptr) return demangled(symbol);
  }
  const char* const name = dwarf_diename(call);
  return name == nullptr ? "" : name;
}

}  // namespace

std::vector<InlinedCalls::Call> InlinedCalls::at(Dwfl_Module* module, std::uint64_t address) {
  Dwarf_Addr bias = 0;
  std::vector<Call> calls;
  Dwarf_Die* const unit = dwfl_module_addrdie(module, address, &bias);
  if (unit == nullptr) return calls;
  const auto [known, is_new] = units_.try_emplace(dwarf_dieoffset(unit));
  if (is_new) read(unit, 0, &known->second);
  for (const Range& range : known->second) {
    Dwarf_Die call;
    const bool is_in = address - bias >= range.begin && address - bias < range.end;
    if (!is_in || dwarf_offdie(dwfl_module_getdwarf(module, &bias), range.entry, &call) == nullptr) continue;
    calls.push_back({name_of(&call), range.line});
  }
  std::ranges::reverse(calls);
  return calls;
}

void InlinedCalls::read(Dwarf_Die* parent, int depth, Unit* unit) {
  Dwarf_Die entry;
  if (depth > kMostDepth || dwarf_child(parent, &entry) != 0) return;
  do {
    if (++entries_ > kMostEntries) return;
    const int tag = dwarf_tag(&entry);
    if (tag == DW_TAG_inlined_subroutine) add(&entry, unit);
    if (may_have_code(tag)) read(&entry, depth + 1, unit);
  } while (dwarf_siblingof(&entry, &entry) == 0);
}

void InlinedCalls::add(Dwarf_Die* call, Unit* unit) {
  Dwarf_Attribute attribute;
  Dwarf_Word line = 0;
  dwarf_formudata(dwarf_attr(call, DW_AT_call_line, &attribute), &line);
  Dwarf_Addr base = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  for (std::ptrdiff_t at = 0; (at = dwarf_ranges(call, at, &base, &begin, &end)) > 0;) {
    if (++ranges_ > kMostRanges) return;
    unit->push_back({begin, end, dwarf_dieoffset(call), static_cast<std::uint32_t>(line)});
  }
}

}  // namespace evt::record
