// Names that may be the value of an option: those of the traces on a command line, of tables, and of this machine.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace evt::tools {

// At most 1000 of each kind, and none that a shell or a terminal would show otherwise.
struct TraceNames {
  std::set<std::string> streams;
  std::set<std::string> types;
  std::set<std::string> fields;
  std::set<std::string> roles;  // of fields
};

// Of the traces among the words.
TraceNames names_of_traces(const std::vector<std::string>& words);
// What --where takes in front of an operator, and what --fields takes.
std::vector<std::string> where_subjects(const TraceNames& names);
std::vector<std::string> field_columns(const TraceNames& names);
// Of the tables of these analyses, which can be sorted by them.
std::vector<std::string> sort_columns(const std::vector<std::string>& analyses);
// Of this user.
std::vector<std::string> ring_names();

}  // namespace evt::tools
