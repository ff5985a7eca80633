// What a span or call was spent on, for the page of evt view.
#pragma once

#include <evt/trace.h>

#include <string>

#include "libtrace-view/tiles/layout.h"
#include "patience.h"

namespace evt::tools {

// Reads the session from its start to the end of the span, and on to the ends of what went on then.
class SpanCauses {
 public:
  static constexpr std::size_t kMostCauses = 300;
  static constexpr std::size_t kMostParts = 10'000;

  // Both must outlive it. Its answer has no meaning once the patience has ended.
  SpanCauses(Trace& trace, const Session& session, const view::Layout& layout, Patience patience)
      : trace_(&trace), session_(&session), layout_(&layout), patience_(std::move(patience)) {}

  // The span of a row that is from then to then. As JSON: its causes, as evt why prints them, and its path, which is on
  // the row of a thread at a time. Where no event shows when threads run or wait, only a note that says so.
  std::string of(std::uint32_t row, TimeRange range);

 private:
  Trace* trace_;
  const Session* session_;
  const view::Layout* layout_;
  Patience patience_;
};

}  // namespace evt::tools
