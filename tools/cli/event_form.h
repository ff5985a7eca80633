// How a user wants to see events: the options, and the lines that they ask for.
#pragma once

#include <evt/export/event_lines.h>
#include <evt/export/json_lines.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lines/column_list.h"
#include "lines/line_format.h"

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

class EventForm {
 public:
  // --json, --json-safe, --csv, --fields, --format, --utc, --local, --zone, --relative, --delta and --color. `app` must
  // not outlive this.
  void add_options(CLI::App& app);
  // The names of those that are about events alone.
  static const std::vector<const char*>& options_of_events();

  bool is_json() const { return json_; }
  bool is_json_safe() const { return json_safe_; }
  // Lines for people, which may have other lines between them.
  bool is_text() const { return !json_ && !csv_; }

  // Of what a user searched for. See PeopleOptions.
  struct Highlight {
    std::vector<std::string> texts{};
    bool ignore_case = false;
  };
  // Lines of these traces' events; made once. Errors: kInvalid, of a name that no event of them has.
  Result<std::unique_ptr<EventLines>> make_lines(const std::vector<const Trace*>& traces, bool several_files,
                                                 const WantsTypeOf& wants_type, const Highlight& highlight);
  // Once the traces have grown: sentences about the names that lines made before take for what each event has, and that
  // are fields now.
  std::vector<std::string> fields_declared_later(const std::vector<const Trace*>& traces,
                                                 const WantsTypeOf& wants_type) const;

 private:
  void note_names(const std::vector<PlacedColumn>& columns);
  DataOptions data_options(bool several_files) const;
  bool is_local() const { return local_ || !zone_.empty(); }
  std::unique_ptr<EventLines> make_plain_lines(const std::vector<const Trace*>& traces, bool several_files,
                                               const WantsTypeOf& wants_type, const Highlight& highlight) const;

  bool json_ = false;
  bool json_safe_ = false;
  bool csv_ = false;
  bool utc_ = false;
  bool local_ = false;
  std::string zone_;
  bool relative_ = false;
  bool delta_ = false;
  std::string fields_;  // as the user wrote them
  std::optional<std::vector<PlacedColumn>> columns_;
  std::string format_text_;
  std::optional<LineFormat> format_;
  std::vector<std::string> of_each_event_;  // names in the lines that were made which are no fields
};

}  // namespace evt::tools
