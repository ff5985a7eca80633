#include "selection.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { kGlobs = 64, kText = 4096 };

struct glob {
  const char* library; /* NULL: any */
  const char* function;
  int has_matched;
};

static char text[kText];
static char notes[PATH_MAX];
static struct glob globs[kGlobs];
static unsigned glob_count;

void run_select_imports(const char* wanted, const char* folder) {
  snprintf(text, sizeof text, "%s", wanted != NULL ? wanted : "");
  snprintf(notes, sizeof notes, "%s", folder);
  for (char* at = text; *at != '\0' && glob_count < kGlobs;) {
    char* const end = at + strcspn(at, ",");
    const int is_last = *end == '\0';
    *end = '\0';
    char* const colon = strchr(at, ':');
    struct glob* const glob = &globs[glob_count++];
    glob->library = colon != NULL ? at : NULL;
    glob->function = colon != NULL ? colon + 1 : at;
    if (colon != NULL) *colon = '\0';
    at = is_last ? end : end + 1;
  }
}

/* For evt run, which names those that never have. */
static void note(unsigned number) {
  char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%s/glob.%u", notes, number);
  const int made = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (made >= 0) close(made);
}

int run_is_selected(const char* library, const char* function) {
  if (glob_count == 0) return 1;
  int is_selected = 0;
  for (unsigned i = 0; i < glob_count; ++i) {
    struct glob* const glob = &globs[i];
    if (glob->library != NULL && fnmatch(glob->library, library, 0) != 0) continue;
    if (fnmatch(glob->function, function, 0) != 0) continue;
    if (!glob->has_matched) note(i);
    glob->has_matched = 1;
    is_selected = 1;
  }
  return is_selected;
}

static const char* const kNever[] = {
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__longjmp_chk",
    "getcontext",
    "setcontext",
    "makecontext",
    "swapcontext",
    "vfork",
    "__vfork",
    "syscall", /* vfork, for instance */
    "clone",
    "__clone",
    "clone3",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "abort",
    "pthread_exit",
    "thrd_exit",
    "__pthread_unwind_next",
    "__stack_chk_fail",
    "__stack_chk_fail_local",
    "__fortify_fail",
    "__chk_fail",
    "__assert",
    "__assert_fail",
    "__assert_perror_fail",
    "err",
    "errx",
    "verr",
    "verrx",
    "_ZSt9terminatev",
    "_ZSt10unexpectedv",
    "execl",
    "execle",
    "execlp",
    "execv",
    "execve",
    "execvp",
    "execvpe",
    "execveat",
    "fexecve",
    "dlclose",
    "dlmopen",
    "dladdr",
    "dladdr1",
    "dlinfo",
    "dlerror",
    "dl_iterate_phdr",
    "_dl_find_object",
    "__tls_get_addr",
    "__libc_start_main",
    "__gmon_start__",
    "mcount",
    "_mcount",
    "__fentry__",
    "__morestack",
    "__gxx_personality_v0",
    "__gcc_personality_v0",
};
/* __cxa_: the compiler's own, for exceptions. */
static const char* const kNeverBegins[] = {"_Unwind_", "__cxa_",  "_ITM_",    "__x86_",      "_dl_",
                                           "__asan_",  "__tsan_", "__ubsan_", "__sanitizer_"};

int run_is_never_hooked(const char* function) {
  for (unsigned i = 0; i < sizeof kNever / sizeof *kNever; ++i) {
    if (strcmp(kNever[i], function) == 0) return 1;
  }
  for (unsigned i = 0; i < sizeof kNeverBegins / sizeof *kNeverBegins; ++i) {
    if (strncmp(kNeverBegins[i], function, strlen(kNeverBegins[i])) == 0) return 1;
  }
  return 0;
}
