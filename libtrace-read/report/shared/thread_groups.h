// Threads that share statistics.
#pragma once

#include <evt/analysis/actors.h>
#include <evt/report.h>
#include <evt/report_table.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace evt::report {

// A thread's number, as tables print it; in a merged trace PART:NUMBER.
std::string number_text(const Actors& actors, std::uint32_t thread);
// A thread's name, or `thread NUMBER` without one; in a merged trace PART:NAME.
std::string thread_text(const Actors& actors, std::uint32_t thread);
// All names that users may use: as tables print it, its number, and its name with and without the part.
std::vector<std::string> names_of_thread(const Actors& actors, std::uint32_t thread);

// Texts of threads that tell them apart: where several share a name, PART:NUMBER (NAME).
class ThreadTexts {
 public:
  explicit ThreadTexts(const Actors& actors);
  std::string of(std::uint32_t thread) const;

 private:
  const Actors* actors_;
  std::map<std::string, std::uint32_t> threads_;  // how many have this text
};

class ThreadGroups {
 public:
  enum class By : std::uint8_t { kAll, kThread, kPattern, kName };

  // If there are patterns, threads that match none have no group. A thread belongs to the first that matches one of its
  // names.
  ThreadGroups(const Actors& actors, By by, std::vector<std::string> patterns)
      : actors_(&actors), by_(by), patterns_(std::move(patterns)) {}

  // True if threads must be distinguished.
  bool needs_threads() const { return by_ != By::kAll || !patterns_.empty(); }
  // The group of a thread; kNone: of all. Nothing if it is not selected.
  std::optional<std::uint32_t> of(std::uint32_t thread);
  // The first columns of a table, which show them.
  std::vector<const char*> columns() const;
  Table::Row cells(std::uint32_t group) const;
  std::string text(std::uint32_t group) const;
  // Patterns that match no thread.
  std::vector<Unmet> unmet() const;

 private:
  std::optional<std::uint32_t> pattern_of(std::uint32_t thread) const;

  const Actors* actors_;
  By by_;
  std::vector<std::string> patterns_;
  std::map<std::string, std::uint32_t> by_name_;
  std::vector<std::string> names_;
};

}  // namespace evt::report
