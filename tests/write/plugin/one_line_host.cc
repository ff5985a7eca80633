// A program that loads a library twice, which records in the program's session: FILE LIBRARY.
#include <dlfcn.h>
#include <evt/trace_macros.h>
#include <evt/writer.h>

#include <cstdio>

int main(int, char** argv) {
  auto writer = evt::Writer::open(argv[1]);
  if (!writer) return std::fprintf(stderr, "%s\n", writer.status().message().c_str()), 1;
  writer->make_default();
  for (int n = 1; n <= 2; ++n) {
    void* const library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return std::fprintf(stderr, "%s\n", dlerror()), 1;
    reinterpret_cast<void (*)(int)>(dlsym(library, "one_line_record"))(n);
    dlclose(library);
    if (dlopen(argv[2], RTLD_NOW | RTLD_NOLOAD) != nullptr) return std::fprintf(stderr, "it is still there\n"), 1;
  }
  EVT_TRACE("host.after", "n", 3);
  std::fputs(writer->notices().c_str(), stderr);
  return writer->close().ok() ? 0 : 1;
}
