/* Wrappers of the C library's files: calls inside the C library are not seen. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>

#include "calls.h"
#include "jumps.h"

/* Optimised, these are macros. */
#undef fread_unlocked
#undef fwrite_unlocked

/* Called by programs that were compiled with _FORTIFY_SOURCE. */
size_t __fread_chk(void* to, size_t room, size_t size, size_t count, FILE* file);
size_t __fread_unlocked_chk(void* to, size_t room, size_t size, size_t count, FILE* file);
char* __fgets_chk(char* to, size_t room, int size, FILE* file);
char* __fgets_unlocked_chk(char* to, size_t room, int size, FILE* file);
int __printf_chk(int flag, const char* format, ...);
int __fprintf_chk(FILE* file, int flag, const char* format, ...);
int __vprintf_chk(int flag, const char* format, va_list values);
int __vfprintf_chk(FILE* file, int flag, const char* format, va_list values);
ssize_t __getdelim(char** line, size_t* room, int end, FILE* file);

static const struct run_object kNewFile = {0, RUN_FILE};

static struct run_object object_of(FILE* file) {
  static const struct run_object none = {0, RUN_NO_RESOURCE};
  return file->_fileno >= 0 ? run_object_of(file->_fileno) : none;
}

/* The file's buffer is looked at without its lock: if another thread changes it meanwhile, a call may be recorded in
 * one event that waits for the system. */
static int has_room(const FILE* file, size_t size) {
  const ptrdiff_t room =
      file->_IO_write_end - file->_IO_write_ptr; /* zero if lines, or all bytes, are written at once */
  return room > 0 && (size_t)room >= size;
}

static int has_bytes(const FILE* file, size_t size) {
  const ptrdiff_t ready = file->_IO_read_end - file->_IO_read_ptr;
  return ready > 0 && (size_t)ready >= size;
}

static int has_line(FILE* file, int end, size_t most) {
  if (has_bytes(file, most)) return 1;
  if (!has_bytes(file, 1) || ftrylockfile(file) != 0) return 0;
  const int has =
      has_bytes(file, 1) && memchr(file->_IO_read_ptr, end, (size_t)(file->_IO_read_end - file->_IO_read_ptr)) != NULL;
  funlockfile(file);
  return has;
}

static struct run_recorded begin(enum run_call call, FILE* file, size_t asked, int is_buffered) {
  return is_buffered ? run_begin_buffered(call, object_of(file), asked) : run_begin(call, object_of(file), asked);
}
static struct run_recorded begin_read(enum run_call call, FILE* file, size_t size) {
  return begin(call, file, size, has_bytes(file, size));
}
static struct run_recorded begin_write(enum run_call call, FILE* file, size_t size) {
  return begin(call, file, size, has_room(file, size));
}
static struct run_recorded begin_line(enum run_call call, FILE* file, int end, size_t most, size_t asked) {
  return begin(call, file, asked, run_stream() != NULL && has_line(file, end, most));
}

static FILE* opened(const struct run_recorded* call, FILE* file, const char* path) {
  run_end(call, 0);
  if (file != NULL) run_opened(fileno(file), path);
  return file;
}

RUN_EXPORT FILE* fopen(const char* path, const char* mode) {
  const struct run_recorded call = run_begin(RUN_fopen, kNewFile, 0);
  return opened(&call, REAL(fopen)(path, mode), path);
}

RUN_EXPORT FILE* fopen64(const char* path, const char* mode) {
  const struct run_recorded call = run_begin(RUN_fopen, kNewFile, 0);
  return opened(&call, REAL(fopen64)(path, mode), path);
}

RUN_WRAP(FILE*, fdopen, fdopen, (int fd, const char* mode), (fd, mode), run_object_of(fd), 0, 0)

RUN_EXPORT int fclose(FILE* file) {
  const struct run_recorded call = run_begin(RUN_fclose, object_of(file), 0);
  const int error = errno;
  const uint64_t taken = run_take_descriptor(fileno(file));
  errno = error;
  const int result = REAL(fclose)(file);
  run_end(&call, 0);
  run_closed(taken);
  return result;
}

/* NULL: all files. */
static struct run_object flushed(FILE* file) { return file != NULL ? object_of(file) : kNewFile; }

RUN_WRAP(int, fflush, fflush, (FILE * file), (file), flushed(file), 0, 0)
RUN_WRAP(int, fflush_unlocked, fflush, (FILE * file), (file), flushed(file), 0, 0)

