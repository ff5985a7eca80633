// Traces -> rows to draw, for each session.
#pragma once

#include <evt/report.h>
#include <evt/trace.h>

#include <string>
#include <vector>

#include "base/progress.h"
#include "input/selection.h"
#include "libtrace-view/rows/panel.h"
#include "row_choice.h"

namespace evt::tools {

// An error if a session has no time between --from and --to.
Status check_range(const Selection& selection, const Trace& trace);

class Panels {
 public:
  Panels(const Selection& selection, const RowChoice& choice, std::uint32_t columns)
      : selection_(&selection), choice_(&choice), columns_(columns) {
    range_.range = [this](const Session& session) { return selection_->range(session); };
  }

  // Reads the trace. Of a session without rows that are wanted there is no panel.
  Status add(Trace& trace, const std::string& name);
  const std::vector<view::Panel>& all() const { return panels_; }

 private:
  Status add_session(Timeline& timeline, const std::string& heading);
  std::vector<view::Track> wanted_tracks(const view::Rows& rows) const;

  const Selection* selection_;
  report::RangeWanted range_;
  const RowChoice* choice_;
  std::uint32_t columns_;
  Progress progress_;
  std::vector<view::Panel> panels_;
};

}  // namespace evt::tools
