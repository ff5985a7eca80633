// What a program does to read a trace; the part between the marks is in README.md and docs/guide.
#include <cstdio>
// [snippet: read]
#include <evt/trace.h>

int main() {
  auto trace = evt::Trace::open("app.evt");
  if (!trace) return std::fprintf(stderr, "%s\n", trace.status().message().c_str()), 3;
  auto events = trace->events();
  while (const evt::Event* e = events.next()) {
    std::printf("%s at %lld ns\n", e->type().name().c_str(), static_cast<long long>(e->ns()));
  }
  return events.status().ok() ? 0 : 1;
}
// [end]
