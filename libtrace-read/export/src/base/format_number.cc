#include "format_number.h"

#include <fmt/format.h>

namespace evt {
namespace {

template <typename Float>
void append(TextBuffer& out, Float number) {
  constexpr std::size_t kMax = 32;  // of -2.2250738585072014e-308, and some more
  out.end_at(fmt::format_to(out.room(kMax), "{}", number));
}

}  // namespace

void append_float(TextBuffer& out, float number) { append(out, number); }
void append_float(TextBuffer& out, double number) { append(out, number); }

}  // namespace evt
