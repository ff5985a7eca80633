# shellcheck shell=bash
# What is read: ./dev docs, pictures.

# The site of the documents and the reference.
docs() {
  install_missing doxygen python3-sphinx python3-myst-parser python3-breathe furo esbuild
  say "the site of the documents and the reference"
  rm -rf build/docs
  mkdir -p build/docs/source
  doxygen docs/Doxyfile
  find . -maxdepth 1 ! -name '.*' ! -name build -exec ln -s "$PWD"/{} build/docs/source \;
  # Sphinx is Debian's, as the Python is.
  /usr/bin/python3 -B -m sphinx -q -W --keep-going -j auto -c docs/site -d build/docs/cache build/docs/source build/docs/html
  mend_furo build/docs/html/_static
  python3 -B docs/check_names.py build/docs/html/reference {format-spec,libtrace-write,libtrace-read/*}/include
  say "$PWD/build/docs/html/README.html"
}

# Debian's build of Furo imports what only its web servers have, imports a module from a script that is none, and has no rule for a
# system that is dark: that is here the rule for a user who chose it.
mend_furo() {
  local css=$1/styles/furo.css dark
  sed -i 's|/javascript/normalize.css/|../|' "$css"
  dark=$(sed -n '/^@media not print/,/^$/p' "$css" | sed 's/not print/(prefers-color-scheme: dark)/; s/body\[data-theme="dark"\]/body:not([data-theme="light"])/')
  printf '\n%s\n' "$dark" >> "$css"
  esbuild --log-level=warning --bundle --allow-overwrite --outdir="$1/scripts" "$1/scripts/furo.js"
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
  install_missing chromium pngquant
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
