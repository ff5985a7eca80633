// Labels of enumerations in logs.
#include "ghc_event_table.h"

namespace evt::eventlog {
namespace {

constexpr Label kStops[] = {{0, "none"},       {1, "heap_overflow"}, {2, "stack_overflow"}, {3, "yielding"},
                            {4, "blocked"},    {5, "finished"},      {6, "foreign_call"},   {7, "mvar"},
                            {8, "black_hole"}, {9, "read"},          {10, "write"},         {11, "delay"},
                            {12, "stm"},       {13, "do_proc"},      {16, "ccall"},         {17, "interruptible_ccall"},
                            {18, "throw_to"},  {19, "migrating"},    {20, "mvar_read"},     {21, "io_completion"}};
// 7.8.0 to 7.8.2 had "reading an MVar" in between.
constexpr Label kStops782[] = {{0, "none"},
                               {1, "heap_overflow"},
                               {2, "stack_overflow"},
                               {3, "yielding"},
                               {4, "blocked"},
                               {5, "finished"},
                               {6, "foreign_call"},
                               {7, "mvar"},
                               {8, "mvar_read"},
                               {9, "black_hole"},
                               {10, "read"},
                               {11, "write"},
                               {12, "delay"},
                               {13, "stm"},
                               {14, "do_proc"},
                               {17, "ccall"},
                               {18, "interruptible_ccall"},
                               {19, "throw_to"},
                               {20, "migrating"}};
constexpr Label kCapsetTypes[] = {{1, "custom"}, {2, "os_process"}, {3, "clock_domain"}};
constexpr Label kBreakdowns[] = {{1, "cost_centre"},  {2, "module"},     {3, "closure_description"},
                                 {4, "type"},         {5, "retainer"},   {6, "biography"},
                                 {7, "closure_type"}, {8, "info_table"}, {9, "era"}};

}  // namespace

std::span<const Label> stop_labels(std::string_view runtime) {
  return runtime.starts_with("GHC-7.8.0") || runtime.starts_with("GHC-7.8.1") || runtime.starts_with("GHC-7.8.2")
             ? std::span<const Label>(kStops782)
             : std::span<const Label>(kStops);
}

std::span<const Label> labels_of(const KnownType& type, std::string_view field) {
  if (type.id == 25 && field == "type") return kCapsetTypes;
  if (type.id == 160 && field == "breakdown") return kBreakdowns;
  return {};
}

}  // namespace evt::eventlog
