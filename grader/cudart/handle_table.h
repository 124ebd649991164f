// Objects that the program knows by a handle: the handle is the object's address, and only live ones are found.
#pragma once

#include <memory>
#include <unordered_map>
#include <utility>

namespace warpgrade::cudart {

// `Handle` is a pointer type of CUDA's API, such as cudaEvent_t. Thread-compatible. References to objects stay valid
// until the object is removed.
template <typename Handle, typename Object>
class HandleTable {
 public:
  static Handle HandleOf(const Object* object) { return reinterpret_cast<Handle>(const_cast<Object*>(object)); }

  Handle Add(std::unique_ptr<Object> object) {
    const Handle handle = HandleOf(object.get());
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  // nullptr: the handle is not live.
  Object* Find(Handle handle) const {
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second.get();
  }
  // False: the handle is not live.
  bool Remove(Handle handle) { return objects_.erase(handle) == 1; }
  void Clear() { objects_.clear(); }
  size_t size() const { return objects_.size(); }

  auto begin() const { return objects_.begin(); }
  auto end() const { return objects_.end(); }

 private:
  std::unordered_map<Handle, std::unique_ptr<Object>> objects_;
};

}  // namespace warpgrade::cudart
