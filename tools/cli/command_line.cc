#include "cli/command_line.h"

#include <evt/evt.h>
#include <evt/format.h>
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cli/check_options.h"
#include "cli/completion.h"
#include "cli/convert_options.h"
#include "cli/cut_options.h"
#include "cli/dump_options.h"
#include "cli/grep_options.h"
#include "cli/list_options.h"
#include "cli/manual.h"
#include "cli/merge_options.h"
#include "cli/run_options.h"
#include "cli/sql_options.h"
#include "cli/stats_options.h"
#include "cli/view_options.h"
#include "cmd_check.h"
#include "cmd_convert.h"
#include "cmd_cut.h"
#include "cmd_dump.h"
#include "cmd_grep.h"
#include "cmd_list.h"
#include "cmd_merge.h"
#include "cmd_run.h"
#include "cmd_sql.h"
#include "cmd_stats.h"
#include "cmd_view.h"
#include "libtrace-read/export/src/base/near_names.h"
#include "libtrace-read/export/src/base/text_syntax.h"
#include "output.h"
#include "report.h"

namespace evt::tools {
namespace {

// What was wrong with the command line, of which it may hold words.
std::string usage_error(const std::string& sentence) {
  return text_from([&](TextBuffer& out) {
    append_harmless(out, sentence);
    out += "\nRun with --help for more information.\n";
  });
}

// Thrown while the command line is read, by an option that is answered with a text.
struct Printed {
  std::string text;
};

int print(const std::string& text) {
  TextOutput out;
  out.text() += text;
  return out.flush() ? kExitOk : Report("evt").no_answer(out.status());
}

// Which options exclude each other is reported when they are used together: in the list it is noise.
class BriefHelp : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string options = CLI::Formatter::make_option_opts(option);
    return options.substr(0, options.find(" Excludes:"));
  }
};

void use_brief_help(CLI::App& app) {
  app.formatter(std::make_shared<BriefHelp>());
  for (CLI::App* const command : app.get_subcommands(nullptr)) use_brief_help(*command);
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : command.get_options()) {
    if (option->get_group().empty()) continue;  // not in its help
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// An option without its value.
std::string name_in(const std::string& word) { return word.substr(0, word.find('=')); }

const CLI::App& deepest_chosen(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : deepest_chosen(*chosen.front());
}

// How the sentence about options that are not known ends.
std::string near_options(const CLI::App& app) {
  const std::vector<std::string> known = options_of(deepest_chosen(app));
  std::string end;
  for (const std::string& word : app.remaining(true)) {
    if (end.empty() && word.starts_with("--")) end = did_you_mean(name_in(word), known);
  }
  return end;
}

// The first word is a subcommand, or an option in front of one.
bool knows(const CLI::App& app, const std::string& word) {
  const auto commands = app.get_subcommands(nullptr);
  return app.get_option_no_throw(name_in(word)) != nullptr ||
         std::any_of(commands.begin(), commands.end(), [&](const CLI::App* each) { return each->get_name() == word; });
}

// dump, stats, stats-cpu; null when there is no such command.
const CLI::App* command_called(const CLI::App& app, const std::string& name) {
  const std::size_t dash = std::min(name.find('-'), name.size());
  for (const CLI::App* const each : app.get_subcommands(nullptr)) {
    if (each->get_name() == name.substr(0, dash)) {
      return dash == name.size() ? each : command_called(*each, name.substr(dash + 1));
    }
  }
  return nullptr;
}

// The words of `evt run`, with a mark in front of the program: what is behind are no options of evt's.
std::vector<char*> with_program_marked(const CLI::App& app, int argc, char** argv) {
  static char mark[] = "--";
  std::vector<char*> words(argv, argv + argc);
  const CLI::App* const command = argc > 1 && argv[1] == std::string_view("run") ? command_called(app, "run") : nullptr;
  for (std::size_t i = 2; command != nullptr && i < words.size(); ++i) {
    const std::string word = words[i];
    if (word == mark) break;
    if (word.size() < 2 || word[0] != '-') {
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(i), mark);
      break;
    }
    const bool is_long = word[1] == '-';
    const CLI::Option* const option = command->get_option_no_throw(is_long ? name_in(word) : word.substr(0, 2));
    const bool has_value = is_long ? word.find('=') != word.npos : word.size() > 2;
    if (option == nullptr) break;  // an error
    if (option->get_items_expected_max() > 0 && !has_value) ++i;
  }
  return words;
}

