// The usage of a program as tables.
#pragma once

#include <evt/analysis/collections.h>
#include <evt/analysis/usage.h>

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "analysis.h"

namespace evt::report {

// The name of an object, else its number; nothing for calls that name none.
Cell object_cell(const Session& session, const EventNames& names, const Usage::Target& target);

// Whether threads wait for each other by objects of this resource.
bool is_lock(std::string_view resource);

// Makes the tables from the findings at the end of the time. Refers to the analysis and its actors.
class UsageTables {
 public:
  UsageTables(Timeline& timeline, const Usage& usage, const Collections& collections, std::int64_t ns);

  Table time() const;     // the program's time, and its collectors', divided by use
  Table stops() const;    // the process's
  Table threads() const;  // time() for each thread
  Table functions() const;
  Table objects() const;
  Table uses() const;  // by function and object
  Table calls_of_threads() const;
  Table resources() const;
  // How near to its limit each came in a range of this length.
  Table limits(std::uint64_t range_ns) const;

  std::uint64_t moved_ns() const;                   // all time that counts as stopped
  std::vector<std::string> resource_names() const;  // named by calls, and by opened objects
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
  std::vector<Usage::Row> uses_;  // from calls that name their target
  std::vector<Usage::ThreadRow> threads_;
  Collections::Capability collectors_;  // totals
};

}  // namespace evt::report
