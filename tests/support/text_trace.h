// Traces from and to their text form, so that a test shows what its trace holds.
#pragma once

#include <evt/trace.h>

#include <string>
#include <string_view>

namespace evt::testing {

// The bytes of the trace that the text describes; fails the test, with the sentence, if it describes none. A text
// without its first two lines gets those of an ordinary session.
std::string trace_from_text(std::string_view text);

// The canonical text of a trace, from the first line to the last.
std::string text_of(Trace& trace);
// The same, without the two lines that trace_from_text adds.
std::string text_of_trace(std::string_view bytes);

// Opens a trace in memory; `bytes` must outlive it. Fails the test if it cannot be opened.
Trace open_trace(std::string_view bytes, const ReadOptions& options = {});

inline Bytes as_bytes(std::string_view text) { return {reinterpret_cast<const std::byte*>(text.data()), text.size()}; }

}  // namespace evt::testing
