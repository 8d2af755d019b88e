// Notices of files that other programs finish writing in a folder (inotify).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "base/descriptor.h"

namespace attn {

// Calls `on_file(path)`, on its own thread until it is destroyed, for every file of the folder that
// was closed after writing or moved there.
class FolderWatch {
 public:
  using OnFile = std::function<void(const std::string& path)>;

  // Null if the folder does not exist, or the system cannot watch more folders.
  static std::unique_ptr<FolderWatch> start(const std::string& folder, OnFile on_file);
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

 private:
  FolderWatch(std::string folder, Descriptor events, Descriptor end, OnFile on_file);
  void run();
  bool read_events();

  std::string folder_;
  Descriptor events_, end_;
  OnFile on_file_;
  std::thread thread_;
};

}  // namespace attn
