#include "cli/command_line.h"

#include <evt/evt.h>
#include <evt/format.h>
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/help_text.h"
#include "base/output.h"
#include "base/pager.h"
#include "base/report.h"
#include "cli/command_options.h"
#include "cli/command_tree.h"
#include "cli/common_options.h"
#include "cli/completer.h"
#include "cli/environment.h"
#include "cli/help_page.h"
#include "cli/manual.h"
#include "cli/usage_sentence.h"
#include "libtrace-read/text/near_names.h"

namespace evt::tools {
namespace {

constexpr const char* kEnvironment = "environment";

// Prints a text about evt, through a pager where a terminal is; the exit status.
int print_text(const std::string& text) {
  const Report report("evt");
  Pager pager(report);
  TextOutput out;
  out.text() += text;
  if (!out.flush()) return report.no_answer(out.status());
  return pager.finish() ? kExitOk : kExitNoAnswer;
}

// Lists `evt help` among the commands.
void add_help(CLI::App& evt) {
  CLI::App* const help = evt.add_subcommand("help", "print the help of a command, or about the environment");
  help->add_option("topic", "a command, after stats also an analysis; or environment")->expected(0, -1);
  help->footer(help_text("evt-help"));
}

// These refer to evt with all options of all its subcommands. `words` are those behind the command.
int run_help(const CLI::App& evt, const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == kEnvironment) return print_text(environment_help());
  const CLI::App* command = &evt;
  for (const std::string& word : words) {
    if (word == "-h" || word == "--help") continue;
    const CLI::App* const deeper = subcommand_called(*command, word);
    if (deeper == nullptr) {
      std::vector<std::string> known = subcommand_names(*command);
      if (command == &evt) known.emplace_back(kEnvironment);
      return Report("evt help")
          .usage(fmt::format("there is no help about {}{}", word_in_sentence(word), did_you_mean(word, known)));
    }
    command = deeper;
  }
  return print_text(command->help(command == &evt ? "" : full_name(*command->get_parent())));
}

int run_complete(const CLI::App& evt, const std::vector<std::string>& words) {
  std::size_t at = 0;
  if (!words.empty()) std::from_chars(words[0].data(), words[0].data() + words[0].size(), at);
  // The word at the cursor may be empty, and not among them.
  if (at == 0 || at > words.size()) return Report("evt complete").usage("expected a position and the words of a line");
  TextOutput out;
  out.text() += Completer(evt).answer({words.begin() + 1, words.end()}, at);
  return out.flush() ? kExitOk : Report("evt complete").no_answer(out.status());
}

constexpr const char* kHelp = "print this help";

// Thrown while the command line is read, by an option that is answered with a text.
struct Printed {
  std::string text;
};

// dump, stats, stats-cpu; null when there is no such command.
const CLI::App* command_called(const CLI::App& app, const std::string& name) {
  const std::size_t dash = std::min(name.find('-'), name.size());
  const CLI::App* const found = subcommand_called(app, name.substr(0, dash));
  return found == nullptr || dash == name.size() ? found : command_called(*found, name.substr(dash + 1));
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
    if (takes_next(*command, word)) ++i;
  }
  return words;
}

// The words of `evt stats diff`, with a mark in the place of --, which separates the runs before from those after.
void mark_sides(std::vector<char*>* words) {
  static std::string mark = StatsArguments::kSides;
  const auto is_called = [](std::string_view name) { return [name](const char* word) { return name == word; }; };
  const auto end = std::find_if(words->begin(), words->end(), is_called("--"));
  const bool is_of_diff = words->size() > 1 && is_called("stats")((*words)[1]) &&
                          std::find_if(words->begin(), end, is_called("diff")) != end;
  if (is_of_diff) std::replace_if(end, words->end(), is_called("--"), mark.data());
}

// For all options that are added from here on: what has no value takes none, such as --json=false, which would be
// ignored or the opposite of the flag.
void refuse_values_of_flags(CLI::App& app) { app.option_defaults()->disable_flag_override(); }

// What both names have.
void add_own_options(CLI::App& app) {
  app.set_version_flag("-V,--version",
                       fmt::format("evt {} (library {}, format {})", EVT_VERSION, evt_version(), EVT_FORMAT_NAME),
                       "print the versions of the command, its library and the format");
  use_help_page(app);
}

// What an installation has beside the command, made from the command. They end the program, as --help does. `last`: the
// last word of the command line.
void add_installed(CLI::App& app, const std::string& last) {
  app.add_option_function<std::string>(
         "--manual",
         [&app](const std::string& name) {
           const CLI::App* const command = name == "evt" ? &app : command_called(app, name);
           refuse_if(command == nullptr, "--manual", "expected evt or a command, found " + name);
           throw Printed{manual_page(*command, command == &app ? name : "evt " + name)};
         })
      ->description("print a manual page, of evt or of a command, for man -l")
      ->type_name("COMMAND")
      ->trigger_on_parse();
  app.add_option_function<std::string>("--completion",
                                       [last](const std::string& shell) {
                                         // CLI11 leaves alone what it knows by itself, such as the name of a
                                         // subcommand.
                                         const bool is_last = last == shell || last.starts_with("--completion");
                                         const std::string& found = is_last ? shell : last;
                                         const std::vector<std::string> shells = completed_shells();
                                         refuse_if(std::ranges::find(shells, found) == shells.end(), "--completion",
                                                   none_of(shells, found));
                                         throw Printed{completion_script(found)};
                                       })
      ->expected(0, 1)
      ->default_str("bash")
      ->description("print the completion script for a shell: bash (the default), zsh or fish")
      ->type_name("bash|zsh|fish")
      ->trigger_on_parse();
}

