// Loop over the events of one folder.
#include "base/folder_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>

#include <array>
#include <utility>

namespace attn {

std::unique_ptr<FolderWatch> FolderWatch::start(const std::string& folder, OnFile on_file) {
  Descriptor events(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  Descriptor end(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (events.get() < 0 || end.get() < 0) return nullptr;
  const int watch =
      ::inotify_add_watch(events.get(), folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR);
  if (watch < 0) return nullptr;
  return std::unique_ptr<FolderWatch>(
      new FolderWatch(folder, std::move(events), std::move(end), std::move(on_file)));
}

FolderWatch::FolderWatch(std::string folder, Descriptor events, Descriptor end, OnFile on_file)
    : folder_(std::move(folder)),
      events_(std::move(events)),
      end_(std::move(end)),
      on_file_(std::move(on_file)),
      thread_([this] { run(); }) {}

FolderWatch::~FolderWatch() {
  const std::uint64_t one = 1;
  write_all(end_.get(), {reinterpret_cast<const char*>(&one), sizeof one});
  thread_.join();
}

void FolderWatch::run() {
  std::array<pollfd, 2> waits{pollfd{events_.get(), POLLIN, 0}, pollfd{end_.get(), POLLIN, 0}};
  while (true) {
    const int ready = ::poll(waits.data(), waits.size(), -1);
    if (waits[1].revents != 0) return;
    if (ready < 0) continue;  // a signal
    if (!read_events()) return;
  }
}

bool FolderWatch::read_events() {
  alignas(inotify_event) std::array<char, 16384> buffer{};
  while (true) {
    const ssize_t size = ::read(events_.get(), buffer.data(), buffer.size());
    if (size <= 0) return size < 0;  // none are left
    for (const char* at = buffer.data(); at < buffer.data() + size;) {
      const auto* event = reinterpret_cast<const inotify_event*>(at);
      if ((event->mask & IN_IGNORED) != 0) return false;  // the folder is gone
      if (event->len > 0) on_file_(folder_ + "/" + event->name);
      at += sizeof(inotify_event) + event->len;
    }
  }
}

}  // namespace attn
