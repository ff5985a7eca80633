#include <CLI/CLI.hpp>

#include "base/help_text.h"
#include "cli/command_options.h"
#include "cli/common_options.h"

namespace evt::tools {
namespace {

constexpr std::string_view kUnix = "unix:";

void add_limit(CLI::App& app, const char* name, std::uint64_t* limit, const char* what) {
  add_parsed(
      app, name,
      [limit](const std::string& text) {
        const auto size = parse_size(text);
        if (size) *limit = *size;
        return size.has_value();
      },
      kSizeForms)
      ->description(what)
      ->type_name("SIZE");
}

}  // namespace

void add_options(CLI::App& app, const std::shared_ptr<CollectArguments>& options) {
  app.add_option("folder", options->folder, "the folder for one file per session, PROGRAM-PID-SESSION.evt")->required();
  const auto take_socket = [options](const std::string& text) {
    const bool is_unix = text.starts_with(kUnix) && text.size() > kUnix.size();
    if (is_unix) options->socket = text.substr(kUnix.size());
    return is_unix;
  };
  add_parsed(app, "--listen", take_socket, "unix:PATH")
      ->description("receive from programs that connect to this socket instead of from standard input")
      ->type_name("unix:PATH");
  add_limit(app, "--session-limit", &options->limits.session_bytes,
            "refuse blocks that would make a file larger than this (default: 1G)");
  add_limit(app, "--limit", &options->limits.folder_bytes,
            "make senders wait while the folder would be larger than this (default: 16G)");
  add_quiet(app);
  app.footer(help_text("evt-collect"));
}

}  // namespace evt::tools
