// The state of each key and of each task. Tests: tests/slurm/rounds_test.cc.
#include "grader/slurm/rounds.h"

#include <algorithm>

namespace warpgrade::slurm {

Rounds::Rounds(const std::vector<std::string>& keys, Options options) : options_(std::move(options)) {
  for (const std::string& key : keys) {
    if (keys_.emplace(key, Key()).second) order_.push_back(key);
  }
}

void Rounds::Submitted(const Array& array) {
  Watched& watched = arrays_[array.number];
  watched.array = array;
  watched.tasks.resize(array.tasks.size());
  watched.ended.resize(array.tasks.size());
  for (size_t i = 0; i < array.tasks.size(); ++i) {
    watched.tasks[i].number = i;
    for (const std::string& name : array.tasks[i]) {
      const auto found = keys_.find(name);
      if (found == keys_.end() || found->second.state == Key::State::kDone) continue;
      Key& key = found->second;
      key.state = Key::State::kInTask;
      ++key.tries;
      key.array = array.number;
      key.task = i;
    }
  }
}

void Rounds::NeverSubmitted(int number) {
  arrays_.erase(number);
  for (auto& [name, key] : keys_) {
    if (key.state != Key::State::kInTask || key.array != number) continue;
    key.state = Key::State::kOpen;
    --key.tries;
  }
}

void Rounds::Saw(const std::vector<Task>& tasks, double now) {
  std::map<std::string, std::map<size_t, const Task*>> by_name;
  for (const Task& task : tasks) by_name[task.name][task.number] = &task;
  for (auto& [number, watched] : arrays_) {
    const auto known = by_name.find(watched.array.name);
    if (known != by_name.end()) watched.seen = true;
    for (size_t i = 0; i < watched.tasks.size(); ++i) {
      Task& task = watched.tasks[i];
      const Task* now_known = nullptr;
      if (known != by_name.end()) {
        const auto found = known->second.find(i);
        if (found != known->second.end()) now_known = found->second;
      }
      if (now_known != nullptr) {
        task = *now_known;
      } else {
        task.state = Task::State::kEnded;  // what it was when Slurm knew it stays known
      }
      if (task.state != Task::State::kEnded) {
        watched.ended[i].reset();
      } else if (!watched.ended[i]) {
        watched.ended[i] = now;
      }
    }
  }
}

void Rounds::Arrived(const std::string& name) {
  const auto found = keys_.find(name);
  if (found != keys_.end()) found->second.state = Key::State::kDone;
}

void Rounds::Failed(const std::string& name, const std::string& reason) {
  const auto found = keys_.find(name);
  if (found != keys_.end() && found->second.state == Key::State::kInTask) Lose(&found->second, reason, false);
}

void Rounds::Lose(Key* key, const std::string& reason, bool cancelled) {
  const bool again = !cancelled && key->tries < options_.tries;
  key->state = again ? Key::State::kOpen : Key::State::kGivenUp;
  key->reason = reason;
  ++losses_[reason];
}

void Rounds::LoseWhatEnded(double now) {
  for (auto& [name, key] : keys_) {
    if (key.state != Key::State::kInTask) continue;
    const Watched& watched = arrays_.at(key.array);
    const std::optional<double>& ended = watched.ended[key.task];
    if (!ended || now - *ended < kSettleSeconds) continue;
    const Task& task = watched.tasks[key.task];
    Lose(&key, options_.reason(watched.array, task), task.word == "CANCELLED");
  }
}

std::vector<std::vector<std::string>> Rounds::Open(double now) {
  LoseWhatEnded(now);
  std::vector<std::string> fresh, lost;
  for (const std::string& name : order_) {
    const Key& key = keys_.at(name);
    if (key.state == Key::State::kOpen) (key.tries == 0 ? fresh : lost).push_back(name);
  }
  std::vector<std::vector<std::string>> tasks;
  const size_t chunk = std::max(options_.chunk, (fresh.size() + kMostTasks - 1) / kMostTasks);
  for (size_t i = 0; i < fresh.size(); i += chunk) {
    tasks.emplace_back(fresh.begin() + static_cast<std::ptrdiff_t>(i),
                       fresh.begin() + static_cast<std::ptrdiff_t>(std::min(fresh.size(), i + chunk)));
  }
  for (std::string& name : lost) tasks.push_back({std::move(name)});
  if (tasks.size() > kMostTasks) tasks.resize(kMostTasks);  // the others are still open the next time
  return tasks;
}

Rounds::Counts Rounds::Count() const {
  Counts counts;
  for (const auto& [name, key] : keys_) {
    counts.done += key.state == Key::State::kDone ? 1 : 0;
    counts.lost += key.state == Key::State::kGivenUp ? 1 : 0;
  }
  for (const auto& [number, watched] : arrays_) {
    for (const Task& task : watched.tasks) {
      if (task.state == Task::State::kRunning) {
        ++counts.running;
        ++counts.on_node[task.node];
      } else if (task.state == Task::State::kWaiting) {
        ++counts.waiting;
        if (!task.why.empty()) counts.why_waiting = task.why;
      }
    }
  }
  return counts;
}

bool Rounds::done() const {
  return std::all_of(keys_.begin(), keys_.end(), [](const auto& one) {
    return one.second.state == Key::State::kDone || one.second.state == Key::State::kGivenUp;
  });
}

bool Rounds::WasSeen(int number) const {
  const auto found = arrays_.find(number);
  return found != arrays_.end() && found->second.seen;
}

std::vector<std::string> Rounds::Alive() const {
  std::vector<std::string> names;
  for (const auto& [number, watched] : arrays_) {
    if (std::any_of(watched.tasks.begin(), watched.tasks.end(),
                    [](const Task& task) { return task.state != Task::State::kEnded; })) {
      names.push_back(watched.array.name);
    }
  }
  return names;
}

std::vector<std::pair<std::string, std::string>> Rounds::GivenUp() const {
  std::vector<std::pair<std::string, std::string>> given_up;
  for (const std::string& name : order_) {
    const Key& key = keys_.at(name);
    if (key.state == Key::State::kGivenUp) given_up.emplace_back(name, key.reason);
  }
  return given_up;
}

std::map<std::string, size_t> Rounds::TakeNewLosses() { return std::exchange(losses_, {}); }

}  // namespace warpgrade::slurm
