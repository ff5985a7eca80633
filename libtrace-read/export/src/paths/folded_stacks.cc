#include "libtrace-read/text/format_number.h"
#include "libtrace-read/text/stack_frame.h"
#include "path_export.h"

namespace evt {
namespace {

class FoldedStacks : public PathExport {
 public:
  using PathExport::PathExport;

  void begin(TextBuffer&, const Trace&) override {}

  // The stack of each node is that of its parent plus one name.
  void end_session(TextBuffer& out) override {
    finish_session();
    for (std::uint32_t i = 0; i < nodes().size(); ++i) {
      const CallPaths::Node& node = nodes()[i];
      if (node.is_root() || weight_of(node) == 0) continue;
      append_stack(out, i);
      out += ' ';
      append_number(out, weight_of(node));
      out += '\n';
    }
  }

  void end(TextBuffer&) override {}

 private:
  void append_stack(TextBuffer& out, std::uint32_t at) {
    stack_.clear();
    for (; !nodes()[at].is_root(); at = nodes()[at].parent) stack_.push_back(at);
    append_stack_frame(out, thread_name(nodes()[at]));
    for (std::size_t i = stack_.size(); i-- > 0;) {
      out += ';';
      append_stack_frame(out, name_of(nodes()[stack_[i]]));
    }
  }

  std::vector<std::uint32_t> stack_;
};

}  // namespace

std::unique_ptr<TimelineExport> folded_stacks(PathWeight weight) { return std::make_unique<FoldedStacks>(weight); }

}  // namespace evt
