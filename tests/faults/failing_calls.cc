// A library for LD_PRELOAD. It makes one system call of the grader and of its judges fail:
//
//   WARPGRADE_FAIL=CALL:ERRNO    which one
//   WARPGRADE_FAIL_IN=PATH       a folder; each call that may fail takes one file of it away, and fails if it got one
//   WARPGRADE_FAIL_ONLY=judge    only in processes for `judge-rung`
//
// Workers and compilers have an environment of their own, so they are not affected. failing_calls_test.cc uses it.
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

namespace {

bool IsMeant() {
  if (std::getenv("WARPGRADE_FAIL_ONLY") == nullptr) return true;
  std::ifstream file("/proc/self/cmdline");
  const std::string arguments((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return arguments.find("judge-rung") != std::string::npos;
}

// Of several processes and threads, each file makes one call fail.
bool TakeTicket() {
  const char* const folder = std::getenv("WARPGRADE_FAIL_IN");
  DIR* const tickets = folder == nullptr ? nullptr : opendir(folder);
  if (tickets == nullptr) return false;
  bool taken = false;
  while (const dirent* const entry = taken ? nullptr : readdir(tickets)) {
    taken = unlink((std::string(folder) + "/" + entry->d_name).c_str()) == 0;
  }
  closedir(tickets);
  return taken;
}

// 0, or the errno with which this call is to fail.
int Failure(const char* call) {
  const char* const wanted = std::getenv("WARPGRADE_FAIL");
  const size_t length = std::strlen(call);
  if (wanted == nullptr || std::strncmp(wanted, call, length) != 0 || wanted[length] != ':') return 0;
  return IsMeant() && TakeTicket() ? std::atoi(wanted + length + 1) : 0;
}

// Sets errno, too.
bool Fails(const char* call) {
  const int failure = Failure(call);
  if (failure != 0) errno = failure;
  return failure != 0;
}

// The C library's own function of this name.
template <typename Function>
Function* Real(Function* /*like*/, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int memfd_create(const char* name, unsigned int flags) noexcept {
  return Fails("memfd_create") ? -1 : Real(&memfd_create, "memfd_create")(name, flags);
}

int socketpair(int domain, int type, int protocol, int fds[2]) noexcept {
  return Fails("socketpair") ? -1 : Real(&socketpair, "socketpair")(domain, type, protocol, fds);
}

int pipe2(int fds[2], int flags) noexcept { return Fails("pipe2") ? -1 : Real(&pipe2, "pipe2")(fds, flags); }

ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  return Fails("sendmsg") ? -1 : Real(&sendmsg, "sendmsg")(fd, message, flags);
}

ssize_t send(int fd, const void* bytes, size_t count, int flags) {
  return Fails("send") ? -1 : Real(&send, "send")(fd, bytes, count, flags);
}

ssize_t pwrite(int fd, const void* bytes, size_t count, off_t at) {
  return Fails("pwrite") ? -1 : Real(&pwrite, "pwrite")(fd, bytes, count, at);
}

int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* how,
                char* const arguments[], char* const environment[]) {
  const int failure = Failure("posix_spawn");
  return failure != 0 ? failure : Real(&posix_spawn, "posix_spawn")(pid, path, actions, how, arguments, environment);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*body)(void*), void* argument) noexcept {
  const int failure = Failure("pthread_create");
  return failure != 0 ? failure : Real(&pthread_create, "pthread_create")(thread, how, body, argument);
}

}  // extern "C"
