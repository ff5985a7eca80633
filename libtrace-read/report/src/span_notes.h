// What does not fit of spans, calls and asynchronous spans, in the words of all analyses.
#pragma once

#include <evt/analysis/span_doubts.h>

#include <string>
#include <vector>

namespace evt::report {

// About one kind, and about those of threads.
void add_span_notes(const SpanDoubts& doubts, SpanKind kind, std::vector<std::string>* notes);
void add_span_notes(const SpanDoubts& doubts, std::vector<std::string>* notes);

}  // namespace evt::report
