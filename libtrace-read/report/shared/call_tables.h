// Tables of paths of names: of spans and calls, or of sampled stacks.
#pragma once

#include <evt/analysis/call_paths.h>
#include <evt/report_table.h>

#include <compare>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "thread_groups.h"

namespace evt::report {

class CallTables {
 public:
  // Whose tables they are: names are of spans and calls, or of the code in stacks.
  struct Analysis {
    const char* name;    // also that of the table of names
    const char* things;  // what has no such name, in a sentence
    bool has_kinds;
    bool is_sampled;  // each stands for others
    bool is_counted;  // false: it is not known how many there are
  };
  static constexpr Analysis kCalls = {"calls", "span or call", true, false, true};
  static constexpr Analysis kStacks = {"stacks", "code in a stack", false, true, true};
  static constexpr Analysis kSums = {"stacks", "code in a stack", false, false, false};
  static constexpr Analysis kWaits = {"stacks", "code in a stack", false, false, true};
  struct Paths {
    const std::vector<CallPaths::Node>& nodes;
    std::vector<CallPaths::Inside> inside;
  };

  CallTables(Timeline& timeline, const Analysis& analysis, Paths paths, ThreadGroups* groups);

  // True if nothing was counted.
  bool is_empty() const { return rows_.empty(); }
  Table facts() const;
  // One row for each name and kind; with patterns, only for names that match one.
  Table names(const std::vector<std::string>& patterns) const;
  // Callers and callees of those that match: the rows of a name add up to its own row.
  Table callers(const std::vector<std::string>& patterns) const;
  Table callees(const std::vector<std::string>& patterns) const;
  // A row for each path with self time: `thread;outer;inner`. Beyond kMaxFoldedText bytes, only those with the most
  // time; the rest is in one path for each group of threads.
  static constexpr std::size_t kMaxFoldedText = 32 << 20;
  struct Folded {
    Table table;
    std::uint64_t left_out = 0;  // paths without a separate row
  };
  Folded folded() const;
  // Patterns of the option that match no name.
  std::vector<Unmet> unmet(const std::string& option, const std::vector<std::string>& patterns) const;

 private:
  using Node = CallPaths::Node;

  // In selected threads.
  struct Name {
    std::uint32_t group = 0;
    std::uint32_t name = 0;
    bool is_call = false;

    friend auto operator<=>(const Name&, const Name&) = default;
  };
  struct Figures {
    std::uint64_t count = 0;
    std::uint64_t unfinished = 0;
    std::uint64_t sum_ns = 0;
    CallPaths::Time self;
  };
  // With an enclosing or nested one; kNone: with none.
  struct Relation {
    Name of;
    Name with;
    bool is_other_paths = false;

    friend auto operator<=>(const Relation&, const Relation&) = default;
  };
  using Relations = std::map<Relation, Figures>;

  Name name_of(std::uint32_t node) const;
  const std::string& text_of(const Name& name) const { return timeline_->names().text(name.name); }
  bool fits(const Name& name, const std::vector<std::string>& patterns) const;
  Cell count(std::uint64_t number) const { return analysis_.is_counted ? Cell(number) : Cell(); }
  Relations callees_of(const std::vector<std::string>& patterns) const;
  Table relations(const char* table, const char* other, const char* without, const Relations& found) const;
  std::string stack_of(std::uint32_t node) const;
  std::string other_paths_of(std::uint32_t group) const;

  std::vector<const char*> keys(std::initializer_list<const char*> with_kinds) const;
  void add_figures(const Figures& row, Table::Row* cells) const;

  Timeline* timeline_;
  const Analysis& analysis_;
  const std::vector<CallPaths::Node>& nodes_;
  ThreadGroups* groups_;
  std::vector<std::uint32_t> group_of_;  // by node; kNone: not selected
  std::map<Name, Figures> rows_;
  CallPaths::Time inside_;
  std::uint64_t threads_ = 0;
  std::uint64_t kept_paths_ = 0;
  std::uint64_t counted_ = 0;
  double squares_ = 0;  // sum of those of the weights of samples
};

}  // namespace evt::report
