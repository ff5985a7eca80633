// The tree of causes of an interval as a table.
#pragma once

#include <evt/analysis/why.h>
#include <evt/timeline.h>

#include <string>
#include <vector>

#include "base/table.h"
#include "why/why_tree.h"

namespace evt::tools {

// A row for each node: people see its time and a sentence, and programs also its parts.
class WhyTable {
 public:
  // All must outlive it. `depth`: levels that have rows. `is_indented`: sentences are, by their levels.
  WhyTable(Timeline& timeline, const Why& why, const WhyTree& tree, std::size_t depth, bool is_indented);

  Table table();

 private:
  void add_below(std::uint32_t node, std::size_t level, Table* table);
  void add_row(std::uint32_t node, std::uint64_t ns, const std::string& what, const char* kind, std::size_t level,
               Table* table);
  std::string sentence(const WhyStep& step, const WhyStep& above) const;
  std::string wait_of(const WhyStep& step) const;
  std::string cause_of(const WhyStep& step, const WhyStep& above) const;
  const char* unknown_cause(const WhyStep& wait) const;
  std::string runnable_of(const WhyStep& step) const;
  const WhyPlace* place_of(const WhyStep& step) const;
  std::string resource_of(const WhyPlace* place) const;
  std::string object_of(const WhyPlace* place) const;
  std::string name_of(const WhyPlace* place) const;
  std::string in(const char* what, const WhyStep& step) const;
  std::string thread(std::uint32_t index) const;

  Timeline* timeline_;
  const Why* why_;
  const WhyTree* tree_;
  std::size_t depth_;
  bool is_indented_;
};

}  // namespace evt::tools
