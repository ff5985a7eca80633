#!/bin/sed -f
# Links to files are not links to pages of the reference.
s|\[\([^]]*\)\](\([^)h#][^)]*\))|\1|g
# Doxygen does not know the tag that chooses a picture by the reader's colours: the picture inside it stays.
/^ *<\/\{0,1\}picture>$/d
/^ *<source /d
