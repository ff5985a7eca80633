// Which events a user wants to see.
#pragma once

#include <evt/trace.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "condition.h"
#include "moment.h"

namespace evt::tools {

// Streams, event types, times and field values; what is not said is not asked for.
class Selection {
 public:
  // The options --from, --to, --stream, --event, --where.
  void add_options(CLI::App& app);

  // For the reader, which leaves out what is not wanted without reading it.
  void narrow(EventOptions* options) const;
  bool wants_type(const EventType& type) const;
  // What the reader cannot know: the type and the values.
  bool wants(const Event& event) const;
  // Sentences about what is asked for and is in none of these traces.
  std::vector<std::string> nowhere_in(const std::vector<const Trace*>& traces) const;

 private:
  bool wants_stream(const StreamInfo& stream) const;

  std::optional<Moment> from_;
  std::optional<Moment> to_;
  std::vector<std::string> streams_;  // patterns
  std::vector<std::string> events_;
  std::vector<Condition> conditions_;
};

}  // namespace evt::tools
