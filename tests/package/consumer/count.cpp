#include <evt/trace.h>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto trace = evt::Trace::open(argv[1]);
  if (!trace) return 3;
  std::uint64_t count = 0;
  auto events = trace->events();
  while (const evt::Event* event = events.next()) count += event->type().name() == "tick" ? 1 : 0;
  std::cout << count << " ticks\n";
  return events.status().ok() ? 0 : 1;
}
