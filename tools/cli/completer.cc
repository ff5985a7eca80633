#include "cli/completer.h"

#include <evt/rings.h>
#include <evt/trace.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "cli/command_options.h"
#include "cli/command_tree.h"
#include "libtrace-read/report/shared/described_tables.h"
#include "libtrace-read/text/enum_names.h"
#include "libtrace-read/text/shown.h"
#include "lines/event_column.h"
#include "where/where_expression.h"

namespace evt::tools {
namespace {

constexpr std::size_t kMaxNames = 1000;
constexpr const char* kRoleMark = "role:";

// Names that may be the value of an option, of the traces on a command line: at most 1000 of each kind, and none that a
// shell or a terminal would show otherwise.
struct TraceNames {
  std::set<std::string> streams;
  std::set<std::string> processes;
  std::set<std::string> types;
  std::set<std::string> fields;
  std::set<std::string> roles;  // of fields
};

void add(const std::string& name, std::set<std::string>* names) {
  if (!name.empty() && shown(name) == name && names->size() < kMaxNames) names->insert(name);
}

void add_names_of(const Session& session, TraceNames* names) {
  for (const StreamInfo& stream : session.streams) add(stream.name, &names->streams);
  for (const MergedPart& part : session.parts) add(part.name, &names->processes);
  for (const EventType& type : session.types) {
    add(type.name(), &names->types);
    for (const Field& field : type.fields()) {
      add(field.name, &names->fields);
      if (field.role != Role::kNone) add(to_string(field.role), &names->roles);
    }
  }
}

// These, and then those of the traces.
std::vector<std::string> with_names_of(const TraceNames& traces, std::vector<std::string> names) {
  names.insert(names.end(), traces.fields.begin(), traces.fields.end());
  for (const std::string& role : traces.roles) names.push_back(kRoleMark + role);
  return names;
}

// Of the traces among the words.
TraceNames names_of_traces(const std::vector<std::string>& words) {
  TraceNames names;
  for (const std::string& word : words) {
    struct stat facts;
    if (word.empty() || stat(word.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
    const auto trace = Trace::open(word, {.rings = false});
    if (!trace) continue;
    for (const Session& session : trace->sessions()) add_names_of(session, &names);
  }
  return names;
}

// What --where takes in front of an operator.
std::vector<std::string> where_subjects(const TraceNames& names) { return with_names_of(names, where_properties()); }

// What --fields takes.
std::vector<std::string> field_columns(const TraceNames& names) { return with_names_of(names, event_column_names()); }

// Of the tables of these analyses, which can be sorted by them.
std::vector<std::string> sort_columns(const std::vector<std::string>& analyses) {
  std::vector<std::string> columns;
  for (const report::DescribedTable& table : report::described_tables()) {
    const bool is_asked = std::ranges::find(analyses, table.analysis) != analyses.end();
    if (!is_asked || table.name == std::string_view("session")) continue;
    for (const report::DescribedColumn& column : table.columns) {
      const std::string key = column.key();
      if (!column.is_pattern() && std::ranges::find(columns, key) == columns.end()) columns.push_back(key);
    }
  }
  return columns;
}

// Of this user.
std::vector<std::string> ring_names() {
  std::vector<std::string> names;
  for (const RingInfo& ring : list_rings()) names.push_back(ring.path.substr(ring.path.rfind('/') + 1));
  return names;
}

constexpr std::string_view kProcess = "pid:";

constexpr const char* kFiles = ":files";
constexpr const char* kCommands = ":commands";

struct Choice {
  std::string word;
  std::string about;
};
using Choices = std::vector<Choice>;

// Running programs as names of their traces, once it is clear that none of a file is meant.
Choices programs_for(const std::string& typed) {
  Choices choices;
  if (typed.empty() || !(typed.starts_with(kProcess) || kProcess.starts_with(typed))) return choices;
  for (const RingInfo& ring : list_rings()) {
    if (ring.living && ring.pid != 0) choices.push_back({fmt::format("{}{}", kProcess, ring.pid), shown(ring.program)});
  }
  return choices;
}

template <typename Names>
Choices choices_of(const Names& names) {
  Choices choices;
  for (const std::string& name : names) choices.push_back({name, ""});
  return choices;
}

Choices commands_in(const CLI::App& app) {
  Choices choices;
  for (const CLI::App* const each : subcommands_of(app)) choices.push_back({each->get_name(), each->get_description()});
  return choices;
}

Choices options_in(const CLI::App& app) {
  Choices choices;
  for (const CLI::Option* const option : app.get_options()) {
    if (!is_shown(*option)) continue;
    for (const std::string& name : option->get_lnames()) choices.push_back({"--" + name, option->get_description()});
  }
  return choices;
}

Choices behind(const std::string& front, Choices choices) {
  for (Choice& each : choices) each.word.insert(0, front);
  return choices;
}

// Words in front of which there is another, with commas between: each of them may be the next.
Choices in_list(const Choices& known, const std::string& typed) {
  return behind(typed.substr(0, typed.rfind(',') + 1), known);
}

// Where a condition has a name: behind its last parenthesis, space, & or |. What is behind an operator is a value.
Choices in_condition(const Choices& known, const std::string& typed) {
  const std::size_t before = typed.find_last_not_of(' ', typed.find_last_of(" (&|!"));
  if (before != typed.npos && std::string_view("=<>~").find(typed[before]) != std::string_view::npos) return {};
  return behind(typed.substr(0, typed.find_last_of(" (&|!") + 1), known);
}

// The words in small letters of wall|running|TIME.
std::vector<std::string> named_values(const CLI::Option& option) {
  std::vector<std::string> values;
  const std::string all = value_of(option);
  if (all.find('|') == all.npos) return values;
  for (std::size_t at = 0; at <= all.size();) {
    const std::size_t end = std::min(all.find('|', at), all.size());
    const std::string value = all.substr(at, end - at);
    if (std::ranges::all_of(value, [](char c) { return std::islower(c) != 0 || c == ','; })) {
      values.push_back(value);
    }
    at = end + 1;
  }
  return values;
}

// --name = value as one word, as all shells but bash have it. True if the word at the cursor was the value alone.
bool join_split_option(std::vector<std::string>* words, std::size_t* at) {
  const std::size_t equals = (*words)[*at] == "=" ? *at : *at - 1;
  if (equals < 2 || (*words)[equals] != "=" || !(*words)[equals - 1].starts_with("--")) return false;
  const std::string value = equals == *at ? "" : (*words)[*at];
  const auto first = words->begin() + static_cast<std::ptrdiff_t>(equals);
  words->erase(first, first + static_cast<std::ptrdiff_t>(*at - equals + 1));
  (*words)[equals - 1] += "=" + value;
  *at = equals - 1;
  return true;
}

// A command line up to the word that is being typed.
class Line {
 public:
  Line(const CLI::App& evt, const std::vector<std::string>& words, std::size_t at)
      : evt_(evt), words_(words), at_(at), typed_(words[at]), command_(&evt) {
    const std::string program = words[0].substr(words[0].rfind('/') + 1);
    if (program == "tracedump") command_ = subcommand_called(evt, "dump");
    for (std::size_t i = 1; i < at && !is_behind_program_; ++i) i += take(words[i]);
    has_value_next_ = at > 1 && !is_behind_program_ && takes_next(*command_, words[at - 1]);
  }

  Choices choices() const {
    if (is_behind_program_) return {{kFiles, ""}};
    if (has_value_next_) return values_of(*option_called(*command_, words_[at_ - 1]), typed_);
    const std::size_t equals = typed_.starts_with("--") ? typed_.find('=') : typed_.npos;
    const CLI::Option* const option = equals == typed_.npos ? nullptr : option_called(*command_, typed_);
    if (option != nullptr) return values_of(*option, typed_.substr(equals + 1));
    if (typed_.starts_with('-')) return options_in(*command_);
    if (command_->get_name() == "help") return in_help();
    if (command_ == &evt_) {
      Choices all = commands_in(evt_);
      if (typed_.empty()) return all;
      for (const Choice& each : options_in(evt_)) all.push_back(each);
      return all;
    }
    if (command_->get_name() == "run") return {{kCommands, ""}, {kFiles, ""}};
    Choices all = is_behind_word_ ? Choices() : in_list(commands_in(*command_), typed_);
    for (const Choice& each : programs_for(typed_)) all.push_back(each);
    all.push_back({kFiles, ""});
    return all;
  }

 private:
  // How many words behind it belong to it.
  std::size_t take(const std::string& word) {
    if (word.starts_with('-') && word != "-") return takes_next(*command_, word) ? 1 : 0;
    const CLI::App* const deeper = is_behind_word_ ? nullptr : subcommand_called(*command_, word);
    if (command_->get_name() == "help") {
      topic_ = subcommand_called(topic_ == nullptr ? evt_ : *topic_, word);
    } else if (deeper != nullptr) {
      command_ = deeper;
    } else {
      is_behind_program_ = command_->get_name() == "run";
      is_behind_word_ = true;
    }
    return 0;
  }

  Choices in_help() const {
    if (topic_ != nullptr) return commands_in(*topic_);
    Choices all = commands_in(evt_);
    all.push_back({"environment", "variables and files that evt uses"});
    return all;
  }

  Choices values_of(const CLI::Option& option, const std::string& typed) const {
    if (option.check_lname("event")) return choices_of(names_of_traces(words_).types);
    if (option.check_lname("stream")) return choices_of(names_of_traces(words_).streams);
    // As a rule a thread has the name of its stream, and a process that of its part.
    if (option.check_lname("thread")) return choices_of(names_of_traces(words_).streams);
    if (option.check_lname("process")) return choices_of(names_of_traces(words_).processes);
    if (option.check_lname("where")) return in_condition(choices_of(where_subjects(names_of_traces(words_))), typed);
    if (option.check_lname("fields")) return in_list(choices_of(field_columns(names_of_traces(words_))), typed);
    if (option.check_lname("columns")) return in_list(choices_of(sort_columns(analyses())), typed);
    if (option.check_lname("sort")) return choices_of(sort_columns(analyses()));
    if (option.check_lname("ring")) return choices_of(ring_names());
    if (option.check_lname("calls")) return in_list(choices_of(call_groups()), typed);
    if (option.check_lname("report")) return in_list(commands_in(*subcommand_called(evt_, "stats")), typed);
    Choices values = choices_of(named_values(option));
    if (values.empty() && value_of(option) == "FILE") values.push_back({kFiles, ""});
    return values;
  }

  // Those that the line asks for.
  std::vector<std::string> analyses() const {
    std::vector<std::string> all;
    for (const CLI::App* const each : subcommands_of(*subcommand_called(evt_, "stats"))) {
      const std::string name = each->get_name();
      const auto has_name = [&](const std::string& word) {
        return ("," + word + ",").find("," + name + ",") != word.npos;
      };
      if (std::any_of(words_.begin() + 1, words_.end(), has_name)) all.push_back(name);
    }
    return all.empty() ? std::vector<std::string>{"summary"} : all;
  }

  const CLI::App& evt_;
  const std::vector<std::string>& words_;
  std::size_t at_;
  const std::string& typed_;
  const CLI::App* command_;
  const CLI::App* topic_ = nullptr;  // of evt help
  bool is_behind_word_ = false;      // one that is no option and no subcommand
  bool is_behind_program_ = false;   // of evt run
  bool has_value_next_ = false;
};

}  // namespace

std::string Completer::answer(std::vector<std::string> words, std::size_t at) const {
  if (at == 0) return "";
  if (at >= words.size()) words.resize(at + 1);
  const bool is_value_alone = join_split_option(&words, &at);
  const std::string typed = words[at];
  const std::size_t equals = typed.starts_with("--") ? typed.find('=') : typed.npos;
  const std::string front = equals == typed.npos ? "" : typed.substr(0, equals + 1);
  std::string lines;
  for (const Choice& each : Line(evt_, words, at).choices()) {
    const bool is_for_shell = each.word == kFiles || each.word == kCommands;
    if (!is_for_shell && !(front + each.word).starts_with(typed)) continue;
    lines += is_for_shell || is_value_alone ? each.word : front + each.word;
    const std::string about = each.about.substr(0, each.about.find('\n'));
    lines += (about.empty() ? "" : "\t" + about) + '\n';
  }
  return lines;
}

namespace {

struct Script {
  const char* shell;
  const char* text;
};

// Each calls the evt that is beside the command that is completed. What evt prints: see Completer::answer().
constexpr Script kScripts[] = {
#include "completion_scripts.inc"
};

}  // namespace

std::vector<std::string> completed_shells() {
  std::vector<std::string> shells;
  for (const Script& each : kScripts) shells.emplace_back(each.shell);
  return shells;
}

std::string completion_script(const std::string& shell) {
  return std::ranges::find_if(kScripts, [&](const Script& each) { return each.shell == shell; })->text;
}

}  // namespace evt::tools
