#include "browser_view.h"

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

}  // namespace

Status view_in_browser(const BrowserOptions& wanted, ViewedTraces& traces) {
  http::ServeOptions options;
  options.port = wanted.port;
  options.allowed_hosts = wanted.allowed_hosts;
  options.idle = std::chrono::milliseconds(wanted.idle_ns / 1'000'000);
  options.opens_browser = !wanted.no_open;
  return http::serve(options, [&traces](http::Routes& routes) {
    routes.add("/", [](const http::Request&, const http::Connection&) { return page(); });
    add_view_routes(traces.answers(), &routes);
  });
}

}  // namespace evt::tools
