// Writes the members of objects as numbers, and reads them back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace evt {

// Goes over an object in one order for both directions:
//
//   void Threads::archive(Archive& all) {
//     all.numbers(now_);
//     all.list(threads_, kMost, [&](Thread& t) { all.index(t.cpu, cpus_); });
//   }
//   Archive written;                    Archive read(words);
//   threads.archive(written);           threads.archive(read);
//   words = written.words();            if (!read.is_whole()) ...  // then do not use the object
//
// The n-th value of each element of a list is in the n-th column, so numbers of one kind are adjacent and pack well. An
// object that is read takes at most a few times the memory of its words.
class Archive {
 public:
  static constexpr std::size_t kMost = std::size_t{2} << 20;  // words, of 8 bytes

  Archive() = default;
  // Reads the result of words(base), with the same base. Fails without words.
  explicit Archive(std::span<const std::uint64_t> words, const Archive* base = nullptr);

  // Each column after its length; with a base, which is of a similar object, as the difference to the same column
  // there.
  std::vector<std::uint64_t> words(const Archive* base = nullptr) const;
  bool is_reading() const { return is_reading_; }
  // So far. After a failure, values read are zero, and lists end.
  bool is_ok() const { return is_ok_; }
  // And nothing follows.
  bool is_whole() const { return is_ok_ && (!is_reading_ || left_ == 0); }
  bool require(bool condition) { return is_ok_ &= condition; }
  // Writes a value that the reader knows too; reading fails if they differ.
  void known(std::uint64_t value) {
    std::uint64_t read = value;
    numbers(read);
    require(read == value);
  }

  template <typename... T>
  void numbers(T&... values) {
    (number(values), ...);
  }
  // UINT32_MAX for none, or less than `count`.
  void index(std::uint32_t& value, std::size_t count) {
    std::uint32_t above = value + 1;
    numbers(above);
    value = require(above <= count) ? above - 1 : UINT32_MAX;
  }
  void text(std::string& value);
  template <typename T>
  void optional(std::optional<T>& value) {
    bool is_there = value.has_value();
    T read = value.value_or(T());
    numbers(is_there, read);
    value = is_there ? std::optional<T>(read) : std::nullopt;
  }
  // A value of an enumeration, from 0 on.
  template <typename T>
  void choice(T& value, T last) {
    numbers(value);
    if (!require(value <= last)) value = T();
  }
  // The index of an element in a vector; may be null.
  template <typename T>
  void place(const T*& element, const std::vector<T>& in) {
    std::uint32_t index = element != nullptr ? static_cast<std::uint32_t>(element - in.data()) : UINT32_MAX;
    this->index(index, in.size());
    element = index != UINT32_MAX ? &in[index] : nullptr;
  }
  template <typename List, typename Each>
  void list(List& all, std::size_t most, Each each) {
    std::size_t size = all.size();
    numbers(size);
    require(size <= most);
    if (is_reading_) all.clear();
    const std::size_t first = column_;
    for (std::size_t i = 0; is_ok_ && i < size; ++i) {
      if (is_reading_) all.emplace_back();
      column_ = first;
      each(all[i]);
    }
  }
  // Calls each(key, value) for each element.
  template <typename Map, typename Each>
  void map(Map& all, std::size_t most, Each each) {
    std::vector<std::pair<typename Map::key_type, typename Map::mapped_type>> pairs(all.begin(), all.end());
    list(pairs, most, [&](auto& pair) { each(pair.first, pair.second); });
    if (is_reading_) all = Map(pairs.begin(), pairs.end());
  }

 private:
  struct Column {
    std::vector<std::uint64_t> words;
    std::size_t read = 0;  // number of words that were read
  };

  std::uint64_t next(std::uint64_t word);
  template <typename T>
  void number(T& value) {
    const std::uint64_t word = next(static_cast<std::uint64_t>(value));
    if (!is_reading_) return;
    value = static_cast<T>(word);
    require(static_cast<std::uint64_t>(value) == word);
  }

  std::vector<Column> columns_;
  std::size_t column_ = 0;    // column for the next word
  std::size_t left_ = kMost;  // words left to read, or room for them
  bool is_reading_ = false;
  bool is_ok_ = true;
};

}  // namespace evt
