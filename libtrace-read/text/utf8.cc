#include "utf8.h"

#include <evt/little_endian.h>

#include <algorithm>
#include <bit>
#include <iterator>

namespace evt {
namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// East Asian wide and full-width characters and pictures, as blocks: two columns each on a terminal.
constexpr Range kWide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xAC00, 0xD7A3},
                           {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
                           {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x2FFFD}, {0x30000, 0x3FFFD}};
// Characters that no font shows: Unicode's Default_Ignorable_Code_Point (version 15), whose members also hide data and
// reverse text, and the controls that it leaves out, of annotations and of line ends.
constexpr Range kInvisible[] = {
    {0xAD, 0xAD},     {0x34F, 0x34F},   {0x61C, 0x61C},     {0x115F, 0x1160},   {0x17B4, 0x17B5},  {0x180B, 0x180F},
    {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},   {0x3164, 0x3164},   {0xFE00, 0xFE0F},  {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
// Accents that combine with the character before them.
constexpr Range kCombining[] = {{0x300, 0x36F}, {0x1AB0, 0x1AFF}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}};

template <std::size_t N>
bool is_in(const Range (&ranges)[N], std::uint32_t code) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [code](const Range& range) { return code >= range.first && code <= range.last; });
}

constexpr std::uint64_t kEach = 0x0101'0101'0101'0101;  // a byte

// The highest bit of each byte of `eight` that is 0; bits of later bytes than the first such may be wrong.
constexpr std::uint64_t zeros_in(std::uint64_t eight) { return (eight - kEach) & ~eight & kEach * 0x80; }

std::size_t plain_size(std::string_view text) {
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    const std::uint64_t eight = evt_load_u64(text.data() + at);
    const std::uint64_t control = (eight - kEach * 0x20) & ~eight;
    const std::uint64_t other = zeros_in(eight ^ kEach * 0x7F) | zeros_in(eight ^ kEach * '"') |
                                zeros_in(eight ^ kEach * '\\') | control | eight;
    if ((other & kEach * 0x80) != 0) return at + static_cast<std::size_t>(std::countr_zero(other & kEach * 0x80)) / 8;
  }
  const auto plain = [](char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; };
  while (at < text.size() && plain(text[at])) ++at;
  return at;
}

}  // namespace

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return {1, first};
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return {};
  std::uint32_t code = first & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < kSmallest[size] || code > 0x10FFFF || surrogate ? Character{} : Character{size, code};
}

std::string_view take_character(std::string_view* text) {
  const std::string_view character = text->substr(0, std::max<std::size_t>(first_character(*text).size, 1));
  text->remove_prefix(character.size());
  return character;
}

std::string_view take_plain(std::string_view* text) {
  const std::string_view plain = text->substr(0, plain_size(*text));
  text->remove_prefix(plain.size());
  return plain;
}

bool is_harmless(std::uint32_t code) {
  if (code < 0x7F) return code >= 0x20;
  return code >= 0xA0 && !is_in(kInvisible, code);
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    columns += is_in(kCombining, character.code) ? 0 : is_in(kWide, character.code) ? 2 : 1;
    text.remove_prefix(std::max<std::size_t>(character.size, 1));
  }
  return columns;
}

std::string_view whole_characters(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  for (std::size_t back = 1; back < 4 && back <= most; ++back) {
    const std::size_t size = first_character(text.substr(most - back)).size;
    if (size > back) return text.substr(0, most - back);
    if (size > 0) break;
  }
  return text.substr(0, most);
}

}  // namespace evt