#define WRAP_ITEMS(name, which, begin_items, parameters, arguments) \
  RUN_WRAP_BEGUN(size_t, name, parameters, arguments, begin_items(RUN_##which, file, size* count), size* result)

WRAP_ITEMS(fread, fread, begin_read, (void* to, size_t size, size_t count, FILE* file), (to, size, count, file))
WRAP_ITEMS(fread_unlocked, fread, begin_read, (void* to, size_t size, size_t count, FILE* file),
           (to, size, count, file))
WRAP_ITEMS(__fread_chk, fread, begin_read, (void* to, size_t room, size_t size, size_t count, FILE* file),
           (to, room, size, count, file))
WRAP_ITEMS(__fread_unlocked_chk, fread, begin_read, (void* to, size_t room, size_t size, size_t count, FILE* file),
           (to, room, size, count, file))
WRAP_ITEMS(fwrite, fwrite, begin_write, (const void* from, size_t size, size_t count, FILE* file),
           (from, size, count, file))
WRAP_ITEMS(fwrite_unlocked, fwrite, begin_write, (const void* from, size_t size, size_t count, FILE* file),
           (from, size, count, file))

#define WRAP_LINE(name, parameters, arguments)                                                                    \
  RUN_WRAP_BEGUN(char*, name, parameters, arguments,                                                              \
                 begin_line(RUN_fgets, file, '\n', size > 0 ? (size_t)size - 1 : 0, size > 0 ? (size_t)size : 0), \
                 call_is_recorded(&recorded) && result != NULL ? strlen(result) : 0)

static int call_is_recorded(const struct run_recorded* call) { return call->stream != NULL; }

WRAP_LINE(fgets, (char* to, int size, FILE* file), (to, size, file))
WRAP_LINE(fgets_unlocked, (char* to, int size, FILE* file), (to, size, file))
WRAP_LINE(__fgets_chk, (char* to, size_t room, int size, FILE* file), (to, room, size, file))
WRAP_LINE(__fgets_unlocked_chk, (char* to, size_t room, int size, FILE* file), (to, room, size, file))

#define WRAP_DELIMITED(name, which, parameters, arguments, end) \
  RUN_WRAP_BEGUN(ssize_t, name, parameters, arguments, begin_line(RUN_##which, file, end, SIZE_MAX, 0), run_had(result))

WRAP_DELIMITED(getline, getline, (char** line, size_t* room, FILE* file), (line, room, file), '\n')
WRAP_DELIMITED(getdelim, getdelim, (char** line, size_t* room, int end, FILE* file), (line, room, end, file), end)
WRAP_DELIMITED(__getdelim, getdelim, (char** line, size_t* room, int end, FILE* file), (line, room, end, file), end)

/* The text is measured before the call, which may free it. */
#define WRAP_TEXT(name, which, parameters, arguments, file, more)            \
  RUN_EXPORT int name parameters {                                           \
    const size_t length = run_stream() != NULL ? strlen(text) + (more) : 0;  \
    const struct run_recorded call = begin_write(RUN_##which, file, length); \
    const int result = REAL(name) arguments;                                 \
    run_end(&call, result >= 0 ? length : 0);                                \
    return result;                                                           \
  }

WRAP_TEXT(fputs, fputs, (const char* text, FILE* file), (text, file), file, 0)
WRAP_TEXT(fputs_unlocked, fputs, (const char* text, FILE* file), (text, file), file, 0)
WRAP_TEXT(puts, puts, (const char* text), (text), stdout, 1)

RUN_WRAP(int, vprintf, vprintf, (const char* format, va_list values), (format, values), object_of(stdout), 0,
         run_had(result))
RUN_WRAP(int, vfprintf, vfprintf, (FILE * file, const char* format, va_list values), (file, format, values),
         object_of(file), 0, run_had(result))
RUN_WRAP(int, __vprintf_chk, vprintf, (int flag, const char* format, va_list values), (flag, format, values),
         object_of(stdout), 0, run_had(result))
RUN_WRAP(int, __vfprintf_chk, vfprintf, (FILE * file, int flag, const char* format, va_list values),
         (file, flag, format, values), object_of(file), 0, run_had(result))

/* If another library has a function of that name, it is called, and not recorded: jumps.S. */
#if RUN_HAS_JUMPS
#define WRAPPER(name) run_wrap_##name
#else
#define WRAPPER(name) name
#endif

#define WRAP_FORMAT(name, which, parameters, last, file, real)                   \
  run_function run_next_##name;                                                  \
  int WRAPPER(name) parameters;                                                  \
  int WRAPPER(name) parameters {                                                 \
    const struct run_recorded call = run_begin(RUN_##which, object_of(file), 0); \
    va_list values;                                                              \
    va_start(values, last);                                                      \
    const int result = real;                                                     \
    va_end(values);                                                              \
    run_end(&call, run_had(result));                                             \
    return result;                                                               \
  }

WRAP_FORMAT(printf, printf, (const char* format, ...), format, stdout, REAL(vprintf)(format, values))
WRAP_FORMAT(fprintf, fprintf, (FILE * file, const char* format, ...), format, file,
            REAL(vfprintf)(file, format, values))
WRAP_FORMAT(__printf_chk, printf, (int flag, const char* format, ...), format, stdout,
            REAL(__vprintf_chk)(flag, format, values))
WRAP_FORMAT(__fprintf_chk, fprintf, (FILE * file, int flag, const char* format, ...), format, file,
            REAL(__vfprintf_chk)(file, flag, format, values))

#define PASS(name) \
  if (run_is_between(RUN_REAL_##name)) run_next_##name = run_reals[RUN_REAL_##name]

void run_pass_formats(void) {
  PASS(printf);
  PASS(fprintf);
  PASS(__printf_chk);
  PASS(__fprintf_chk);
}
