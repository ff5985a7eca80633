#!/bin/sed -f
# Links to files are not links to pages of the reference.
s|\[\([^]]*\)\](\([^)h#][^)]*\))|\1|g
