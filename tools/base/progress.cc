#include "progress.h"

#include <cstdio>

#include "report.h"
#include "terminal.h"

namespace evt::tools {
namespace {

constexpr int kWidth = 40;

}  // namespace

Progress::Progress() : is_wanted_(Terminal::has_messages() && !Terminal::has_pager() && !Report::is_quiet()) {}

void Progress::show(std::uint64_t done, std::uint64_t total) {
  if (!is_wanted_ || total == 0) return;
  const int percent =
      done >= total ? 100 : static_cast<int>(100 * (static_cast<double>(done) / static_cast<double>(total)));
  if (percent == shown_) return;
  shown_ = percent;
  char bar[kWidth + 1] = {};
  for (int i = 0; i < kWidth; ++i) bar[i] = i < percent * kWidth / 100 ? '#' : ' ';
  std::fprintf(stderr, "\r[%s] %3d %%", bar, percent);
}

void Progress::clear() {
  if (shown_ >= 0) std::fprintf(stderr, "\r%*s\r", kWidth + 8, "");
  shown_ = -1;
}

}  // namespace evt::tools
