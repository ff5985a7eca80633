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
# An enumeration that has no name but values of the header's own gets a name of that kind. Doxygen takes local for a keyword where it
# is not qualified.
s|^enum { \(EVT_[A-Z_]*_ =\)|enum own_ { \1|
s|^\( *bool \)local |\1::local |
