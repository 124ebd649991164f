// fmt 9, compiled once. Debian ships fmt as headers and as a shared library. The kit uses neither: the headers alone
// cost two seconds of compiling in each of a hundred files, and a shared library would have to be on every node. See
// cmake/dependencies.cmake.
#include <fmt/format-inl.h>

// format.h declares these templates `extern` or without a body, so each needs one instantiation in the program.
namespace fmt::detail {
template FMT_API auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto thousands_sep_impl<wchar_t>(locale_ref) -> thousands_sep_result<wchar_t>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
template FMT_API auto decimal_point_impl(locale_ref) -> wchar_t;
template FMT_API auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
}  // namespace fmt::detail