// Made once for either name: `evt SUBCOMMAND`, or `tracedump` with the options of dump itself.
int run(CLI::App& app, int argc, char** argv, const std::function<int()>& chosen) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // --help and --version come this way too, with exit code 0.
    if (error.get_exit_code() != 0) return Report(messages_of(app)).usage(usage_sentence(app, error));
    std::ostringstream answer;
    app.exit(error, answer);
    return print_text(answer.str());
  } catch (const Printed& answer) {
    return print_text(answer.text);
  }
  return chosen();
}

// What prints much does so through a pager, where a terminal is.
int run_paged(const std::function<int()>& command, const Report& report) {
  Pager pager(report);
  const int status = command();
  report.say_if_shortened();
  return pager.finish() ? status : kExitNoAnswer;
}

// Adds a subcommand's options to `app`; `run` it is what the command line asks for. `needs`: of which subcommands of it
// the options are asked for otherwise than by being chosen.
template <typename Arguments>
std::function<int()> with_options(CLI::App& app, int (*run)(Arguments&), const NeedsOptions& needs) {
  const auto arguments = std::make_shared<Arguments>();
  if constexpr (std::is_same_v<Arguments, StatsArguments>) {
    add_options(app, arguments, needs);
  } else {
    add_options(app, arguments);
  }
  return [arguments, run] { return run(*arguments); };
}

// Whether a line that is asked about is about this command, also by a value of evt run that is one of evt stats.
bool is_named(const std::vector<std::string>& words, const std::string& name) {
  return std::ranges::any_of(words, [&](const std::string& word) {
    return word == name || (name == "dump" && word.ends_with("tracedump")) || (name == "stats" && word == "run");
  });
}

}  // namespace

int run_tracedump(int argc, char** argv) {
  CLI::App app("Prints a trace as text.", "tracedump");
  refuse_values_of_flags(app);
  app.set_help_flag("-h,--help", kHelp);
  const std::function<int()> dump = with_options(app, run_dump, {});
  add_own_options(app);
  const Report report("evt dump");
  const std::string wrong = about_wrong_word(app, {argv + std::min(argc, 1), argv + argc});
  return !wrong.empty() ? report.usage(wrong) : run(app, argc, argv, [&] { return run_paged(dump, report); });
}

int run_evt(int argc, char** argv) {
  CLI::App app("Records, analyses and converts traces of what programs do.", "evt");
  refuse_values_of_flags(app);
  app.set_help_flag("-h,--help", kHelp);
  app.footer(help_text("evt"));
  app.require_subcommand(1);
  const std::string first = argc > 1 ? argv[1] : "help";
  std::function<int()> chosen;
  // Hundreds of options take longer to make than many a trace to read. All are there for a manual page; the help of a
  // command, and what completes a line, need those that the line names.
  const bool needs_all = first.starts_with("--manual");
  const bool needs_named = first == "help" || first == "complete";
  const NeedsOptions needs = [&, words = std::vector<std::string>(argv, argv + argc)](const std::string& name) {
    return needs_all || (needs_named && is_named(words, name));
  };
  const auto add = [&](const char* name, const char* what, auto run_it, bool prints_much = false) {
    CLI::App* const command = app.add_subcommand(name, what);
    if (!needs(name) && first != name) return;
    command->callback([&chosen, name, prints_much, call = with_options(*command, run_it, needs)] {
      chosen = call;
      if (prints_much) chosen = [call, name] { return run_paged(call, Report(std::string("evt ") + name)); };
    });
  };
  add("run", "record a program and print where its time went", run_run);
  add("dump", "print a trace as text", run_dump, true);
  add("grep", "find events by string or condition, with their context", run_grep, true);
  add("convert", "convert traces from and to other formats", run_convert);
  add("check", "check that a trace is intact, and recover what a killed program left", run_check);
  add("collect", "receive traces from other programs and machines", run_collect);
  add("list", "list the rings of running and killed programs", run_list, true);
  add("switch", "switch event types of a running program on or off", run_switch);
  add("snapshot", "copy what a program has recorded so far", run_snapshot);
  add("merge", "merge traces onto one timeline", run_merge);
  add("cut", "extract part of a trace", run_cut);
  add("stats", "compute statistics", run_stats, true);
  add("test", "check assertions about traces, for continuous integration", run_test);
  add("why", "explain where the time of a span, call or thread went", run_why, true);
  add("sql", "query traces with SQL", run_sql);
  add("view", "draw a timeline: in the browser, in the terminal, for a paper", run_view);
  add_help(app);
  add_installed(app, argc > 1 ? argv[argc - 1] : "");
  add_own_options(app);
  const std::vector<std::string> behind(argv + std::min(argc, 2), argv + argc);
  if (first == "help") return run_help(app, behind);
  if (first == "complete") return run_complete(app, behind);
  const bool is_known = app.get_option_no_throw(name_in(first)) != nullptr || subcommand_called(app, first) != nullptr;
  if (!is_known) return Report("evt").usage(about_command(app, first));
  std::vector<char*> words = with_program_marked(app, argc, argv);
  mark_sides(&words);
  const CLI::App* const command = subcommand_called(app, first);
  const std::string wrong = command == nullptr ? "" : about_wrong_word(*command, {words.begin() + 2, words.end()});
  if (!wrong.empty()) return Report("evt " + first).usage(wrong);
  const int count = static_cast<int>(words.size());
  words.push_back(nullptr);
  return run(app, count, words.data(), [&chosen] { return chosen(); });
}

}  // namespace evt::tools
