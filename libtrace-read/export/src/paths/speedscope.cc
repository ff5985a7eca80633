// speedscope's file format (https://www.speedscope.app/file-format-schema.json): profiles of type evented, in which
// each path is open for its weight plus that of nested ones.
#include <unordered_map>

#include "libtrace-read/text/format_number.h"
#include "libtrace-read/text/plain_value.h"
#include "path_export.h"

namespace evt {
namespace {

class Speedscope : public PathExport {
 public:
  using PathExport::PathExport;

  void begin(TextBuffer& out, const Trace&) override {
    out +=
        "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"evtrace\",\"profiles\":[";
  }

  void end_session(TextBuffer& out) override {
    finish_session();
    inside_.assign(nodes().size(), {});
    sums_.assign(nodes().size(), 0);
    for (std::size_t i = nodes().size(); i-- > 0;) {
      sums_[i] += nodes()[i].is_root() ? 0 : weight_of(nodes()[i]);
      if (nodes()[i].is_root()) continue;
      inside_[nodes()[i].parent].push_back(static_cast<std::uint32_t>(i));
      sums_[nodes()[i].parent] += sums_[i];
    }
    for (std::uint32_t i = 0; i < nodes().size(); ++i) {
      if (nodes()[i].is_root() && sums_[i] > 0) append_profile(out, i);
    }
  }

  // Frames are known after all profiles: their order in the file is free.
  void end(TextBuffer& out) override {
    out += "\n],\"shared\":{\"frames\":[";
    for (std::size_t i = 0; i < names_.size(); ++i) {
      out += i > 0 ? std::string_view(",\n{\"name\":") : std::string_view("\n{\"name\":");
      append_json_text(out, names_[i]);
      out += '}';
    }
    out += "\n]}}\n";
  }

 private:
  void append_profile(TextBuffer& out, std::uint32_t root) {
    out += has_profiles_ ? std::string_view(",\n{\"type\":\"evented\",\"name\":")
                         : std::string_view("\n{\"type\":\"evented\",\"name\":");
    has_profiles_ = true;
    append_json_text(out, thread_name(nodes()[root]));
    out += weight() == PathWeight::kCount ? ",\"unit\":\"none\"" : ",\"unit\":\"nanoseconds\"";
    out += ",\"startValue\":0,\"endValue\":";
    append_number(out, sums_[root]);
    out += ",\"events\":[";
    has_events_ = false;
    append_nodes(out, root);
    out += "]}";
  }

  // Depth first, without recursion: a path may be long. Below each path is its own weight.
  void append_nodes(TextBuffer& out, std::uint32_t root) {
    struct Open {
      std::uint32_t node;
      std::size_t left;  // number of children left
      std::uint64_t ends;
    };
    std::uint64_t at = 0;
    std::vector<Open> open = {{root, inside_[root].size(), sums_[root]}};
    while (!open.empty()) {
      Open& top = open.back();
      if (top.left == 0) {
        if (top.node != root) append_event(out, 'C', top.node, top.ends);
        at = top.ends;
        open.pop_back();
        continue;
      }
      const std::uint32_t next = inside_[top.node][--top.left];
      if (sums_[next] == 0) continue;
      append_event(out, 'O', next, at);
      open.push_back({next, inside_[next].size(), at + sums_[next]});
    }
  }

  void append_event(TextBuffer& out, char type, std::uint32_t node, std::uint64_t at) {
    out += has_events_ ? std::string_view(",\n{\"type\":\"") : std::string_view("\n{\"type\":\"");
    has_events_ = true;
    out += type;
    out += "\",\"frame\":";
    append_number(out, frame_of(name_of(nodes()[node])));
    out += ",\"at\":";
    append_number(out, at);
    out += '}';
  }

  std::uint64_t frame_of(std::string_view name) {
    const auto [known, is_new] = frames_.try_emplace(std::string(name), names_.size());
    if (is_new) names_.push_back(known->first);
    return known->second;
  }

  bool has_profiles_ = false;
  bool has_events_ = false;
  std::unordered_map<std::string, std::uint64_t> frames_;
  std::vector<std::string> names_;
  // By nodes of the session.
  std::vector<std::vector<std::uint32_t>> inside_;
  std::vector<std::uint64_t> sums_;
};

}  // namespace

std::unique_ptr<TimelineExport> speedscope(PathWeight weight) { return std::make_unique<Speedscope>(weight); }

}  // namespace evt
