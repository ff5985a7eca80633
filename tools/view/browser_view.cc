#include "browser_view.h"

#include <fmt/ranges.h>

#include "http/serve.h"
#include "view_page.h"
#include "view_routes.h"

namespace evt::tools {
namespace {

http::Response page() {
  http::Response page;
  page.type = "text/html; charset=utf-8";
  page.body = view_page();
  page.policy = http::page_policy(view_page_script_sha256(), view_page_style_sha256());
  return page;
}

// Without folders.
std::string title_of(const std::vector<std::string>& files) {
  std::string title;
  for (const std::string& file : files) {
    const std::string name = Reading::name_of(file);
    title += (title.empty() ? "" : ", ") + name.substr(name.rfind('/') + 1);
  }
  return title;
}

}  // namespace

BrowserView::BrowserView(const ViewArguments& options, Report& report)
    : options_(options), report_(report), answers_(title_of(options.files)) {}

int BrowserView::add(Trace trace, const std::string& name) {
  traces_.push_back({std::move(trace), title_of({name})});
  return report_.finish(name, traces_.back().trace);
}

bool BrowserView::has_one_session() const {
  std::size_t sessions = 0;
  for (const NamedTrace& each : traces_) sessions += each.trace.sessions().size();
  return sessions < 2;
}

bool BrowserView::merge(std::string* note) {
  auto merged = MergedTrace::of(traces_);
  if (!merged) {
    *note = fmt::format("not on one timeline: {}", merged.status().message());
    report_.say(*note);
    return false;
  }
  merged_.emplace(*std::move(merged));
  for (const std::string& sentence : merged_->alignments()) report_.say(sentence);
  std::vector<std::string> notes = merged_->notes();
  notes.insert(notes.end(), merged_->alignments().begin(), merged_->alignments().end());
  answers_.add_merged(merged_->trace(), std::move(notes));
  traces_.clear();
  return true;
}

void BrowserView::add_answers() {
  std::string note;
  if (!options_.separate && !has_one_session() && merge(&note)) return;
  for (NamedTrace& each : traces_) answers_.add(each.trace, each.name, note);
}

Status BrowserView::run() {
  add_answers();
  http::ServeOptions options;
  options.port = options_.port;
  options.allowed_hosts = options_.allowed_hosts;
  options.idle = std::chrono::milliseconds(options_.idle_ns / 1'000'000);
  options.opens_browser = !options_.no_open;
  return http::serve(options, [this](http::Routes& routes) {
    routes.add("/", [](const http::Request&, const http::Connection&) { return page(); });
    add_view_routes(answers_, &routes);
  });
}

}  // namespace evt::tools
