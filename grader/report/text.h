// Text that came from a student, made fit to print, and laid out by the width it takes on a terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::report {

// Columns between the cells of a table, and before its first.
inline constexpr int kGap = 2;

// Escapes what could act on a terminal, hide text or break XML: control characters, escape codes, marks that turn the
// direction of writing, invalid UTF-8. ESC becomes the four characters \x1b. Newlines stay, tabs become four spaces.
std::string Printable(std::string_view text);
// The same on one line: newlines become spaces.
std::string PrintableLine(std::string_view text);

// How many columns printable UTF-8 takes: 0 for combining marks, 2 for East Asian wide characters and emoji. Loose:
// terminals differ.
int DisplayWidth(std::string_view text);

// Fills with spaces up to `width` columns, on the right or on the left.
std::string PadRight(std::string_view text, int width);
std::string PadLeft(std::string_view text, int width);
// At most `width` columns, the last one "…" when something was cut off.
std::string Shorten(std::string_view text, int width);

// Breaks `text` at newlines and, where a line is wider than `width`, at spaces; a word that is too wide is cut.
// A line's own indentation is repeated on its continuations. REQUIRES: text is Printable, width >= 1.
std::vector<std::string> Wrap(std::string_view text, int width);

}  // namespace warpgrade::report