// Made once for either name: `evt SUBCOMMAND`, or `tracedump` with the options of dump itself.
int run(CLI::App& app, int argc, char** argv, const std::function<int()>& chosen) {
  use_brief_help(app);
  app.set_version_flag("--version",
                       fmt::format("evt {} (library {}, format {})", EVT_VERSION, evt_version(), EVT_FORMAT_NAME));
  // CLI11 would say that a subcommand is required, and not what is in its place.
  if (!app.get_subcommands(nullptr).empty() && argc > 1 && !knows(app, argv[1])) {
    std::vector<std::string> names = options_of(app);
    for (const CLI::App* const each : app.get_subcommands(nullptr)) names.push_back(each->get_name());
    std::fputs(usage_error(fmt::format("expected a subcommand, run, dump, grep, convert, check, list, merge, cut, "
                                       "stats, sql or view; found {}{}",
                                       argv[1], did_you_mean(argv[1], names)))
                   .c_str(),
               stderr);
    return kExitUsage;
  }
  app.failure_message([&app](const CLI::App*, const CLI::Error& error) {
    const bool unknown = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
    return usage_error(error.what() + (unknown ? near_options(app) : ""));
  });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // --help and --version come this way too, with exit code 0.
    std::ostringstream answer;
    if (app.exit(error, answer) != 0) return kExitUsage;
    return print(answer.str());
  } catch (const Printed& answer) {
    return print(answer.text);
  }
  return chosen();
}

// Adds a subcommand's options to `app`; `run` it is what the command line asks for. `needs_all`: also the options of
// subcommands that the command line does not name.
template <typename Arguments>
std::function<int()> with_options(CLI::App& app, int (*run)(Arguments&), bool needs_all) {
  const auto arguments = std::make_shared<Arguments>();
  if constexpr (std::is_same_v<Arguments, StatsArguments>) {
    add_options(app, arguments, needs_all);
  } else {
    add_options(app, arguments);
  }
  return [arguments, run] { return run(*arguments); };
}

}  // namespace

int run_tracedump(int argc, char** argv) {
  CLI::App app("Prints a trace as text.", "tracedump");
  return run(app, argc, argv, with_options(app, run_dump, true));
}

int run_evt(int argc, char** argv) {
  CLI::App app("Reads and converts traces of what programs did.", "evt");
  app.footer("Example: evt dump app.evt | head");
  app.require_subcommand(1);
  std::function<int()> chosen;
  const bool needs_all = argc < 2 || *argv[1] == '-';  // a manual page or the completion may be asked for
  const auto add = [&](const char* name, const char* what, auto run_it) {
    CLI::App* const command = app.add_subcommand(name, what);
    // Hundreds of options take longer to make than many a trace to read.
    if (!needs_all && argv[1] != std::string_view(name)) return;
    command->callback([&chosen, call = with_options(*command, run_it, needs_all)] { chosen = call; });
  };
  add("run", "run a program, record what it does, and print its statistics", run_run);
  add("dump", "print a trace as text", run_dump);
  add("grep", "find events by a text or a condition, with those around them", run_grep);
  add("convert", "turn a trace into text, JSON, CSV or a smaller one, or text into a trace", run_convert);
  add("check", "say whether a trace is whole, and recover what a killed program left", run_check);
  add("list", "list the rings of programs that run or were killed", run_list);
  add("merge", "merge traces onto one timeline", run_merge);
  add("cut", "extract part of a trace", run_cut);
  add("stats", "compute statistics", run_stats);
  add("sql", "query traces with SQL", run_sql);
  add("view", "draw a timeline: in the browser, in the terminal, for a paper", run_view);
  // What an installation has beside the command, made from the command. They end the program, as --help does.
  app.add_option_function<std::string>(
         "--manual",
         [&app](const std::string& name) {
           const CLI::App* const command = name == "evt" ? &app : command_called(app, name);
           if (command == nullptr) {
             throw CLI::ValidationError("--manual", "expected evt or a subcommand, found " + name);
           }
           throw Printed{manual_page(*command, command == &app ? name : "evt " + name)};
         })
      ->description("print a manual page, of evt or of a subcommand, for man -l")
      ->type_name("COMMAND")
      ->trigger_on_parse();
  app.add_option_function<std::string>("--completion",
                                       [&app, last = std::string(argv[argc - 1])](const std::string& shell) {
                                         // CLI11 leaves alone what it knows by itself, such as the name of a
                                         // subcommand.
                                         const bool is_last = last == shell || last.starts_with("--completion");
                                         const std::string& found = is_last ? shell : last;
                                         if (found == "zsh") throw Printed{zsh_completion(app)};
                                         if (found == "bash") throw Printed{bash_completion(app)};
                                         throw CLI::ValidationError("--completion",
                                                                    "expected bash or zsh, found " + found);
                                       })
      ->expected(0, 1)
      ->default_str("bash")
      ->description("print what completes the command line in a shell: bash (the default) or zsh")
      ->type_name("bash|zsh")
      ->trigger_on_parse();
  std::vector<char*> words = with_program_marked(app, argc, argv);
  const int count = static_cast<int>(words.size());
  words.push_back(nullptr);
  return run(app, count, words.data(), [&chosen] { return chosen(); });
}

}  // namespace evt::tools
