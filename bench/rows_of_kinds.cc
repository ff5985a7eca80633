#include "rows_of_kinds.h"

#include <evt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "format-spec/src/row/row_writer.h"

namespace evt::bench {
namespace {

constexpr std::uint32_t kEvents = 1'000'000;
constexpr std::size_t kBlock = 256 << 10;
constexpr std::uint16_t kStart = 1024;
constexpr std::uint16_t kStop = 1025;
constexpr std::uint16_t kMixed = 1100;

// What a field holds.
enum Content : std::uint8_t { kThread, kKind, kFlag, kCounter, kPointer, kSize, kRandom, kMeasure, kName, kStatus };
constexpr std::uint8_t kWidths[] = {4, 1, 1, 8, 8, 4, 8, 8, 0, 2};

const std::vector<std::vector<Content>>& fields_of_mixed() {
  static const std::vector<std::vector<Content>> fields = {{kThread},
                                                           {kThread, kKind},
                                                           {kThread, kPointer, kSize},
                                                           {kPointer},
                                                           {},
                                                           {kCounter},
                                                           {kName},
                                                           {kThread, kName},
                                                           {kCounter, kKind},
                                                           {kPointer, kSize, kStatus},
                                                           {kName, kCounter},
                                                           {kThread, kStatus, kCounter},
                                                           {},
                                                           {kMeasure, kKind},
                                                           {kRandom},
                                                           {kCounter, kPointer, kName, kKind},
                                                           {kThread, kSize, kSize, kFlag},
                                                           {kStatus},
                                                           {kThread, kPointer, kPointer, kSize, kKind, kStatus},
                                                           {kName, kName, kCounter, kMeasure, kKind, kFlag}};
  return fields;
}

class Maker {
 public:
  void begin_row(std::uint16_t type) {
    // About 50 ns between events, seldom much more.
    ticks_ += 20 + static_cast<std::uint64_t>(std::exp(std::log(120.0) + 0.6 * normal_(random_)));
    payload_.clear();
    type_ = type;
  }
  void field(std::uint64_t value, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) payload_.push_back(static_cast<std::uint8_t>(value >> 8 * i));
  }
  void text(const std::string& text) {
    field(text.size(), 2);
    payload_.insert(payload_.end(), text.begin(), text.end());
  }
  void end_row() {
    const std::size_t size = RowWriter::size_of_event(type_, payload_.size());
    if (blocks_.empty() || blocks_.back().rows.size() + size > kBlock) {
      blocks_.emplace_back();
      base_ = ticks_;
    }
    Block& block = blocks_.back();
    block.rows.resize(block.rows.size() + size);
    RowWriter writer(block.rows.data() + block.rows.size() - size);
    std::copy(payload_.begin(), payload_.end(),
              writer.event(static_cast<std::uint32_t>(ticks_ - base_), type_, payload_.size()));
    block.count += 1;
  }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  // One of n, the first ones most.
  std::uint32_t seldom_late(std::uint32_t n) {
    const double x = std::pow(n + 1.0, static_cast<double>(random_() >> 11) * 0x1p-53);
    return static_cast<std::uint32_t>(x) - 1;
  }
  std::uint64_t any() { return random_(); }
  double normal() { return normal_(random_); }
  std::vector<Block> blocks() { return std::move(blocks_); }

 private:
  std::mt19937_64 random_{42};
  std::normal_distribution<double> normal_;
  std::vector<Block> blocks_;
  std::vector<std::uint8_t> payload_;
  std::uint64_t ticks_ = 0;
  std::uint64_t base_ = 0;
  std::uint16_t type_ = 0;
};

std::string name(std::uint32_t number) {
  static const char* const kVerbs[] = {"read", "write", "open",   "close", "alloc",
                                       "free", "lock",  "unlock", "send",  "receive"};
  static const char* const kNouns[] = {"_file",  "_socket", "_buffer",  "::Worker", "_queue",
                                       ".cache", "Handler", "_context", "Node",     "_v2"};
  return std::string(number >= 100 ? "app::" : "") + kVerbs[number % 10] + kNouns[number / 10 % 10];
}

std::uint64_t value_of(Maker& make, Content content, std::uint64_t& counter, std::uint32_t& thread) {
  switch (content) {
    case kThread:
      if (make.below(20) == 0) thread = make.below(12);
      return 4711 + 3 * thread;
    case kKind:
      return make.below(4) != 0 ? 1 : make.below(5);
    case kFlag:
      return make.below(5) == 0 ? 1 : 0;
    case kCounter:
      return counter += 1 + (make.below(3) != 0 ? 0 : make.below(4096));
    case kPointer:
      return 0x7F3A'1000'0000 + 16 * std::uint64_t{make.below(16) != 0 ? make.below(64) * 4096 : make.below(1 << 22)};
    case kSize:
      return static_cast<std::uint64_t>(std::exp(5 + 1.2 * make.normal())) / 8 * 8 & 0xFFFFFFFF;
    case kRandom:
      return make.any();
    case kMeasure: {
      const double measured = 1e-3 * std::round(1000 + 200 * make.normal());
      std::uint64_t bits;
      std::memcpy(&bits, &measured, sizeof bits);
      return bits;
    }
    default:
      return make.below(2) != 0 ? 3 : make.below(12);
  }
}

}  // namespace

std::vector<Block> start_stop() {
  static constexpr std::uint16_t kStatuses[] = {7, 7, 7, 7, 7, 1, 1, 3, 5, 9};
  Maker make;
  std::uint32_t threads[8];
  for (std::uint32_t& thread : threads) thread = 1000 + make.below(500);
  std::uint32_t thread = 0;
  for (std::uint32_t i = 0; i < kEvents; ++i) {
    if (i % 2 == 0) thread = threads[make.below(8)];
    make.begin_row(i % 2 == 0 ? kStart : kStop);
    make.field(thread, 4);
    if (i % 2 != 0) make.field(kStatuses[make.below(10)], 2);
    make.end_row();
  }
  return make.blocks();
}

std::vector<Block> mixed() {
  const auto& fields = fields_of_mixed();
  const auto types = static_cast<std::uint32_t>(fields.size());
  Maker make;
  std::vector<std::vector<std::uint64_t>> counters(types, std::vector<std::uint64_t>(6));
  std::uint32_t type = 0;
  std::uint32_t thread = 0;
  for (std::uint32_t i = 0; i < kEvents; ++i) {
    type = make.below(3) == 0 ? (7 * type + 3) % types : make.seldom_late(types);  // what often follows what
    make.begin_row(static_cast<std::uint16_t>(kMixed + type));
    for (std::size_t f = 0; f < fields[type].size(); ++f) {
      const Content content = fields[type][f];
      if (content == kName) {
        make.text(name(make.seldom_late(200)));
      } else {
        make.field(value_of(make, content, counters[type][f], thread), kWidths[content]);
      }
    }
    make.end_row();
  }
  return make.blocks();
}

void teach(columns::Encoder& encoder) {
  using columns::Item;
  static constexpr Item kStopItems[] = {{columns::kFixed, 4}, {columns::kFixed, 2}};
  encoder.set_items(kStart, kStopItems, 1);
  encoder.set_items(kStop, kStopItems, 2);
  std::uint16_t number = kMixed;
  for (const std::vector<Content>& fields : fields_of_mixed()) {
    std::vector<Item> items;
    for (const Content content : fields) {
      items.push_back(content == kName ? Item{columns::kCounted16, 1} : Item{columns::kFixed, kWidths[content]});
    }
    encoder.set_items(number++, items.data(), items.size());
  }
}

}  // namespace evt::bench
