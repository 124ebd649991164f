// Runs the tests in a process of a PID namespace of its own, whose end is the end of all processes in it. So a test
// that is killed, even by SIGKILL, leaves no daemon, no task and no batch behind. Where the kernel forbids such
// namespaces, the tests run without one, and only a test that ends by itself cleans up.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iostream>
#include <string>

namespace {

// A user who is not root may make namespaces only in a user namespace. In it, everybody keeps their number.
bool MakeNamespaces() {
  if (unshare(CLONE_NEWPID | CLONE_NEWNS) == 0) return true;
  const std::string uid = std::to_string(geteuid()), gid = std::to_string(getegid());
  if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS) != 0) return false;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << uid << " " << uid << " 1";
  std::ofstream("/proc/self/gid_map") << gid << " " << gid << " 1";
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!MakeNamespaces()) return RUN_ALL_TESTS();
  const pid_t child = fork();
  if (child < 0) return 1;
  if (child > 0) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The processes of the namespace must have their own numbers in /proc.
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("proc", "/proc", "proc", 0, nullptr) != 0) {
    std::cerr << "cannot mount /proc in a namespace\n";
    return 1;
  }
  return RUN_ALL_TESTS();
}
