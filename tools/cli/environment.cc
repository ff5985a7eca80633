#include "cli/environment.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/help_page.h"

namespace evt::tools {
namespace {

constexpr Surrounding kVariables[] = {
    {"EVT_PAGER, PAGER", "dump grep stats list check help",
     "the pager for output on a terminal, less where neither is set; empty or cat: none. EVT_PAGER goes first."},
    {"LESS", "dump grep stats list check help",
     "options of less; FRX where it is not set: text of one screen is printed, and colours are shown."},
    {"NO_COLOR", "", "not empty: no colours, unless --color always asks for them."},
    {"CLICOLOR_FORCE", "", "not empty and not 0: colours although nothing is a terminal; NO_COLOR goes first."},
    {"TERM", "", "empty or dumb: no colours, and at the prompt of evt sql no keys that edit a line."},
    {"COLORTERM", "view", "truecolor or 24bit: evt view --text uses all colours."},
    {"COLUMNS", "dump grep stats list sql view why",
     "the width of the terminal, for tables and for evt view --text; else the terminal is asked."},
    {"EVT_MEMORY_MIB", "",
     "memory that evt may take before the sizes of the files that it reads are added, in MiB; 192 where it is not "
     "set."},
    {"XDG_CACHE_HOME, HOME", "stats sql view",
     "where the cache is: $XDG_CACHE_HOME/evtrace, else $HOME/.cache/evtrace."},
    {"XDG_STATE_HOME", "sql",
     "$XDG_STATE_HOME/evtrace, else $HOME/.local/state/evtrace, is where the lines typed at the prompt are kept."},
    {"EVTRACE_DUCKDB", "sql", "the libduckdb.so that evt sql loads, in front of those that the loader finds."},
    {"XDG_DATA_HOME", "sql",
     "$XDG_DATA_HOME/evtrace, else $HOME/.local/share/evtrace, is where evt sql looks for libduckdb.so last."},
    {"TZ, TZDIR", "", "the zone of times of day, unless --zone names another; the folder of zones."},
    {"TMPDIR", "", "the folder of temporary files, which have no names; /tmp where it is not set."},
    {"EVTRACE_RING_DIR", "", "a folder of rings in front of the usual ones."},
    {"BROWSER", "view",
     "commands that open the page, separated by colons, with the address in the place of %s or behind them."},
    {"DISPLAY, WAYLAND_DISPLAY", "view", "without one of them there is no browser to open: the address is printed."},
    {"SSH_CONNECTION", "view", "over ssh the address is printed with the ssh line that leads to it."},
    {"XDG_RUNTIME_DIR", "view", "the folder of the short page that leads a browser to the address with its secret."},
    {"SOURCE_DATE_EPOCH", "view", "the date inside a PDF, in seconds; 0 where it is not set."},
    {"PATH", "run", "where the program to run is looked for."},
    {"LD_PRELOAD, ASAN_OPTIONS, LD_BIND_NOW", "run",
     "evt run adds to them for the program that it runs, and keeps what they have."},
    {"EVTRACE", "",
     "read by programs that record: the path of the trace, with options behind commas, such as "
     "app.%p.evt,types=vm.*; 0 or off: no trace. docs/guide/record.md has them all."},
    {"EVTRACE_COUNTER_HZ", "",
     "read by programs that record: the rate of the processor's counter, from a parent that has measured it."},
};

constexpr Surrounding kUsedFiles[] = {
    {"*.evt", "", "traces; evtrace(5) is about the format."},
    {"/dev/shm/evtrace-*", "",
     "rings: events of programs that run or were killed, until they are in the trace. evt list shows them."},
    {"FILE.PID.sessions", "run",
     "the sessions of the processes that evt run watches, until they are merged; every command opens the folder as a "
     "trace."},
    {"$XDG_CACHE_HOME/evtrace", "stats view",
     "checkpoints of analyses and levels of detail, 1 GiB at most, of the user alone; it may be removed at any time."},
    {"$XDG_STATE_HOME/evtrace/sql_history", "sql",
     "the last 1000 lines typed at the prompt of evt sql, of the user alone; there is none where libedit is not "
     "installed."},
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
