#include "function_symbols.h"

#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <tuple>

namespace evt::record {
namespace {

// One that contains an address may begin before others that end before it.
constexpr int kMostWithin = 16;

bool may_be_function(const GElf_Sym& symbol) {
  const int type = GELF_ST_TYPE(symbol.st_info);
  return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
}

// Functions before labels, what others may call before what they may not, and names without underscores before those
// with them: malloc, not __libc_malloc.
int rank_of(const GElf_Sym& symbol, const char* name) {
  const int binding = GELF_ST_BIND(symbol.st_info);
  const int by_binding = binding == STB_GLOBAL ? 0 : binding == STB_WEAK ? 1 : 2;
  const int by_type = GELF_ST_TYPE(symbol.st_info) == STT_NOTYPE ? 1 : 0;
  return 100 * by_type + 10 * by_binding + static_cast<int>(std::min<std::size_t>(std::strspn(name, "_"), 9));
}

GElf_Addr end_of_section(Elf* elf, GElf_Word section) {
  GElf_Shdr header;
  Elf_Scn* const found = elf_getscn(elf, section);
  return found != nullptr && gelf_getshdr(found, &header) != nullptr ? header.sh_addr + header.sh_size : 0;
}

}  // namespace

const char* FunctionSymbols::at(Dwfl_Module* module, std::uint64_t address) {
  if (!is_read_) read(module);
  is_read_ = true;
  auto next = std::ranges::upper_bound(functions_, address, {}, &Function::begin);
  for (int i = 0; i < kMostWithin && next != functions_.begin(); ++i) {
    --next;
    if (address < next->end) return next->name;
  }
  return nullptr;
}

void FunctionSymbols::read(Dwfl_Module* module) {
  const int count = dwfl_module_getsymtab(module);
  for (int i = 1; i < count; ++i) {
    GElf_Sym symbol;
    GElf_Addr address = 0;
    GElf_Word section = 0;
    GElf_Addr bias = 0;
    Elf* elf = nullptr;
    const char* const name = dwfl_module_getsym_info(module, i, &symbol, &address, &section, &elf, &bias);
    if (name == nullptr || *name == '\0' || section == SHN_UNDEF || section == SHN_ABS || !may_be_function(symbol))
      continue;
    const bool has_size = symbol.st_size > 0;
    const GElf_Addr end = has_size ? address + symbol.st_size : end_of_section(elf, section) + bias;
    functions_.push_back({address, end, name, rank_of(symbol, name), has_size});
  }
  std::ranges::stable_sort(functions_, {}, [](const Function& each) { return std::tuple(each.begin, each.rank); });
  const auto is_same = [](const Function& one, const Function& other) { return one.begin == other.begin; };
  functions_.erase(std::unique(functions_.begin(), functions_.end(), is_same), functions_.end());
  for (std::size_t i = 0; i + 1 < functions_.size(); ++i) {
    if (!functions_[i].has_size) functions_[i].end = std::min(functions_[i].end, functions_[i + 1].begin);
  }
}

}  // namespace evt::record
