#!/usr/bin/env bash
# The include rule of the house: a folder includes its own layer or a lower one, and Cap'n Proto stays in its one place.
#   format-spec 0 | libtrace-write, libtrace-read 1 (not each other) | tools 2: public headers only
set -euo pipefail
cd "$1"
status=0
complain() { echo "layering: $1"; status=1; }

# includes FOLDER PATTERN: lines that include what matches, as file:line:text.
includes() { grep -rnE --include='*.h' --include='*.cc' --include='*.c' "^ *# *include *[<\"]$2" "$1" || true; }

forbid() {  # FOLDER PATTERN WHY
  local found
  found=$(includes "$1" "$2")
  [ -z "$found" ] || complain "$3:"$'\n'"$found"
}

public_of() { find "$@" -path '*/include/evt/*.h' | sed 's|.*/include/||; s/\./\\./g' | paste -sd'|'; }
writer_headers=$(public_of libtrace-write)
reader_headers=$(public_of libtrace-read)

forbid format-spec "($writer_headers|$reader_headers|libtrace-|tools/)" "format-spec is the lowest layer"
forbid libtrace-write "($reader_headers|libtrace-read|tools/)" "the writer does not know the reader or the tools"
forbid libtrace-read "($writer_headers|libtrace-write|tools/)" "the reader does not know the writer or the tools"
forbid tools "(libtrace-|format-spec/)" "tools use public headers only"
forbid examples "(libtrace-|format-spec/)" "examples use public headers only"
forbid tools "(capnp|kj)/" "Cap'n Proto belongs to the reader"
forbid libtrace-write "(capnp|kj)/" "the writer has its own encoder"
forbid format-spec "(capnp|kj)/" "format-spec has its own encoder"

# Rows are taken apart and written by RowReader and RowWriter, but in two places: the writer's emit, whose rows grow where
# they are, and the reader's StreamRows, which looks at rows whose end was not read yet. Tests compare both with the
# two classes.
others=$(grep -rnE --include='*.h' --include='*.cc' 'RowHeader|row_header\.h' format-spec libtrace-write libtrace-read tools |
  grep -vE '^(format-spec/src/row/|libtrace-write/src/emit\.cc:|libtrace-read/core/src/order/stream_rows\.cc:)' || true)
[ -z "$others" ] || complain "a row's header is known in format-spec/src/row and in two more places:"$'\n'"$others"
# The size of a row is at bit 48 of its front; Cap'n Proto's pointers have their own such places.
others=$(grep -rnE --include='*.h' --include='*.cc' '(<<|>>)=? *48' format-spec libtrace-write libtrace-read |
  grep -vE '^format-spec/src/(row/|columns/type_items\.cc|base/capnp_message\.cc)|^libtrace-write/include/evt/emit\.h:' || true)
[ -z "$others" ] || complain "bytes of a row's header outside format-spec/src/row:"$'\n'"$others"

# Blocks are sealed and numbered by BlockFramer; INDEX and TRAILER are written by SessionEncoder.
others=$(grep -rnE --include='*.h' --include='*.cc' '(seal_header|store_block_header|append_trailer)\(' \
  format-spec libtrace-write libtrace-read tools |
  grep -vE '^format-spec/src/(block/block_(header|framer)\.|session/(metadata_records|session_encoder)\.)' || true)
[ -z "$others" ] || complain "blocks are framed outside format-spec/src/block and session:"$'\n'"$others"

others=$(includes libtrace-read "(capnp|kj)/" | grep -vE '^libtrace-read/(core/src/base/messages\.cc|core/src/base/guarded_message\.h|analyze/src/checkpoint/state_message\.cc):' || true)
[ -z "$others" ] || complain "Cap'n Proto belongs to the reader's files of messages:"$'\n'"$others"
# Where Cap'n Proto throws, and where a thread would end the program instead of telling whoever waits for it.
catches=$(grep -rn --include='*.cc' --include='*.h' 'catch (' format-spec libtrace-write libtrace-read |
  grep -vE '^libtrace-read/core/src/(base/guarded_message\.h|block/decode_ahead\.cc):' || true)
[ -z "$catches" ] || complain "exceptions are caught in the reader's guarded_message.h and decode_ahead.cc alone:"$'\n'"$catches"
[ $status -eq 0 ] && echo "layering: every include goes to its own layer or a lower one"
exit $status
