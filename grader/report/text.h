// Makes text from students safe to print, and lays it out by its width on a terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::report {

// Columns between the cells of a table, and before its first.
inline constexpr int kGap = 2;

// Escapes everything that could act on a terminal, hide text or break XML: control characters, escape codes, marks that
// change the direction of writing, invalid UTF-8. ESC becomes the four characters \x1b. Newlines stay; a tab becomes
// four spaces.
std::string Printable(std::string_view text);
// The same in one line: newlines become spaces.
std::string PrintableLine(std::string_view text);

// How many columns printable UTF-8 takes on most terminals: 0 for combining marks, 2 for East Asian wide characters and
// emoji.
int DisplayWidth(std::string_view text);

// Fills with spaces up to `width` columns, on the right or on the left.
std::string PadRight(std::string_view text, int width);
std::string PadLeft(std::string_view text, int width);
// Cuts `text` to at most `width` columns. If it cuts, the last column is "…".
std::string Shorten(std::string_view text, int width);

// Breaks `text` at newlines, and lines wider than `width` also at spaces; a word that is too wide is cut. Continuation
// lines have the indentation of their line. REQUIRES: text is Printable, width >= 1.
std::vector<std::string> Wrap(std::string_view text, int width);

// For text and for the values of attributes in XML and HTML: "a &lt; b". The text must be Printable already.
std::string MarkupEscaped(std::string_view text);

// "'it'\\''s'": `word` in quotes, as one word for a POSIX shell.
std::string ShellQuoted(std::string_view word);

}  // namespace warpgrade::report
