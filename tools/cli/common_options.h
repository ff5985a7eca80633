// Options that many subcommands have, each with one name, one letter and one meaning; and values of options, where what
// CLI11 makes of them is not enough.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "input/selection.h"
#include "input/trace_inputs.h"
#include "lines/event_form.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace evt::tools {

// --no-rings
CLI::Option* add_reading(CLI::App& app, Reading* reading);

// --from, --to, --stream, --thread, --process, --event and --where, or, for what looks into no fields, --type and no
// --where.
enum class Fields : std::uint8_t { kNone, kAll };
void add_selection(CLI::App& app, Selection* selection, Fields fields = Fields::kAll);
// --from and --to alone.
void add_times(CLI::App& app, AskedRange* range);
// Throws CLI::ValidationError if --to is before --from.
void check_order(const AskedRange& range);

// --json, --json-safe, --csv, --fields, --format, --utc, --local, --zone, --relative, --delta and --color.
void add_event_form(CLI::App& app, EventForm* form);
// The names of those that are about events alone.
const std::vector<const char*>& options_of_events();

// --quiet
void add_quiet(CLI::App& app);
// --color
CLI::Option* add_color(CLI::App& app);
// --wide, of what prints tables.
void add_wide(CLI::App& app);
// Tables as Markdown, beside --csv and --json.
void add_markdown(CLI::App& app);
// --wide and --no-pager, of what prints tables and long texts.
void add_printing(CLI::App& app);

// --json, which is returned, and --json-safe: see TextOutput::set_json_safe(). `what` describes --json.
CLI::Option* add_json_options(CLI::App& app, bool* json, bool* json_safe, const char* what);

// What is wrong with an option ends the reading of the command line. REQUIRES: called while it is read.
void throw_unless_ok(const std::string& option, const Status& status);
void refuse_if(bool is_wrong, const std::string& option, const std::string& sentence);

// An option whose value is taken when it is given. `take`: false for a text that is none of what is expected.
CLI::Option* add_parsed(CLI::App& app, const std::string& names, std::function<bool(const std::string&)> take,
                        std::string expected);
// The same of one that may be given several times.
CLI::Option* add_each_parsed(CLI::App& app, const std::string& name, std::function<bool(const std::string&)> take,
                             std::string expected);
// May be given several times, each time with one value.
CLI::Option* repeatable(CLI::Option* option);
// The parts of a text with commas between them: one more than it has commas.
std::vector<std::string> between_commas(const std::string& text);

// For CLI::Option::check: empty for a whole number of 64 bits, else the sentence that `what` is expected.
// CLI11 takes -1 for the largest number.
std::function<std::string(const std::string&)> is_number(const char* what);

// The sentence about a value that is none of these names: "expected auto, always or never, found alwys; did you mean
// always?".
std::string none_of(const std::vector<std::string>& names, const std::string& found);
// For CLI::Option::check: empty for one of the names, else that sentence.
std::function<std::string(const std::string&)> is_one_of(std::vector<std::string> names);

inline constexpr const char* kSizeForms = "bytes, or 10K, 10M, 1G";
// Of kSizeForms, and not 0.
std::optional<std::uint64_t> parse_size(const std::string& text);

}  // namespace evt::tools
