/* The start of a program: C libraries before 2.34 leave it to the program to call its constructors, and take a function
 * for that. Later ones call it in their place. */
typedef void (*constructor)(int argc, char** argv, char** environment);

extern constructor __init_array_start[] __attribute__((visibility("hidden")));
extern constructor __init_array_end[] __attribute__((visibility("hidden")));
extern void _init(void);

typedef int (*main_function)(int argc, char** argv, char** environment);
int __libc_start_main(main_function main, int argc, char** argv, constructor init, void (*fini)(void),
                      void (*loader_fini)(void), void* stack_end);
int evt_libc_start_main(main_function main, int argc, char** argv, constructor init, void (*fini)(void),
                        void (*loader_fini)(void), void* stack_end);

static void construct(int argc, char** argv, char** environment) {
  _init();
  for (constructor* each = __init_array_start; each != __init_array_end; ++each) (*each)(argc, argv, environment);
}

static void destruct(void) {}

/* What the compiler's own start calls here (cmake/portable.cmake renames the call). */
int evt_libc_start_main(main_function main, int argc, char** argv, constructor init, void (*fini)(void),
                        void (*loader_fini)(void), void* stack_end) {
  (void)init;
  (void)fini;
  return __libc_start_main(main, argc, argv, construct, destruct, loader_fini, stack_end);
}
