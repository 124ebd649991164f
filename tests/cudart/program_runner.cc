// Starts the program with our library first on its path. In kServed mode it also plays the judge: it answers the
// program's requests with a Server until the program ends, and returns what the device saw.
#include "tests/cudart/program_runner.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "grader/cudart/device/server.h"
#include "grader/poll_awake/poll_awake.h"

namespace warpgrade::cudart {
namespace {

std::string Contents(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

[[noreturn]] void Exec(const std::string& name, int device_fd, const std::string& output, const std::string& errors,
                       const std::vector<std::string>& environment) {
  dup2(open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
  dup2(open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
  setenv("LD_LIBRARY_PATH", LIBRARY_PATH, 1);
  if (device_fd >= 0) setenv("WARPGRADE_DEVICE_FD", std::to_string(device_fd).c_str(), 1);
  for (const std::string& entry : environment) putenv(strdup(entry.c_str()));
  alarm(120);
  const std::string path = std::string(PROGRAMS) + "/" + name;
  execl(path.c_str(), path.c_str(), nullptr);
  _exit(127);
}

// The judge's loop: poll, serve, until the program is gone.
void Serve(int fd, ProgramResult* result) {
  emulator::DeviceOptions options;
  options.host_threads = 2;
  options.print = [result](std::string_view text) { result->output += text; };
  emulator::Device device(options);
  Server server(device, fd);
  pollfd readable{server.fd(), POLLIN, 0};
  do {
    PollAwake(&readable, 1, -1);
  } while (server.ServeOne() != Server::Outcome::kClosed);
  server.AddMetrics(&result->metrics);
  result->findings = device.Findings();
  result->launches = device.Launches();
}

}  // namespace

ProgramResult RunProgram(const std::string& name, Mode mode, const std::vector<std::string>& environment) {
  const std::string output = testing::TempDir() + "/" + name + std::to_string(getpid()) + ".out";
  const std::string errors = testing::TempDir() + "/" + name + std::to_string(getpid()) + ".err";
  int fds[2] = {-1, -1};
  if (mode == Mode::kServed && socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    if (mode == Mode::kServed) close(fds[0]);
    Exec(name, fds[1], output, errors, environment);
  }
  ProgramResult result;
  if (mode == Mode::kServed) {
    close(fds[1]);
    Serve(fds[0], &result);
    close(fds[0]);
  }
  int status = 0;
  waitpid(child, &status, 0);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.output += Contents(output);
  result.errors = Contents(errors);
  unlink(output.c_str());
  unlink(errors.c_str());
  return result;
}

}  // namespace warpgrade::cudart
