// The list of loaders, and the loader of JSON.
#include "document/load/loader.h"

#include <algorithm>

#include "document/load/npy_document.h"

namespace attn {
namespace {

constexpr std::string_view kJsonEndings[] = {".json"};
constexpr std::string_view kNpyEndings[] = {".npy"};

bool looks_like_json(std::string_view start) {
  if (start.starts_with("\xEF\xBB\xBF")) start.remove_prefix(3);
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  return first != start.npos && (start[first] == '{' || start[first] == '[');
}

Reading read_json(const LoadSource& source, const ReadOptions& options) {
  Reading reading = read_document(*source.bytes, source.name, options);
  if (source.bytes->is_regular_file()) reading.report.version = source.bytes->version();
  return reading;
}

constexpr Loader kLoaders[] = {
    {"npy", "NumPy arrays", kNpyEndings, false, is_npy, read_npy_document},
    {"json", "JSON documents", kJsonEndings, true, looks_like_json, read_json},
};

}  // namespace

std::span<const Loader> all_loaders() { return kLoaders; }

bool has_ending(const Loader& loader, std::string_view name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::any_of(loader.endings, [&](std::string_view ending) {
    return name.size() >= ending.size() &&
           std::ranges::equal(name.substr(name.size() - ending.size()), ending, {}, lower);
  });
}

const Loader& loader_for(std::string_view start, std::string_view name) {
  for (const Loader& loader : kLoaders) {
    if (loader.sniff(start)) return loader;
  }
  for (const Loader& loader : kLoaders) {
    if (has_ending(loader, name)) return loader;
  }
  return kLoaders[std::size(kLoaders) - 1];
}

}  // namespace attn
