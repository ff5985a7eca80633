/* A library in C that records in one line, in the session of the program that loads it. */
#include <evt/trace_macros.h>

void one_line_record(int n);

void one_line_record(int n) {
  EVT_SPAN("plugin.work");
  EVT_TRACE("plugin.bare");
  EVT_TRACE("plugin.step", "n", n, "size", (unsigned short)3, "ratio", 0.5F, "done", n > 1, "whole", (_Bool)1, "text",
            "an \xC3\xA4", "none", (const char*)NULL, "address", 7ULL);
}
