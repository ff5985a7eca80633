// What a program uses as tables.
#pragma once

#include <evt/analysis/collections.h>
#include <evt/analysis/usage.h>

#include <array>
#include <map>
#include <string>

#include "analysis.h"

namespace evt::report {

// What an object is called: by its name, else by its number; nothing of calls that name none.
Cell object_cell(const Session& session, const EventNames& names, const Usage::Target& target);

// What the tables are made of: all that was found at the end of the time. Refers to the analysis and its actors.
class UsageTables {
 public:
  UsageTables(Timeline& timeline, const Usage& usage, const Collections& collections, std::int64_t ns);

  Table time() const;     // the program's, and its collectors', divided
  Table stops() const;    // of the process
  Table threads() const;  // the same as time() of each thread
  Table functions() const;
  Table objects() const;
  Table calls_of_threads() const;
  Table resources() const;

  std::uint64_t moved_ns() const;                   // all that counts as stopped
  std::vector<std::string> resource_names() const;  // of calls, and of objects that were opened
  bool has_calls() const { return !rows_.empty(); }
  bool has_threads() const { return !threads_.empty(); }

 private:
  using Key = std::array<std::uint32_t, 2>;
  template <typename KeyOf>
  static std::map<Key, CallSum> sums_by(const std::vector<Usage::Row>& rows, KeyOf key_of);

  std::vector<std::pair<std::string, std::uint32_t>> largest_resources() const;
  std::uint32_t resource_of(const Usage::Row& row) const;
  Cell resource_cell(std::uint32_t resource) const;

  const Actors& actors_;
  const EventNames& names_;
  const Usage& usage_;
  std::vector<Usage::Row> rows_;
  std::vector<Usage::Row> uses_;  // of calls that name what they are for
  std::vector<Usage::ThreadRow> threads_;
  Collections::Capability collectors_;  // of all
};

}  // namespace evt::report
