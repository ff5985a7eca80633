#!/bin/sed -f
# A comment that stands alone is of what follows it, one behind code is of what it follows.
s|^\( *\)// |\1/// |
s|^\( *\)//$|\1///|
s|\([;,{)] *\)// |\1///< |
s|^\( *\)/\* |\1/** |
s|\([;,{)] *\)/\* \(.*\*/\)$|\1/**< \2|
