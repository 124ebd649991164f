// A small real cluster for tests: a munged, a slurmctld, and a slurmd for each node, all on this machine, with a
// folder, ports, a key and a socket of their own. Everything ends with the object, and when the test is killed.
//
//   n1, n2   partition "both": share all folders
//   n3       partition "apart": sees an empty folder where `hidden` is. Only root can make such a node
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace warpgrade::slurm {

class Cluster {
 public:
  // "" if this machine has what a cluster needs, else what is missing: "no slurmctld".
  static std::string WhatIsMissing();

  // Throws std::runtime_error, with the logs, if the nodes are not idle within two minutes.
  explicit Cluster(const std::string& hidden);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // The environment in which commands of Slurm find this cluster.
  std::vector<std::string> Environment() const;
  bool has_node_apart() const { return has_node_apart_; }

  // Kills the slurmd of a node and all that runs on it, as a loss of power would.
  void KillNode(const std::string& node);
  void StartNode(const std::string& node);
  void StopController();
  void StartController();
  // Waits until the nodes are idle.
  void WaitForNodes(const std::vector<std::string>& nodes);

  // What squeue prints for `format`, ended tasks included; one entry for each line.
  std::vector<std::string> Queue(const std::string& format) const;

 private:
  void WriteConfiguration();
  pid_t Start(const std::string& name, const std::vector<std::string>& command);
  std::string Logs() const;

  const TemporaryFolder folder_;
  std::string configuration_;
  std::string hidden_;
  bool has_node_apart_ = false;
  std::map<std::string, pid_t> daemons_;
};

}  // namespace warpgrade::slurm
