#!/bin/sed -f
# The comment at the start of a header is the header's, an alias of docs/Doxyfile states; one that is alone is of what follows it,
# one behind code is of what it follows. What is indented in a comment is code, which Markdown wants further in.
1s|^// |/// @header |
1s|^/\* |/** @header |
s|^\( *\)//   |\1///       |
s|^\( *\*\)   |\1       |
s|^\( *\)// |\1/// |
s|^\( *\)//$|\1///|
/^ *\(\/\/\/\|\*\)/!s|\([;,{)] *\)// |\1///< |
s|^\( *\)/\* |\1/** |
s|\([;,{)] *\)/\* \(.*\*/\)$|\1/**< \2|
