// The evt command. Under the name tracedump it is evt dump.
#include <evt/evt.h>
#include <evt/format.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <new>
#include <sstream>
#include <string_view>
#include <vector>

#include "cli/completion.h"
#include "cli/manual.h"
#include "cmd_check.h"
#include "cmd_convert.h"
#include "cmd_cut.h"
#include "cmd_dump.h"
#include "cmd_merge.h"
#include "cmd_stats.h"
#include "memory_limit.h"
#include "near_names.h"
#include "output.h"
#include "report.h"
#include "text_syntax.h"

namespace {

// What was wrong with the command line, of which it may hold words.
std::string usage_error(const std::string& sentence) {
  return evt::tools::text_from([&](evt::tools::TextBuffer& out) {
    evt::tools::append_harmless(out, sentence);
    out += "\nRun with --help for more information.\n";
  });
}

// Thrown while the command line is read, by an option that is answered with a text.
struct Printed {
  std::string text;
};

int print(const std::string& text) {
  evt::tools::TextOutput out;
  out.text() += text;
  return out.flush() ? evt::tools::kExitOk : evt::tools::Report("evt").no_answer(out.status());
}

// Which options exclude each other is said when somebody uses them together: in the list it is noise.
class BriefHelp : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string options = CLI::Formatter::make_option_opts(option);
    return options.substr(0, options.find(" Excludes:"));
  }
};

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// An option without its value.
std::string name_in(const std::string& word) { return word.substr(0, word.find('=')); }

// How the sentence about options that are not known ends.
std::string near_options(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  const std::vector<std::string> known = options_of(chosen.empty() ? app : *chosen.front());
  std::string end;
  for (const std::string& word : app.remaining(true)) {
    if (end.empty() && word.starts_with("--")) end = evt::tools::did_you_mean(name_in(word), known);
  }
  return end;
}

// The first word is a subcommand, or an option that stands before one.
bool knows(const CLI::App& app, const std::string& word) {
  const auto commands = app.get_subcommands(nullptr);
  return app.get_option_no_throw(name_in(word)) != nullptr ||
         std::any_of(commands.begin(), commands.end(), [&](const CLI::App* each) { return each->get_name() == word; });
}

// Made once for either name: `evt SUBCOMMAND`, or `tracedump` with the options of dump itself.
int run(CLI::App& app, int argc, char** argv, const std::function<int()>& chosen) {
  app.formatter(std::make_shared<BriefHelp>());
  for (CLI::App* const command : app.get_subcommands(nullptr)) command->formatter(std::make_shared<BriefHelp>());
  app.set_version_flag("--version",
                       fmt::format("evt {} (library {}, format {})", EVT_VERSION, evt_version(), EVT_FORMAT_NAME));
  // CLI11 would say that a subcommand is required, and not what stands in its place.
  if (!app.get_subcommands(nullptr).empty() && argc > 1 && !knows(app, argv[1])) {
    std::vector<std::string> names = options_of(app);
    for (const CLI::App* const each : app.get_subcommands(nullptr)) names.push_back(each->get_name());
    std::fputs(usage_error(fmt::format("expected a subcommand, dump, convert, check, merge, cut or stats; found {}{}",
                                       argv[1], evt::tools::did_you_mean(argv[1], names)))
                   .c_str(),
               stderr);
    return evt::tools::kExitUsage;
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
    if (app.exit(error, answer) != 0) return evt::tools::kExitUsage;
    return print(answer.str());
  } catch (const Printed& answer) {
    return print(answer.text);
  }
  return chosen();
}

int run_tracedump(int argc, char** argv) {
  CLI::App app("Prints a trace as text.", "tracedump");
  return run(app, argc, argv, evt::tools::add_dump(app));
}

int run_evt(int argc, char** argv) {
  CLI::App app("Reads and converts traces of what programs did.", "evt");
  app.footer("Example: evt dump app.evt | head");
  app.require_subcommand(1);
  std::function<int()> chosen;
  const auto add = [&](const char* name, const char* what, auto make) {
    CLI::App* const command = app.add_subcommand(name, what);
    command->callback([&chosen, run_it = make(*command)] { chosen = run_it; });
  };
  add("dump", "print a trace as text", evt::tools::add_dump);
  add("convert", "turn a trace into text, JSON, CSV or a smaller one, or text into a trace", evt::tools::add_convert);
  add("check", "say whether a trace is whole, and recover what a killed program left", evt::tools::add_check);
  add("merge", "merge traces onto one timeline", evt::tools::add_merge);
  add("cut", "extract part of a trace", evt::tools::add_cut);
  add("stats", "compute statistics", evt::tools::add_stats);
  // What an installation has beside the command, made from the command. They end the program, as --help does.
  app.add_option_function<std::string>("--manual",
                                       [&app](const std::string& name) {
                                         const bool whole = name == "evt";
                                         if (!whole && (name.starts_with('-') || !knows(app, name))) {
                                           throw CLI::ValidationError("--manual",
                                                                      "expected evt or a subcommand, found " + name);
                                         }
                                         const CLI::App& command = whole ? app : *app.get_subcommand(name);
                                         throw Printed{evt::tools::manual_page(command, whole ? name : "evt " + name)};
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
                                         if (found == "zsh") throw Printed{evt::tools::zsh_completion(app)};
                                         if (found == "bash") throw Printed{evt::tools::bash_completion(app)};
                                         throw CLI::ValidationError("--completion",
                                                                    "expected bash or zsh, found " + found);
                                       })
      ->expected(0, 1)
      ->default_str("bash")
      ->description("print what completes the command line in a shell: bash (unless said) or zsh")
      ->type_name("bash|zsh")
      ->trigger_on_parse();
  return run(app, argc, argv, [&chosen] { return chosen(); });
}

// A standard stream that the parent closed must not become the next file that is opened: a message would go into a
// trace. What stands in for it fails as a closed one does, being opened for the other direction.
void hold_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

}  // namespace

int main(int argc, char** argv) try {
  hold_standard_streams();
  evt::tools::MemoryLimit::begin(argc, argv);
  // A reader of our output that goes away ends us quietly, also where the parent ignored the signal.
  signal(SIGPIPE, SIG_DFL);
  // A file that may not grow further is an error that can be told, after the temporary file was removed.
  signal(SIGXFSZ, SIG_IGN);
  const std::string_view path(argc > 0 ? argv[0] : "evt");
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name == "tracedump" ? run_tracedump(argc, argv) : run_evt(argc, argv);
} catch (const std::bad_alloc&) {
  const evt::Status limited = evt::tools::MemoryLimit::lift();
  if (!limited.ok()) {
    std::fprintf(stderr, "evt: %s\n", limited.message().c_str());
    return evt::tools::kExitPartly;
  }
  std::fputs("evt: there is not enough memory\n", stderr);
  return evt::tools::kExitNoAnswer;
} catch (const std::exception& error) {
  std::fprintf(stderr, "evt: %s\n", error.what());
  return evt::tools::kExitNoAnswer;
}
