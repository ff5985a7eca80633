#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "base/help_text.h"
#include "base/time_spec.h"
#include "cli/command_options.h"
#include "cli/common_options.h"
#include "libtrace-read/text/letter_case.h"
#include "libtrace-view/picture/picture.h"

namespace evt::tools {
namespace {

constexpr double kPointsOfAnInch = 72;
constexpr const char* kDefaultWidth = "174mm";
constexpr const char* kDefaultIdle = "1800s";
constexpr const char* kDefaultDetail = "2M";

// A length on paper, in points.
std::optional<double> parse_width(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string unit(end, text.data() + text.size());
  for (const auto& [name, points] : {std::pair("mm", kPointsOfAnInch / 25.4), std::pair("cm", kPointsOfAnInch / 2.54),
                                     std::pair("in", kPointsOfAnInch), std::pair("pt", 1.0)}) {
    if (unit == name) return number * points;
  }
  return std::nullopt;
}

void set_width(const std::string& text, double* out) {
  const std::optional<double> width = parse_width(text);
  if (!width)
    throw CLI::ValidationError("--width", "expected a length such as 84mm, 17.4cm, 7in or 500pt, found " + text);
  refuse_if(*width < view::kLeastWidth || *width > view::kMostWidth, "--width",
            fmt::format("expected {} to {} pt, found {}", view::kLeastWidth, view::kMostWidth, text));
  *out = *width;
}

bool is_port(std::string_view text) {
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port >= 1 && port <= 65535;
}

// A name or an address; one of IPv6 has brackets, as a browser sends it.
bool is_host(std::string_view text) {
  const bool has_brackets = text.starts_with('[') && text.ends_with(']') && text.size() > 2;
  const std::string_view name = has_brackets ? text.substr(1, text.size() - 2) : text;
  return !name.empty() && std::ranges::all_of(name, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == (has_brackets ? ':' : '_');
  });
}

std::string check_port(const std::string& text) {
  return is_port(text) ? "" : "expected a port from 1 to 65535, found " + text;
}

std::string check_host_and_port(const std::string& text) {
  const std::size_t colon = std::min(text.rfind(':'), text.size());
  const std::string_view host = std::string_view(text).substr(0, colon);
  const bool is_both = colon < text.size() && is_host(host) && is_port(std::string_view(text).substr(colon + 1));
  return is_both ? ""
                 : fmt::format("expected a name and a port from 1 to 65535, such as localhost:9000, found {}", text);
}

bool is_picture(const ViewArguments& options) { return !options.is_served() && !options.text && !options.is_page(); }

void add_flame(CLI::App& app, const std::shared_ptr<ViewArguments>& options) {
  FlameOptions& flame = options->flame;
  app.add_flag("--flame", flame.of)
      ->disable_flag_override(false)
      ->check([](const std::string& text) {
        return text == "true" || text == "samples" || text == "spans" ? "" : none_of({"samples", "spans"}, text);
      })
      ->description(
          "with -o: draw a flame graph of samples, if the trace has them, else of spans and calls;\n"
          "=samples or =spans chooses")
      ->type_name("[=WHAT]");
  app.add_flag("--inverted", flame.inverted, "with --flame: put the running function at the top and its callers below");
  repeatable(app.add_option("--thread", flame.threads,
                            "with --flame: only threads with this name or number (may be repeated)"))
      ->type_name("GLOB");
}

void check_flame(const CLI::App& app, const ViewArguments& options) {
  const bool has_flame = !options.flame.of.empty();
  if (has_flame && !is_picture(options))
    throw CLI::ValidationError("--flame", "draws a picture: needs -o with a name in .svg, .pdf or .png");
  if (has_flame && options.rows.is_made()) throw CLI::ExcludesError("--flame", "--rows");
  if (app.count("--thread") > 0 && !has_flame)
    throw CLI::ValidationError("--thread", "works only with --flame; --rows chooses rows");
  if (app.count("--inverted") > 0 && !has_flame) throw CLI::RequiresError("--inverted", "--flame");
}

// What is chosen where there is no page to choose in.
void check_choices(const CLI::App& app, const ViewArguments& options) {
  constexpr std::pair<const char*, const char*> kNeeds[] = {
      {"--from", "--text or -o"}, {"--to", "--text or -o"}, {"--rows", "--text or -o"},
      {"--width", "-o"},          {"--bw", "-o"},           {"--color", "--text"}};
  for (const auto& [name, needs] : kNeeds) {
    if (app.count(name) == 0) continue;
    throw CLI::ValidationError(name, options.is_page() ? "works only with pictures, not with the page in an .html file"
                                                       : fmt::format("needs {}", needs));
  }
}

}  // namespace

