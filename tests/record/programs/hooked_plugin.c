#include "hooked.h"

long plugin_add(long a, long b) { return more_add(a, b); }
