// Traces in the user's browser, until the user has seen enough.
#pragma once

#include <evt/status.h>

#include "cli/view_options.h"
#include "viewed_traces.h"

namespace evt::tools {

class BrowserView {
 public:
  BrowserView(const ViewArguments& options, ViewedTraces& traces) : options_(options), traces_(traces) {}

  Status run();

 private:
  const ViewArguments& options_;
  ViewedTraces& traces_;
};

}  // namespace evt::tools
