// The tree of causes as a table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis.h"
#include "why_tree.h"
#include "why_words.h"

namespace evt::report {

// The mean, rounded; 0 without any.
std::int64_t mean_of(std::uint64_t sum, std::uint64_t count);

// A row for each node: people see its time and a sentence, and programs also its parts.
class WhyTable {
 public:
  struct Form {
    std::size_t depth = SIZE_MAX;  // levels that have rows
    bool is_indented = false;      // sentences are, by their levels
    bool folds_small = false;  // causes of less than a thousandth of all have one row together, if there are several
  };
  // How many intervals the two times of a tree are of.
  struct Compared {
    std::uint64_t slow = 0;
    std::uint64_t median = 0;
  };

  // Both must outlive it.
  WhyTable(const WhyWords& words, const WhyTree& tree, Form form) : words_(&words), tree_(&tree), form_(form) {}

  // What one interval was spent on.
  Table causes();
  // What slow ones spend more time on than others, on average, the largest difference first.
  Table differences(Compared compared);

 private:
  Table table(const char* name, std::vector<Table::Column> figures);
  void add_below(std::uint32_t node, std::size_t level, Table* table);
  bool is_small(std::uint32_t node) const;
  void add_folded(std::span<const std::uint32_t> nodes, std::size_t level, Table* table);
  void add_row(const WhyStep& step, Table::Row row, const std::string& what, const char* kind, std::size_t level,
               Table* table);
  Table::Row figures_of(std::uint64_t ns, std::uint64_t median_ns) const;
  std::int64_t rank_of(const WhyTree::Node& node) const;
  std::vector<std::uint32_t> below(std::uint32_t node) const;

  const WhyWords* words_;
  const WhyTree* tree_;
  Form form_;
  std::optional<Compared> compared_;
};

}  // namespace evt::report
