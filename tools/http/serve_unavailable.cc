// In a build without libmicrohttpd (EVTRACE_VIEW=OFF).
#include "serve.h"

namespace evt::tools::http {

Status serve(const ServeOptions&, const std::function<void(Routes&)>&) {
  return Status(Code::kInvalid, "this evt was built without the server of evt view (CMake: EVTRACE_VIEW=OFF)");
}

}  // namespace evt::tools::http
