// The daemons are our children. We also adopt what they leave behind, such as a slurmstepd whose slurmd is gone, so
// that we find all of it at the end. If this process is killed, cluster_main.cc ends them.
#include "tests/slurm/cluster.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "grader/sandbox/process_tree.h"

namespace warpgrade::slurm {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kLongestStart{120};
constexpr std::chrono::milliseconds kNap{50};
constexpr size_t kMostProcesses = 10'000;

// Daemons lie in /usr/sbin, which is not on everybody's PATH.
std::string Find(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(std::string(path == nullptr ? "" : path) + ":/usr/sbin:/usr/local/sbin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/" + name).c_str(), X_OK) == 0) return folder + "/" + name;
  }
  return "";
}

std::vector<int> FreePorts(size_t count) {
  std::vector<int> ports, sockets;
  for (size_t i = 0; i < count; ++i) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (fd < 0 || bind(fd, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
        getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
      throw std::runtime_error(std::string("no free port: ") + std::strerror(errno));
    }
    ports.push_back(ntohs(address.sin_port));
    sockets.push_back(fd);
  }
  for (const int fd : sockets) close(fd);
  return ports;
}

std::string UserName() {
  const passwd* const user = getpwuid(geteuid());
  return user == nullptr ? "" : user->pw_name;
}

std::string HostName() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return std::string(name).substr(0, std::string(name).find('.'));
}

bool CanMakeMounts() {
  return geteuid() == 0 && RunProgram({"unshare", "--mount", "sh", "-c", "mount -t tmpfs none /mnt"}).exit_code == 0;
}

bool RunsOn(pid_t pid, const std::string& node) {
  const std::string environment = ReadText("/proc/" + std::to_string(pid) + "/environ");
  return environment.find("SLURMD_NODENAME=" + node + std::string(1, '\0')) != std::string::npos;
}

pid_t ParentOf(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("PPid:")) return std::stoi(line.substr(5));
  }
  return 0;
}

}  // namespace

std::string Cluster::WhatIsMissing() {
  for (const char* name : {"slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo", "munged"}) {
    if (Find(name).empty()) return std::string("no ") + name;
  }
  return UserName().empty() ? "no name for this user, which Slurm wants" : "";
}

Cluster::Cluster(const std::string& hidden) : hidden_(hidden), has_node_apart_(CanMakeMounts()) {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  WriteConfiguration();
  std::ofstream key(folder_.Path("key"), std::ios::binary);
  std::random_device random;
  for (int i = 0; i < 1024; ++i) key.put(static_cast<char>(random()));
  key.close();
  fs::permissions(folder_.Path("key"), fs::perms::owner_read);
  for (const char* name : {"state", "munge"}) fs::create_directories(folder_.Path(name));
  // munged wants a socket that all users can reach.
  fs::permissions(folder_.Path(""), fs::perms::group_exec | fs::perms::others_exec, fs::perm_options::add);
  daemons_["munged"] =
      Start("munged", {Find("munged"), "--force", "--foreground", "--socket=" + folder_.Path("munge/socket"),
                       "--key-file=" + folder_.Path("key"), "--pid-file=" + folder_.Path("munge/pid"),
                       "--log-file=" + folder_.Path("munge/log"), "--seed-file=" + folder_.Path("munge/seed")});
  const Clock::time_point deadline = Clock::now() + kLongestStart;
  while (!fs::exists(folder_.Path("munge/socket")) && Clock::now() < deadline) std::this_thread::sleep_for(kNap);
  if (!fs::exists(folder_.Path("munge/socket"))) throw std::runtime_error("munged does not start\n" + Logs());
  StartController();
  std::vector<std::string> nodes = {"n1", "n2"};
  if (has_node_apart_) nodes.emplace_back("n3");
  for (const std::string& node : nodes) StartNode(node);
  WaitForNodes(nodes);
}

Cluster::~Cluster() {
  const Clock::time_point deadline = Clock::now() + kLongestStart;
  while (Clock::now() < deadline) {
    sandbox::KillDescendantsOf(getpid());
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    if (sandbox::DescendantsOf(getpid(), kMostProcesses).empty()) break;
    std::this_thread::sleep_for(kNap);
  }
}

