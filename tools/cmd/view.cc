#include <evt/trace.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/output.h"
#include "base/report.h"
#include "base/terminal.h"
#include "base/user_folders.h"
#include "cmd/commands.h"
#include "input/trace_inputs.h"
#include "libtrace-view/look/texts.h"
#include "libtrace-view/picture/flame_picture.h"
#include "libtrace-view/picture/picture.h"
#include "view/drawings.h"
#include "view/flame_graphs.h"
#include "view/page_file.h"
#include "view/panels.h"

namespace evt::tools {
namespace {

class View {
 public:
  explicit View(const ViewArguments& options)
      : options_(options),
        panels_(options.selection, options.rows, columns()),
        flames_(options.selection, options.flame, view::flame_parts(options.width)),
        inputs_(trace_inputs(options.files)),
        traces_(inputs_, report_) {}

  int run() {
    if (const Status status = check(); !status.ok()) return report_.usage(status.message());
    if (options_.follow) return run_followed();
    for (const TraceInput& input : inputs_) {
      if (const int status = read(input); status == kExitUsage) return status;
    }
    // The reason is known already.
    if (opened_ == 0) return status_;
    if (options_.is_served() && !options_.no_cache) traces_.use_cache(cache_folder());
    if (options_.is_served() || options_.is_page()) traces_.place(options_.separate);
    if (options_.is_served()) return finish(view_in_browser(options_.browser, traces_));
    if (options_.is_page()) return finish(write_page_file(traces_, options_.output, mode(), options_.detail));
    if (is_flame()) return flames_.all().empty() ? status_ : finish(draw_flames());
    say_unmet();
    if (panels_.all().empty()) {
      if (!options_.rows.is_made()) report_.say("there are no events to draw");
      return become(kExitPartly);
    }
    return finish(draw());
  }

 private:
  Status check() const {
    const bool is_drawn_to_file = !options_.output.empty();
    const Status files = check_files(options_.files, is_drawn_to_file ? options_.output : "-");
    return files.ok() && is_drawn_to_file && !options_.is_page() ? check_picture_name(options_.output) : files;
  }

  int run_followed() {
    if (inputs_.size() > 1) return report_.usage("--follow takes one trace");
    const TraceInput& input = inputs_.front();
    if (!input.program && input.first() != "-" && is_trace_folder(input.first())) {
      return report_.usage("--follow takes a file, and " + input.first() + " is a folder");
    }
    FollowOptions wanted;
    wanted.events.markers = true;
    wanted.keeps_pipe = true;
    auto followed = follow(input, wanted);
    if (!followed) return report_.no_answer(followed.status());
    if (input.program && !(*input.program)->note().empty()) {
      report_.say(input.name() + ": " + (*input.program)->note());
    }
    if (const Status status = traces_.follow(*std::move(followed), input); !status.ok()) {
      return report_.no_answer(status);
    }
    finish(view_in_browser(options_.browser, traces_));
    return become(traces_.finish_followed());
  }

  bool is_flame() const { return !options_.flame.of.empty(); }

  OutputMode mode() const { return OutputMode::of(options_.files); }

  std::uint32_t columns() const { return options_.text ? columns_of_terminal() : view::columns_for(options_.width); }

  int finish(const Status& done) const { return done.ok() ? status_ : report_.no_answer(done); }

  int become(int status) { return status_ = std::max(status_, status); }

  int read(const TraceInput& input) {
    auto trace = options_.reading.open(input, report_);
    if (!trace) return become(report_.no_answer(trace.status()));
    ++opened_;
    const std::string name = input.name();
    if (options_.is_served() || options_.is_page()) return become(traces_.add(*std::move(trace), input));
    const std::string short_name = name.substr(name.rfind('/') + 1);
    const Status status = is_flame() ? add_flames(*trace, name, short_name) : panels_.add(*trace, short_name);
    if (status.code() == Code::kInvalid) return become(report_.usage(status.message()));
    if (!status.ok()) become(report_.no_answer(status));
    for (const std::string& sentence : options_.selection.nowhere_in({&*trace})) {
      report_.say(fmt::format("{}: {}", name, sentence));
      become(kExitPartly);
    }
    return become(report_.finish(name, *trace));
  }

  Status add_flames(Trace& trace, const std::string& name, const std::string& short_name) {
    if (Status range = check_range(options_.selection, trace); !range.ok()) return range;
    const std::size_t before = flames_.all().size();
    const Status status = flames_.add(trace, short_name);
    if (!status.ok()) return status;
    for (const std::string& note : flames_.notes()) report_.say(fmt::format("{}: {}", name, note));
    if (flames_.is_partial() || flames_.all().size() == before) become(kExitPartly);
    return {};
  }

  void say_unmet() {
    for (const std::string& word : options_.rows.unmet()) {
      report_.say(fmt::format("there is no row {}", word));
      become(kExitPartly);
    }
  }

  Status draw() const {
    if (options_.text) return print_panels(panels_.all(), Terminal::colors_output());
    return write_picture(options_.output, mode(), view::svg_of(panels_.all(), looks()));
  }

  Status draw_flames() const {
    std::vector<std::string> headings;
    for (const view::FlameGraph& graph : flames_.all()) headings.push_back(graph.heading);
    view::PictureOptions looks = plain_looks();
    looks.title = options_.flame.inverted ? "Inverted flame graph" : "Flame graph";
    looks.description = fmt::format("{}", fmt::join(headings, "; "));
    return write_picture(options_.output, mode(), view::svg_of(flames_.all(), options_.flame.inverted, looks));
  }

  view::PictureOptions plain_looks() const {
    view::PictureOptions looks;
    looks.width = options_.width;
    looks.black_and_white = options_.black_and_white;
    return looks;
  }

  view::PictureOptions looks() const {
    view::PictureOptions looks = plain_looks();
    std::vector<std::string> headings;
    std::vector<std::string> times;
    for (const view::Panel& panel : panels_.all()) {
      headings.push_back(panel.heading);
      times.push_back(fmt::format("{} rows from {} s to {} s", panel.tracks.size(),
                                  view::seconds(panel.scale.from_ns()), view::seconds(panel.scale.to_ns())));
    }
    looks.title = fmt::format("Timeline of {}", fmt::join(headings, ", "));
    looks.description = fmt::format("{}", fmt::join(times, "; "));
    return looks;
  }

  const ViewArguments& options_;
  Report report_{"evt view"};
  Panels panels_;
  FlameGraphs flames_;
  std::vector<TraceInput> inputs_;
  ViewedTraces traces_;
  std::size_t opened_ = 0;
  int status_ = kExitOk;
};

}  // namespace

int run_view(ViewArguments& options) { return View(options).run(); }

}  // namespace evt::tools
