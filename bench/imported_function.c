/* What bench/imported_calls.c imports. */
long imported_function(long a, long b);
long imported_function(long a, long b) { return a + b; }
