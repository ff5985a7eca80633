#include "ink.h"

namespace evt::view {
namespace {

constexpr Color kBlack{0x22, 0x22, 0x22};

Color gray(std::uint8_t level) { return {level, level, level}; }

}  // namespace

std::string Ink::of(RowState state) const {
  if (state == RowState::kOutside) return "url(#outside)";
  if (!is_plain_) return hex(color_of(state));
  switch (state) {
    case RowState::kRunning:
      return hex(gray(0x30));
    case RowState::kCollecting:
      return "url(#collecting)";
    case RowState::kCollectorSync:
      return "url(#sync)";
    case RowState::kCollectorIdle:
      return "url(#idle)";
    case RowState::kRunnable:
      return hex(gray(0x9a));
    default:
      return hex(gray(state == RowState::kWaiting ? 0xc4 : 0xe2));
  }
}

std::string Ink::of_hue(Key hue) const {
  return is_plain_ ? hex(gray(static_cast<std::uint8_t>(0xb0 + hue % 4 * 0x14))) : hex(color_of_hue(hue));
}

std::string Ink::of_counter_band() const { return is_plain_ ? hex(gray(0xc8)) : hex(colors::kBand); }
std::string Ink::of_accent() const { return is_plain_ ? hex(kBlack) : hex(colors::kAccent); }

std::vector<SvgWriter::Pattern> Ink::patterns() const {
  std::vector<SvgWriter::Pattern> all = {
      {"outside", 45, 2.4, 0.4, is_plain_ ? kBlack : color_of(RowState::kOutside)},
      {"lost", 45, 3, 1.1, is_plain_ ? kBlack : colors::kLost},
      {"stopped", -45, 3, 0.8, is_plain_ ? kBlack : colors::kStopped},
      {"uncertain", -45, 3, 1, colors::kWhite},
      {"spans", 45, 3, 1.5, is_plain_ ? gray(0xb0) : color_of_hue(1), is_plain_ ? "#ececec" : hex(color_of_hue(7))},
  };
  if (!is_plain_) return all;
  all.push_back({"collecting", 45, 1.6, 0.7, kBlack, "#ffffff"});
  all.push_back({"sync", 0, 1.6, 0.4, kBlack, "#ffffff"});
  all.push_back({"idle", 90, 2.4, 0.3, kBlack, "#ffffff"});
  return all;
}

}  // namespace evt::view
