// OwnWords puts a program together from parts that can be written in several ways. Disguised works on any source of a
// rung, line by line. Tests: tests/class/own_words_test.cc; tests/class/class_test.cc grades what they make.
#include "tests/class/own_words.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

namespace warpgrade::classes {
namespace {

constexpr size_t kNumberings = 4, kGuards = 3, kCeilings = 3, kHelpers = 2;

const std::string& OneOf(const std::vector<std::string>& all, Random* random) { return all[Draw(all.size(), random)]; }

void ReplaceAll(const std::string& what, const std::string& with, std::string* text) {
  for (size_t at = 0; (at = text->find(what, at)) != std::string::npos; at += with.size()) {
    text->replace(at, what.size(), with);
  }
}

// The names of one author.
std::map<std::string, std::string> DrawNames(Random* random) {
  return {{"@row@", OneOf({"row", "r", "y_in", "line", "i", "src_row"}, random)},
          {"@col@", OneOf({"col", "c", "x_in", "pos", "j", "src_col"}, random)},
          {"@total@", OneOf({"total", "count", "elements", "n_all", "size_of_all"}, random)},
          {"@index@", OneOf({"index", "id", "tid", "e", "linear"}, random)},
          {"@step@", OneOf({"step", "stride", "jump", "all_threads"}, random)},
          {"@blocks@", OneOf({"blocks", "num_blocks", "nb", "grid_size"}, random)},
          {"@threads@", OneOf({"threads", "block_size", "tpb", "per_block"}, random)},
          {"@across@", OneOf({"across", "tiles_x", "width_in_tiles", "nx"}, random)},
          {"@down@", OneOf({"down", "tiles_y", "height_in_tiles", "ny"}, random)},
          {"@value@", OneOf({"value", "v", "element", "tmp", "item"}, random)},
          {"@move@", OneOf({"move_one", "copyElement", "swap_place", "transfer"}, random)},
          {"@ceil@", OneOf({"ceil_div", "divUp", "blocks_for", "round_up_div"}, random)},
          {"@kernel@", "transpose_v1"}};
}

// Moves the element at @row@, @col@, in one of several ways; `depth`: spaces before each line.
std::string MoveText(bool helper, const std::string& depth, Random* random) {
  if (helper) return depth + "@move@(d_in, d_out, @row@, @col@, rows, columns);\n";
  switch (Draw(5, random)) {
    case 0:
      return depth + "d_out[@col@ * rows + @row@] = d_in[@row@ * columns + @col@];\n";
    case 1:
      return depth + "T @value@ = d_in[@row@ * columns + @col@];\n" + depth +
             "d_out[@col@ * rows + @row@] = @value@;\n";
    case 2:
      return depth + "const size_t from = @row@ * columns + @col@;\n" + depth +
             "const size_t to = @col@ * rows + @row@;\n" + depth + "d_out[to] = d_in[from];\n";
    case 3:
      return depth + "const T* source = d_in + @row@ * columns;\n" + depth +
             "d_out[@col@ * rows + @row@] = source[@col@];\n";
    default:
      return depth + "T* target = &d_out[@col@ * rows];\n" + depth +
             "target[@row@] = *(d_in + @row@ * columns + @col@);\n";
  }
}

// Moves one element if it is there.
std::string Store(size_t guard, bool helper, Random* random) {
  if (guard == 0) return "  if (@row@ < rows && @col@ < columns) {\n" + MoveText(helper, "    ", random) + "  }\n";
  if (guard == 1) {
    return "  if (@row@ >= rows) return;\n  if (@col@ >= columns) return;\n" + MoveText(helper, "  ", random);
  }
  return "  const bool inside = !(@row@ >= rows) && !(@col@ >= columns);\n  if (inside) {\n" +
         MoveText(helper, "    ", random) + "  }\n";
}

std::string Ceiling(size_t which, const std::string& what, const std::string& by) {
  if (which == 0) return "(" + what + " + " + by + " - 1) / " + by;
  if (which == 1) return what + " / " + by + " + (" + what + " % " + by + " != 0 ? 1 : 0)";
  return "@ceil@(" + what + ", " + by + ")";
}

// The bodies of the kernel and of the launch for one way to number the elements.
struct Numbering {
  std::string kernel, launch;
};

// The launch with `grid` blocks of `block` threads, in one of several ways.
std::string Launch(const std::string& grid, const std::string& block, Random* random) {
  const std::string arguments = "(d_in, d_out, rows, columns);\n";
  switch (Draw(4, random)) {
    case 0:
      return "  @kernel@<<<" + grid + ", " + block + ", 0, stream>>>" + arguments;
    case 1:
      return "  dim3 grid(" + grid + ");\n  dim3 block(" + block + ");\n  @kernel@<<<grid, block, 0, stream>>>" +
             arguments;
    case 2:
      return "  auto shape = dim3(" + block + ");\n  @kernel@<<<dim3(" + grid + "), shape, 0, stream>>>" + arguments;
    default:
      return "  dim3 grid = " + (grid.starts_with("dim3") ? grid : "dim3(" + grid + ")") + ";\n  @kernel@<T><<<grid, " +
             block + ", 0, stream>>>" + arguments;
  }
}

Numbering Tiles(size_t ceiling, const std::string& store, Random* random) {
  const std::string row = "  const size_t @row@ = blockIdx.x / @across@ * 16 + threadIdx.y;\n";
  const std::string column = "  const size_t @col@ = blockIdx.x % @across@ * 16 + threadIdx.x;\n";
  const std::string across = "  const size_t @across@ = " + Ceiling(ceiling, "columns", "size_t{16}") + ";\n";
  const std::string down = "  const size_t @down@ = " + Ceiling(ceiling, "rows", "size_t{16}") + ";\n";
  const bool swapped = Draw(2, random) == 0;
  return {"  const size_t @across@ = " + Ceiling(ceiling == 2 ? Draw(2, random) : ceiling, "columns", "16") + ";\n" +
              (swapped ? column + row : row + column) + store,
          (swapped ? down + across : across + down) +
              Launch("static_cast<unsigned>(@across@ * @down@)", "dim3(16, 16)", random)};
}

Numbering FewBlocks(size_t ceiling, bool helper, Random* random) {
  const std::string begin = "size_t{blockIdx.x} * blockDim.x + threadIdx.x";
  const std::string step = "size_t{gridDim.x} * blockDim.x";
  const std::string body = "    const size_t @row@ = @index@ / columns;\n    const size_t @col@ = " +
                           OneOf({"@index@ - @row@ * columns", "@index@ % columns"}, random) + ";\n" +
                           MoveText(helper, "    ", random);
  const std::string loop = Draw(2, random) == 0
                               ? "  const size_t @step@ = " + step + ";\n  for (size_t @index@ = " + begin +
                                     "; @index@ < @total@; @index@ += @step@) {\n" + body + "  }\n"
                               : "  size_t @index@ = " + begin + ";\n  while (@index@ < @total@) {\n" + body +
                                     "    @index@ += " + step + ";\n  }\n";
  const std::string most = Draw(2, random) == 0 ? "  if (@blocks@ > 4096) @blocks@ = 4096;\n"
                                                : "  @blocks@ = @blocks@ > 4096 ? 4096 : @blocks@;\n";
  return {"  const size_t @total@ = rows * columns;\n" + loop,
          "  const size_t @total@ = rows * columns;\n  const size_t @threads@ = 128;\n  size_t @blocks@ = " +
              Ceiling(ceiling, "@total@", "@threads@") + ";\n" + most +
              Launch("static_cast<unsigned>(@blocks@)", "static_cast<unsigned>(@threads@)", random)};
}

Numbering OneLine(size_t ceiling, const std::string& store, Random* random) {
  const std::string index =
      OneOf({"  size_t @index@ = blockIdx.x;\n  @index@ *= blockDim.x;\n  @index@ += threadIdx.x;\n",
             "  const size_t @index@ = size_t{blockIdx.x} * blockDim.x + threadIdx.x;\n",
             "  auto @index@ = threadIdx.x + blockIdx.x * (size_t)256;\n"},
            random);
  const std::string place =
      OneOf({"  size_t @row@ = @index@ / columns, @col@ = @index@ % columns;\n",
             "  const size_t @row@ = @index@ / columns;\n  const size_t @col@ = @index@ % columns;\n",
             "  size_t @col@ = @index@ % columns;\n  size_t @row@ = (@index@ - @col@) / columns;\n"},
            random);
  return {index + place + store,
          "  constexpr unsigned @threads@ = 256;\n  const auto @blocks@ = static_cast<unsigned>(" +
              Ceiling(ceiling, "(rows * columns)", "size_t{@threads@}") + ");\n" +
              Launch("@blocks@", "@threads@", random)};
}

Numbering BlocksBothWays(size_t ceiling, bool helper, Random* random) {
  const std::string inside = Draw(2, random) == 0 ? "    if (@col@ < columns && @row@ < rows) {\n" +
                                                        MoveText(helper, "      ", random) + "    }\n"
                                                  : "    if (@col@ >= columns) continue;\n    if (@row@ < rows) {\n" +
                                                        MoveText(helper, "      ", random) + "    }\n";
  const std::string threads = OneOf({"dim3(32, 4)", "dim3(32, 4, 1)"}, random);
  const std::string fewer =
      OneOf({"  while (@down@ > 1000) @down@ /= 2;\n", "  if (@down@ > 1000) {\n    @down@ = 1000;\n  }\n"}, random);
  return {
      "  size_t @col@ = threadIdx.x + blockDim.x * size_t{blockIdx.x};\n"
      "  for (size_t top = size_t{blockIdx.y} * blockDim.y; top < rows; top += size_t{gridDim.y} * blockDim.y) {\n"
      "    size_t @row@ = top + threadIdx.y;\n" +
          inside + "  }\n",
      "  size_t @down@ = " + Ceiling(ceiling, "rows", "size_t{4}") + ";\n" + fewer +
          "  size_t @across@ = " + Ceiling(ceiling, "columns", "size_t{32}") + ";\n" +
          Launch("dim3(static_cast<unsigned>(@across@), static_cast<unsigned>(@down@))", threads, random)};
}

// How the elements are numbered: square tiles along x, few blocks whose threads take one element after the other, a
// line of threads, or blocks along x and y.
Numbering NumberingOf(size_t numbering, size_t guard, size_t ceiling, bool helper, Random* random) {
  switch (numbering) {
    case 0:
      return Tiles(ceiling, Store(guard, helper, random), random);
    case 1:
      return FewBlocks(ceiling, helper, random);
    case 2:
      return OneLine(ceiling, Store(guard, helper, random), random);
    default:
      return BlocksBothWays(ceiling, helper, random);
  }
}

// How one author writes what all authors need: a type, a conversion, a comparison, a sum, a number that has a meaning.
std::string InOneStyle(std::string source, Random* random) {
  ReplaceAll("const size_t ", OneOf({"const size_t ", "size_t ", "const unsigned long ", "unsigned long "}, random),
             &source);
  ReplaceAll("static_cast<unsigned>(", OneOf({"static_cast<unsigned>(", "unsigned(", "(unsigned)("}, random), &source);
  if (Draw(2, random) == 0) source = std::regex_replace(source, std::regex(R"((@\w+@) < (\w+))"), "$2 > $1");
  if (Draw(2, random) == 0)
    source = std::regex_replace(source, std::regex(R"((\[?)(@\w+@ \* \w+) \+ (@\w+@))"), "$1$3 + $2");
  if (Draw(2, random) == 0) ReplaceAll("size_t{gridDim.x} * blockDim.x", "blockDim.x * size_t{gridDim.x}", &source);
  if (Draw(2, random) == 0) {
    ReplaceAll("size_t{blockIdx.x} * blockDim.x + threadIdx.x", "threadIdx.x + size_t{blockIdx.x} * blockDim.x",
               &source);
  }
  if (Draw(2, random) == 0) ReplaceAll(", 0, stream>>>", ", 0 /* no shared memory */, stream >>>", &source);
  if (Draw(2, random) == 0) {
    for (const char* number : {"16", "32", "128", "256", "4096"}) {
      const std::string name = std::string("kNumber") + number;
      const std::string with =
          std::regex_replace(source, std::regex(std::string("([^\\w.])") + number + "\\b"), "$1" + name);
      if (with == source) continue;
      source = with;
      const size_t end = source.find("\n\n") + 1;
      source.insert(end, "\nconstexpr int " + name + " = " + number + ";\n");
    }
  }
  return source;
}

std::string DrawComment(Random* random) {
  return "// " +
         OneOf({"This took me a whole evening.", "One element for each thread.", "See lecture 2, slide 14.",
                "I tried it with other sizes too.", "TODO: ask about this in the exercise class.",
                "The reads are in order, the writes are not."},
               random) +
         "\n";
}

const std::set<std::string>& KeptNames() {
  static const std::set<std::string> kKept = {"transpose", "T", "main", "stream", "lab2", "std"};
  return kKept;
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The names that `source` declares: behind a type, and before what may follow a declared name.
std::set<std::string> DeclaredNames(const std::string& source) {
  static const std::regex kDeclaration(
      R"(\b(?:size_t|int|unsigned|float|double|bool|auto|dim3|T|void)\s*[*&]?\s+\*?\s*([A-Za-z_]\w*)\s*(?=[=;,)(\[{]))");
  std::set<std::string> names;
  for (std::sregex_iterator it(source.begin(), source.end(), kDeclaration), end; it != end; ++it) {
    const std::string name = (*it)[1];
    if (KeptNames().count(name) == 0) names.insert(name);
  }
  return names;
}

bool HasWord(const std::string& text, const std::string& word) {
  return std::regex_search(text, std::regex("\\b" + word + "\\b"));
}

// Lets two declarations in a row change places where the second does not use the first.
void SwapDeclarations(std::vector<std::string>* lines) {
  static const std::regex kDeclaration(R"(\s*const (?:size_t|int|unsigned|auto) ([A-Za-z_]\w*) = [^;{]*;\s*)");
  for (size_t i = 0; i + 1 < lines->size(); ++i) {
    std::smatch first, second;
    if (!std::regex_match((*lines)[i], first, kDeclaration)) continue;
    if (!std::regex_match((*lines)[i + 1], second, kDeclaration)) continue;
    if (HasWord((*lines)[i + 1], first[1])) continue;
    std::swap((*lines)[i], (*lines)[i + 1]);
    ++i;
  }
}

}  // namespace

size_t Draw(size_t count, Random* random) { return (*random)() % count; }

size_t CountOfOwnWords() { return kNumberings * kGuards * kCeilings * kHelpers; }

std::string OwnWords(size_t which, Random* random) {
  const size_t numbering = which % kNumberings, guard = which / kNumberings % kGuards;
  const size_t ceiling = which / (kNumberings * kGuards) % kCeilings;
  const bool helper = which / (kNumberings * kGuards * kCeilings) == 1;
  const Numbering parts = NumberingOf(numbering, guard, ceiling, helper, random);
  std::string source = DrawComment(random) + "#include \"labs/lab2/lab2.h\"\n\n";
  if (ceiling == 2) {
    source +=
        "static size_t @ceil@(size_t number, size_t of) {\n  size_t whole = number / of;\n"
        "  if (whole * of < number) ++whole;\n  return whole;\n}\n\n";
  }
  if (helper) {
    source += "template <typename T>\n" +
              OneOf({"__device__ void", "__device__ inline void", "static __device__ void"}, random) +
              " @move@(const T* from, T* to, size_t a, size_t b, size_t height, size_t width) {\n" +
              OneOf({"  T @value@ = from[a * width + b];\n  to[b * height + a] = @value@;\n",
                     "  to[b * height + a] = from[a * width + b];\n",
                     "  const T* line = from + a * width;\n  T* column = to + b * height;\n  column[a] = line[b];\n"},
                    random) +
              "}\n\n";
  }
  source +=
      DrawComment(random) +
      "template <typename T>\n__global__ void @kernel@(const T* d_in, T* d_out, size_t rows, size_t columns) {\n" +
      parts.kernel + "}\n\n" + DrawComment(random) +
      "template <typename T>\nvoid transpose(const T* d_in, T* d_out, size_t rows, size_t columns, "
      "cudaStream_t stream) {\n" +
      OneOf({"  if (rows == 0 || columns == 0) return;\n", "  if (rows * columns == 0) {\n    return;\n  }\n",
             "  if (!rows || !columns) return;  // nothing to do\n"},
            random) +
      parts.launch + "}\n\nLAB2_INSTANTIATE();\n";
  source = InOneStyle(source, random);
  for (const auto& [hole, name] : DrawNames(random)) ReplaceAll(hole, name, &source);
  return source;
}

std::string Disguised(const std::string& source, Random* random) {
  std::string text = std::regex_replace(source, std::regex("//[^\n]*"), "");
  std::set<std::string> taken = DeclaredNames(text);
  for (const std::string& name : DeclaredNames(text)) {
    std::string other;
    do {
      other = OneOf({"my", "the", "cur", "loc", "aux", "k"}, random) +
              OneOf({"Row", "Col", "Elem", "Num", "Pos", "Part", "Val"}, random) +
              std::to_string(Draw(90, random) + 10);
    } while (!taken.insert(other).second);
    // Not behind "." or "::", where it is somebody else's name.
    text = std::regex_replace(text, std::regex("(^|[^.:\\w])" + name + "\\b"), "$1" + other);
  }
  std::vector<std::string> lines = LinesOf(text);
  SwapDeclarations(&lines);
  std::string disguised = DrawComment(random);
  for (const std::string& line : lines) {
    if (line.find_first_not_of(' ') == std::string::npos) continue;
    disguised += line + "\n";
    if (line.ends_with(";") && Draw(4, random) == 0) disguised += "  " + DrawComment(random);
  }
  return disguised;
}

}  // namespace warpgrade::classes