void Cluster::WriteConfiguration() {
  const std::vector<int> ports = FreePorts(4);
  const std::string host = HostName(), user = UserName();
  std::ostringstream text;
  text << "ClusterName=test\n"
       << "SlurmctldHost=" << host << "(127.0.0.1)\n"
       << "SlurmctldPort=" << ports[0] << "\n"
       << "SlurmUser=" << user << "\nSlurmdUser=" << user << "\n"
       << "AuthType=auth/munge\nCryptoType=crypto/munge\nAuthInfo=socket=" << folder_.Path("munge/socket") << "\n"
       << "StateSaveLocation=" << folder_.Path("state") << "\n"
       << "SlurmdSpoolDir=" << folder_.Path("spool-%n") << "\n"
       << "SlurmctldPidFile=" << folder_.Path("slurmctld.pid") << "\n"
       << "SlurmdPidFile=" << folder_.Path("slurmd-%n.pid") << "\n"
       << "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
       << "SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n"
       << "SwitchType=switch/none\nMpiDefault=none\nJobAcctGatherType=jobacct_gather/none\n"
       << "AccountingStorageType=accounting_storage/none\nJobCompType=jobcomp/none\n"
       << "SchedulerType=sched/backfill\nSchedulerParameters=sched_interval=1,bf_interval=1\n"
       << "ReturnToService=2\nSlurmdTimeout=5\nKillWait=1\nInactiveLimit=0\nMinJobAge=300\n";
  for (int node = 1; node <= 3; ++node) {
    text << "NodeName=n" << node << " NodeHostname=" << host
         << " NodeAddr=127.0.0.1 Port=" << ports[static_cast<size_t>(node)] << " CPUs=1 State=UNKNOWN\n";
  }
  text << "PartitionName=both Nodes=n1,n2 Default=YES MaxTime=60 State=UP\n"
       << "PartitionName=apart Nodes=n3 MaxTime=60 State=UP\n";
  configuration_ = folder_.Write("slurm.conf", text.str());
}

pid_t Cluster::Start(const std::string& name, const std::vector<std::string>& command) {
  const std::string log = folder_.Path(name + ".log");
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const std::string variable = "SLURM_CONF=" + configuration_;
  const pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int fd = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(open("/dev/null", O_RDONLY), 0);
    dup2(fd, 1);
    dup2(fd, 2);
    putenv(const_cast<char*>(variable.c_str()));
    execv(words[0], words.data());
    _exit(127);
  }
  return pid;
}

void Cluster::StartController() {
  daemons_["slurmctld"] = Start("slurmctld", {Find("slurmctld"), "-D", "-f", configuration_});
}

void Cluster::StopController() {
  kill(daemons_["slurmctld"], SIGTERM);  // it saves its state, as in every restart
  waitpid(daemons_["slurmctld"], nullptr, 0);
}

void Cluster::StartNode(const std::string& node) {
  fs::create_directories(folder_.Path("spool-" + node));
  std::vector<std::string> command = {Find("slurmd"), "-D", "-N", node, "-f", configuration_};
  if (node == "n3") {
    const std::vector<std::string> apart = {
        Find("unshare"), "--mount", "sh", "-c", "mount -t tmpfs none \"$0\" && exec \"$@\"", hidden_};
    command.insert(command.begin(), apart.begin(), apart.end());
  }
  daemons_[node] = Start(node, command);
}

void Cluster::KillNode(const std::string& node) {
  // All stop before one is killed. Otherwise the node could still say that a task of it was killed.
  std::set<pid_t> stopped = {daemons_[node]};
  kill(daemons_[node], SIGSTOP);
  for (bool found = true; found;) {
    found = false;
    for (const sandbox::ProcessInfo& info : sandbox::DescendantsOf(getpid(), kMostProcesses)) {
      const pid_t parent = ParentOf(info.pid);
      // A student's program does not have the environment of its task, but it is below a process that has.
      if (!RunsOn(info.pid, node) && !stopped.contains(parent)) continue;
      if (parent != getpid() && ReadText("/proc/" + std::to_string(parent) + "/comm").starts_with("slurmstepd") &&
          stopped.insert(parent).second) {
        kill(parent, SIGSTOP);
      }
      if (!stopped.insert(info.pid).second) continue;
      kill(info.pid, SIGSTOP);
      found = true;
    }
  }
  for (const pid_t pid : stopped) kill(pid, SIGKILL);
  waitpid(daemons_[node], nullptr, 0);
}

void Cluster::WaitForNodes(const std::vector<std::string>& nodes) {
  const Clock::time_point deadline = Clock::now() + kLongestStart;
  for (const std::string& node : nodes) {
    while (RunProgram({"sinfo", "--noheader", "--nodes=" + node, "--format=%t"}, Environment()).out.find("idle") != 0) {
      if (Clock::now() > deadline) throw std::runtime_error("node " + node + " is not idle\n" + Logs());
      std::this_thread::sleep_for(kNap);
    }
  }
}

std::vector<std::string> Cluster::Environment() const { return {"SLURM_CONF=" + configuration_}; }

std::vector<std::string> Cluster::Queue(const std::string& format) const {
  std::istringstream text(
      RunProgram({"squeue", "--noheader", "--array", "--states=all", "--format=" + format}, Environment()).out);
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::string Cluster::Logs() const {
  std::string logs;
  for (const auto& [name, pid] : daemons_) logs += name + ":\n" + ReadText(folder_.Path(name + ".log")) + "\n";
  return logs;
}

}  // namespace warpgrade::slurm
