#include "cli/environment.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/help_page.h"

namespace evt::tools {
namespace {

constexpr Surrounding kVariables[] = {
    {"EVT_PAGER, PAGER", "dump grep stats list check help",
     "pager for output on a terminal (default: less); empty or cat: none. EVT_PAGER takes precedence."},
    {"LESS", "dump grep stats list check help",
     "options of less (default: FRX, which prints a single screen directly and shows colours)."},
    {"NO_COLOR", "", "if not empty: no colours, except with --color always."},
    {"CLICOLOR_FORCE", "", "if not empty and not 0: colours even without a terminal; NO_COLOR takes precedence."},
    {"TERM", "", "empty or dumb: no colours, and no line editing in evt sql."},
    {"COLORTERM", "view", "truecolor or 24bit: evt view --text uses all colours."},
    {"COLUMNS", "dump grep stats list sql view why",
     "width of the terminal, for tables and evt view --text (default: what the terminal reports)."},
    {"EVT_MEMORY_MIB", "", "memory limit in MiB, plus 32 times the size of the files read (default: 192)."},
    {"XDG_CACHE_HOME, HOME", "stats sql view", "the cache: $XDG_CACHE_HOME/evtrace, else $HOME/.cache/evtrace."},
    {"XDG_STATE_HOME", "sql", "history of the prompt: $XDG_STATE_HOME/evtrace, else $HOME/.local/state/evtrace."},
    {"EVTRACE_DUCKDB", "sql", "the libduckdb.so to load, before any that the loader finds."},
    {"XDG_DATA_HOME", "sql",
     "last place evt sql looks for libduckdb.so: $XDG_DATA_HOME/evtrace, else $HOME/.local/share/evtrace."},
    {"TZ, TZDIR", "", "the time zone, unless --zone names another; the folder of time zones."},
    {"TMPDIR", "", "folder of temporary files, which have no names (default: /tmp)."},
    {"EVTRACE_RING_DIR", "", "a folder of rings, searched before the usual ones."},
    {"BROWSER", "view",
     "commands that open the page, separated by colons; %s stands for the address, else it is appended."},
    {"DISPLAY, WAYLAND_DISPLAY", "view", "without one of them no browser is opened: the address is printed."},
    {"SSH_CONNECTION", "view", "over ssh, the address is printed with the ssh command that leads to it."},
    {"XDG_RUNTIME_DIR", "view", "folder of the short page that redirects a browser to the secret address."},
    {"SOURCE_DATE_EPOCH", "view", "the date inside a PDF, in seconds (default: 0)."},
    {"PATH", "run", "folders searched for the program."},
    {"LD_PRELOAD, ASAN_OPTIONS, LD_BIND_NOW", "run", "evt run adds to these for the program, and keeps their values."},
    {"EVTRACE", "",
     "read by recording programs: the path of the trace, then options after commas, such as "
     "app.%p.evt,types=vm.*; 0 or off: no trace. docs/guide/record.md lists them all."},
    {"EVTRACE_COUNTER_HZ", "",
     "read by recording programs: the rate of the processor's counter, as measured by a parent."},
};

constexpr Surrounding kUsedFiles[] = {
    {"*.evt", "", "traces; evtrace(5) describes the format."},
    {"/dev/shm/evtrace-*", "",
     "rings: events of running or killed programs that are not in the trace yet. evt list shows them."},
    {"FILE.PID.sessions", "run",
     "sessions of the processes under evt run, until they are merged; every command opens the folder as a trace."},
    {"$XDG_CACHE_HOME/evtrace", "stats view",
     "checkpoints and levels of detail, at most 1 GiB, private to the user; may be removed at any time."},
    {"$XDG_STATE_HOME/evtrace/sql_history", "sql",
     "the last 1000 lines typed at the prompt of evt sql, private to the user; only if libedit is installed."},
};

std::string entries_of(std::span<const Surrounding> list) {
  std::string text;
  for (const Surrounding& each : list) text += help_entry(fmt::format("  {}", each.name), each.what);
  return text;
}

}  // namespace

std::span<const Surrounding> environment_variables() { return kVariables; }
std::span<const Surrounding> files_of_evt() { return kUsedFiles; }

bool is_of(const Surrounding& each, std::string_view command) {
  std::string_view commands = each.commands;
  if (commands.empty() || command == "evt") return true;
  command = command.substr(0, command.find('-'));  // of stats-cpu what stats has
  while (!commands.empty()) {
    const std::string_view first = commands.substr(0, commands.find(' '));
    if (first == command) return true;
    commands.remove_prefix(std::min(first.size() + 1, commands.size()));
  }
  return false;
}

std::string environment_help() {
  return "Environment variables:\n" + entries_of(kVariables) + "\nFiles:\n" + entries_of(kUsedFiles);
}

}  // namespace evt::tools
