#include <evt/export/text_form_lines.h>

#include <optional>

#include "text_form_writer.h"

namespace evt {
namespace {

class CanonicalLines : public EventLines {
 public:
  void begin(TextBuffer&, const std::string&, const Trace& trace) override { writer_.emplace(trace); }
  void append(TextBuffer& out, const Event& event) override { writer_->append(out, event); }
  void end(TextBuffer& out) override { writer_->append_end(out); }

 private:
  std::optional<TextFormWriter> writer_;
};

}  // namespace

std::unique_ptr<EventLines> text_form_lines() { return std::make_unique<CanonicalLines>(); }

}  // namespace evt
