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

Status BrowserView::run() {
  http::ServeOptions options;
  options.port = options_.port;
  options.allowed_hosts = options_.allowed_hosts;
  options.idle = std::chrono::milliseconds(options_.idle_ns / 1'000'000);
  options.opens_browser = !options_.no_open;
  return http::serve(options, [this](http::Routes& routes) {
    routes.add("/", [](const http::Request&, const http::Connection&) { return page(); });
    add_view_routes(traces_.answers(), &routes);
  });
}

}  // namespace evt::tools
