// What states, spans and bands are filled with: colours, or textures for black and white.
#pragma once

#include <string>
#include <vector>

#include "libtrace-view/rows/shares.h"
#include "svg_writer.h"

namespace evt::view {

class Ink {
 public:
  explicit Ink(bool black_and_white) : is_plain_(black_and_white) {}

  std::string of(RowState state) const;
  std::string of_hue(Key hue) const;
  std::string of_other_spans() const { return "url(#spans)"; }
  std::string of_counter_band() const;
  std::string of_accent() const;
  std::string of_lost() const { return "url(#lost)"; }
  std::string of_stopped() const { return "url(#stopped)"; }
  std::string of_uncertain() const { return "url(#uncertain)"; }
  std::vector<SvgWriter::Pattern> patterns() const;

 private:
  bool is_plain_;
};

}  // namespace evt::view
