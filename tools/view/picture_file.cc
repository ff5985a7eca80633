#include "picture_file.h"

#include <fmt/core.h>

#include "base/output.h"
#include "base/output_format.h"
#include "libtrace-view/picture/rendering.h"

namespace evt::tools {
namespace {

Result<std::string> content_of(const std::string& path, const std::string& svg) {
  const std::string suffix = suffix_of(path);
  if (suffix == ".pdf") return view::pdf_of(svg);
  if (suffix == ".png") return view::png_of(svg);
  return svg;
}

}  // namespace

Status check_picture_name(const std::string& path) {
  const std::string suffix = suffix_of(path);
  if (suffix == ".svg" || suffix == ".pdf" || suffix == ".png") return {};
  return {Code::kInvalid, fmt::format("-o: expected a name in .html, .svg, .pdf or .png, found {}", path)};
}

Status write_picture(const std::string& path, const OutputMode& mode, const std::string& svg) {
  const Result<std::string> content = content_of(path, svg);
  if (!content) return content.status();
  auto output = FileOutput::open(path, mode);
  if (!output) return output.status();
  if (output->write(content->data(), content->size()) != 0) return output->status();
  return output->complete();
}

}  // namespace evt::tools
