// A tool that knows one event type and shows the others; the parts between the marks are in docs/guide/tools.md.
// [snippet: walk]
#include <evt/trace.h>

#include <cstdio>

#include "cache_events.h"

// An event of any type, by what the trace declares of it.
void print(const evt::Event& event) {
  std::printf("%s", event.type().name().c_str());
  evt::FieldWalker values = event.values();
  while (const std::optional<evt::Value> value = values.next()) {
    std::printf(" %s=", value->field().name.c_str());
    if (value->kind() == evt::Kind::kText && !value->is_sequence()) {
      std::printf("\"%s\"", std::string(value->as_text()).c_str());
    } else if (value->kind() == evt::Kind::kUnsigned && !value->is_sequence()) {
      std::printf("%llu", static_cast<unsigned long long>(value->as_unsigned()));
    } else {
      std::printf("(%zu bytes)", value->bytes().size());
    }
  }
  std::printf("\n");
}
// [end]

// [snippet: loop]
int main() {
  auto trace = evt::Trace::open("cache.evt");
  if (!trace) return std::fprintf(stderr, "%s\n", trace.status().message().c_str()), 3;
  unsigned long long read = 0;
  evt::Events events = trace->events();
  while (const evt::Event* event = events.next()) {
    if (const std::optional<CacheMiss> miss = event->as<CacheMiss>()) {
      read += miss->size;
    } else {
      print(*event);
    }
  }
  std::printf("%llu bytes had to be read\n", read);
  if (events.status().ok()) return 0;
  std::fprintf(stderr, "%s\n", events.status().message().c_str());  // that was not all: what is missing, and where
  return 1;
}
// [end]
