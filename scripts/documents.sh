# shellcheck shell=bash
# What is read: ./dev docs, pictures.

# The site of the documents and the reference.
docs() {
  install_missing doxygen cmark-gfm python3-pygments
  say "the site of the documents and the reference"
  rm -rf build/docs/xml
  mkdir -p build/docs
  doxygen docs/Doxyfile
  # Pygments is Debian's, as the Python is.
  /usr/bin/python3 -B docs/site/build.py . build/docs/xml build/docs/html
  python3 -B docs/check_names.py build/docs/html/reference {format-spec,libtrace-write,libtrace-read/*}/include
  python3 -B tests/checks/links.py . build/docs/html
}

# The site in a browser; its screenshots stay in build/docs/pictures.
site() {
  install_missing chromium
  docs
  say "the site in a browser"
  python3 -B tests/docs/site_test.py build/docs/html build/docs/pictures
}

# The picture of the front page; and with a folder, the figures of the guide that are drawn from logs which are not kept here.
pictures() {  # [FOLDER]
  install_missing chromium
  build release evt mandelbrot
  say "the picture of the front page: docs/picture-light.png and docs/picture-dark.png"
  python3 -B docs/page_picture.py build/release/bin docs
  say "what other programs show of traces: docs/gtkwave.png, docs/speedscope.png, docs/flame.svg"
  install_missing gtkwave xvfb x11-apps imagemagick
  build release parsort interpreter
  EVT_SPEEDSCOPE=$(npm_package speedscope 1.25.0 dist/release) python3 -B docs/export_pictures.py build/release/bin docs
  [ $# -gt 0 ] || return 0
  say "figures of the guide"
  build/release/bin/evt view -o docs/sudoku3b.svg --rows cpus "$1"/*sudoku3b.eventlog
}
