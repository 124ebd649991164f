// Finds out whether the emulator can run a program. It reads two parts of the ELF file: the dynamic section (which
// libraries) and the names of the sections (whether there are kernels). Every offset and count comes from the file, so
// each is checked. Tests: tests/cli/program_file_test.cc.
#include "grader/cli/program_file.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

namespace warpgrade::cli {
namespace {

constexpr std::string_view kHowToBuild =
    "nvcc -cudart shared -lineinfo -gencode arch=compute_75,code=compute_75 program.cu -o program";
constexpr size_t kMostEntries = 65536;  // of any table; a file with more is not read further

#if defined(__x86_64__)
constexpr Elf64_Half kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half kMachine = EM_AARCH64;
#endif

Error Unusable(const std::string& name, const std::string& why) {
  return {ErrorKind::kUsage, fmt::format("{}: cannot be run: {}", name, why)};
}

class File {
 public:
  explicit File(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool ok() const { return fd_ >= 0; }
  bool Read(uint64_t offset, void* to, size_t bytes) const {
    return pread(fd_, to, bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
  }
  template <typename T>
  std::vector<T> Table(uint64_t offset, size_t count) const {
    std::vector<T> table(std::min(count, kMostEntries));
    if (table.empty() || !Read(offset, table.data(), table.size() * sizeof(T))) table.clear();
    return table;
  }
  std::string Text(uint64_t offset) const {
    std::array<char, 256> text{};
    const ssize_t bytes = pread(fd_, text.data(), text.size() - 1, static_cast<off_t>(offset));
    return bytes <= 0 ? "" : std::string(text.data());
  }

 private:
  const int fd_;
};

// The offset in the file of the byte at `address` in the loaded program.
std::optional<uint64_t> FileOffset(const std::vector<Elf64_Phdr>& headers, uint64_t address) {
  for (const Elf64_Phdr& header : headers) {
    if (header.p_type == PT_LOAD && address >= header.p_vaddr && address - header.p_vaddr < header.p_filesz) {
      return header.p_offset + (address - header.p_vaddr);
    }
  }
  return std::nullopt;
}

void ReadDynamic(const File& file, const Elf64_Ehdr& elf, ProgramFile* program) {
  const auto headers = file.Table<Elf64_Phdr>(elf.e_phoff, elf.e_phnum);
  std::vector<Elf64_Dyn> entries;
  for (const Elf64_Phdr& header : headers) {
    if (header.p_type == PT_INTERP) program->loader = file.Text(header.p_offset);
    if (header.p_type != PT_DYNAMIC) continue;
    entries = file.Table<Elf64_Dyn>(header.p_offset, header.p_filesz / sizeof(Elf64_Dyn));
  }
  std::optional<uint64_t> names;
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_STRTAB) names = FileOffset(headers, entry.d_un.d_ptr);
  }
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_RPATH) program->has_rpath = true;
    if (entry.d_tag == DT_NEEDED && names) program->needed.push_back(file.Text(*names + entry.d_un.d_val));
  }
}

void ReadSections(const File& file, const Elf64_Ehdr& elf, ProgramFile* program) {
  const auto sections = file.Table<Elf64_Shdr>(elf.e_shoff, elf.e_shnum);
  if (elf.e_shstrndx >= sections.size()) return;
  const uint64_t names = sections[elf.e_shstrndx].sh_offset;
  for (const Elf64_Shdr& section : sections) {
    program->has_kernels = program->has_kernels || file.Text(names + section.sh_name) == ".nv_fatbin";
  }
}

// As execvp does.
std::string FindOnPath(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/bin:/usr/bin";
  while (true) {
    const size_t colon = rest.find(':');
    const std::string_view folder = rest.substr(0, colon);
    std::string candidate = fmt::format("{}/{}", folder.empty() ? "." : folder, name);
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    if (colon == std::string_view::npos) return name;
    rest.remove_prefix(colon + 1);
  }
}

bool StartsWith(const std::string& text, std::string_view prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

// Whether a library calls the driver below the CUDA runtime. The prefix "libnv" alone would match too many libraries.
bool IsDriversOwn(const std::string& library) {
  for (const char* prefix : {"libcublas", "libcudnn", "libcufft", "libcurand", "libcusolver", "libcusparse", "libnccl",
                             "libnpp", "libnvrtc", "libnvJitLink", "libnvjpeg", "libcufile", "libcuda.so"}) {
    if (StartsWith(library, prefix)) return true;
  }
  return false;
}

}  // namespace

Result<ProgramFile> ReadProgram(const std::string& name) {
  ProgramFile program;
  program.path = FindOnPath(name);
  struct stat status {};
  if (stat(program.path.c_str(), &status) != 0) return Unusable(name, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) return Unusable(name, "it is a folder; name the program in it");
  if (StartsWith(std::filesystem::path(name).extension().string(), ".cu")) {
    return Unusable(name, fmt::format("it is a source file; compile it first: {}", kHowToBuild));
  }
  if (access(program.path.c_str(), X_OK) != 0) {
    return Unusable(name, "it is not executable; name the program that nvcc made, or run chmod +x on it");
  }
  const File file(program.path);
  Elf64_Ehdr elf{};
  // A program that may be run but not read is accepted, because nothing is known about it.
  if (!file.ok() || !file.Read(0, &elf, 2)) return program;
  if (std::memcmp(elf.e_ident, "#!", 2) == 0) return program;
  if (!file.Read(0, &elf, sizeof(elf)) || std::memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0) {
    return Unusable(name, "it is neither a program (ELF) nor a script that starts with #!");
  }
  if (elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_machine != kMachine) {
    return Unusable(name, "it is built for another machine; compile it here");
  }
  if (elf.e_type != ET_EXEC && elf.e_type != ET_DYN) {
    return Unusable(name, "it is an object file; link it into a program with nvcc -cudart shared");
  }
  program.is_elf = true;
  if (elf.e_phentsize == sizeof(Elf64_Phdr)) ReadDynamic(file, elf, &program);
  if (elf.e_shentsize == sizeof(Elf64_Shdr)) ReadSections(file, elf, &program);
  return program;
}

bool NeedsCudart(const ProgramFile& program) {
  return std::find(program.needed.begin(), program.needed.end(), "libcudart.so.13") != program.needed.end();
}

Status CheckRunsEmulated(const ProgramFile& program) {
  for (const std::string& library : program.needed) {
    if (IsDriversOwn(library)) {
      return Unusable(program.path,
                      fmt::format("it is linked with {}, which needs NVIDIA's driver and is not emulated; use --device "
                                  "gpu, or replace the library by kernels of your own",
                                  library));
    }
    if (StartsWith(library, "libcudart.so.") && library != "libcudart.so.13") {
      return Unusable(program.path, fmt::format("it is linked with {}, but the emulator replaces libcudart.so.13; "
                                                "compile it with nvcc 13: {}",
                                                library, kHowToBuild));
    }
  }
  if (program.has_kernels && !NeedsCudart(program)) {
    return Unusable(program.path, fmt::format("the CUDA runtime is linked into it, so the emulator cannot replace "
                                              "the runtime; compile it with -cudart shared: {}",
                                              kHowToBuild));
  }
  if (program.has_rpath && NeedsCudart(program)) {
    return Unusable(
        program.path,
        "it has an RPATH, so the loader may choose NVIDIA's runtime instead of the emulator; link it without "
        "-Wl,-rpath, or with -Wl,--enable-new-dtags");
  }
  return {};
}

}  // namespace warpgrade::cli
