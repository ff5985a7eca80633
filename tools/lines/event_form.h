// How a user wants to see events, and the lines that this asks for.
#pragma once

#include <evt/export/event_lines.h>
#include <evt/export/json_lines.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lines/column_list.h"
#include "lines/line_format.h"

namespace evt::tools {

class EventForm {
 public:
  bool json = false;
  bool json_safe = false;  // see TextOutput::set_json_safe()
  bool csv = false;
  bool utc = false;  // times of day
  bool local = false;
  std::string zone{};     // chosen; empty: none
  bool relative = false;  // times since the line before
  bool delta = false;     // the same, beside the others
  std::string fields{};   // as the user wrote them
  std::optional<std::vector<PlacedColumn>> columns{};
  std::string format_text{};
  std::optional<LineFormat> format{};

  // Lines for people, which may have other lines between them.
  bool is_text() const { return !json && !csv; }

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
  void note_names(const std::vector<PlacedColumn>& named);
  DataOptions data_options(bool several_files) const;
  bool is_local() const { return local || !zone.empty(); }
  std::unique_ptr<EventLines> make_plain_lines(const std::vector<const Trace*>& traces, bool several_files,
                                               const WantsTypeOf& wants_type, const Highlight& highlight) const;

  std::vector<std::string> of_each_event_;  // names in the lines that were made which are no fields
};

}  // namespace evt::tools