void add_options(CLI::App& app, const std::shared_ptr<ViewArguments>& options) {
  set_width(kDefaultWidth, &options->width);
  app.add_option("file", options->files, "the traces; - is standard input")->required();
  CLI::Option* const output =
      app.add_option("-o,--output", options->output,
                     "write the page to this .html file, or a picture to this .svg, .pdf or .png file")
          ->type_name("FILE");
  CLI::Option* const text =
      app.add_flag("--text", options->text, "draw in the terminal, at its full width")->excludes(output);
  add_times(app, &options->selection);
  app.add_option_function<std::string>("--rows",
                                       [options](const std::string& list) {
                                         std::string sentence;
                                         auto rows = RowChoice::parse(list, &sentence);
                                         if (!rows) throw CLI::ValidationError("--rows", sentence);
                                         options->rows = *std::move(rows);
                                       })
      ->description(
          "draw only these rows: cpus, threads, spans, async, counters, marks or events; by name as in\n"
          "thread:worker* (for spans, the name of their thread)")
      ->type_name("LIST");
  add_flame(app, options);
  app.add_option_function<std::string>("--width",
                                       [options](const std::string& width) { set_width(width, &options->width); })
      ->description(fmt::format("set the width of the picture, in mm, cm, in or pt (default: {})", kDefaultWidth))
      ->type_name("LENGTH")
      ->excludes(text);
  app.add_flag("--bw", options->black_and_white, "draw textures and greys instead of colours")->excludes(text);
  add_color(app)->excludes(output);
  app.add_flag("--separate", options->separate, "give each session its own timeline")->excludes(text);
  app.add_flag("--follow", options->follow, "show the end of the trace as it grows, until its program ends")
      ->excludes(text);
  options->detail = *parse_size(kDefaultDetail);
  const auto take_detail = [options](const std::string& value) {
    options->detail = parse_size(value).value_or(0);
    return options->detail > 0;
  };
  add_parsed(app, "--detail", take_detail, kSizeForms)
      ->description(fmt::format("limit the size of an .html file: 500K, 10M (default: {})", kDefaultDetail))
      ->type_name("SIZE")
      ->excludes(text);
  app.add_flag("--no-open", options->browser.no_open, "print the address of the page instead of opening a browser")
      ->excludes(output)
      ->excludes(text);
  app.add_option("--port", options->browser.port, "serve the page at this port (default: a free one)")
      ->check(check_port)
      ->type_name("NUMBER")
      ->excludes(output)
      ->excludes(text);
  repeatable(app.add_option("--allow-host", options->browser.allowed_hosts,
                            "accept requests to this host and port, for a forwarded port: localhost:9000"))
      ->check(check_host_and_port)
      ->transform([](const std::string& host) { return in_lower_case(host); })  // as a browser sends it
      ->type_name("HOST:PORT")
      ->excludes(output)
      ->excludes(text);
  options->browser.idle_ns = *parse_length(kDefaultIdle);
  const auto take_idle = [options](const std::string& value) {
    options->browser.idle_ns = parse_length(value).value_or(0);
    return options->browser.idle_ns >= 1'000'000;
  };
  add_parsed(app, "--idle", take_idle, "90s, 1.5 or 200ms")
      ->description(fmt::format("quit after this time without requests (default: {})", kDefaultIdle))
      ->type_name("TIME")
      ->excludes(output)
      ->excludes(text);
  app.add_flag("--no-cache", options->no_cache,
               "do not cache in $XDG_CACHE_HOME/evtrace, which lets a large trace open at once")
      ->excludes(output)
      ->excludes(text);
  add_reading(app, &options->reading);
  app.get_option("--follow")->excludes("--no-rings")->excludes("--separate");
  add_quiet(app);
  app.footer(help_text("evt-view"));
  app.parse_complete_callback([options, &app] {
    if (options->follow && !options->output.empty())
      throw CLI::ValidationError(
          "--follow",
          "works only with the page in a browser, because a file does not grow; evt snapshot -o copies what is there");
    if (options->is_served() || options->is_page()) check_choices(app, *options);
    check_flame(app, *options);
    if (app.count("--detail") > 0 && !options->is_page())
      throw CLI::ValidationError("--detail", "limits a page in a file: needs -o with a name in .html");
    if (options->separate && !options->is_served() && !options->is_page())
      throw CLI::ValidationError("--separate",
                                 "works only with the page: pictures always show sessions one below another");
  });
}

}  // namespace evt::tools
