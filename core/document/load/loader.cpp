// The list of loaders, and the loader of JSON.
#include "document/load/loader.h"

#include <algorithm>

#include "base/files.h"
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

Result<std::string> text_of(const LoadSource& source, const ReadOptions& options) {
  if (source.bytes) return *source.bytes;
  return read_file(source.name, options.memory_limit_bytes);
}

Result<ReadReport> read_json(const LoadSource& source, const ReadOptions& options) {
  const Result<std::string> text = text_of(source, options);
  if (!text) return text.error();
  Result<ReadReport> report = read_document(*text, source.name, options);
  if (report && !source.bytes) report->version = version_of(*text);
  return report;
}

std::vector<Error> check_json(const LoadSource& source, const ReadOptions& options) {
  const Result<std::string> text = text_of(source, options);
  if (!text) return {text.error()};
  return validate_document(*text, source.name, options);
}

std::vector<Error> check_npy(const LoadSource& source, const ReadOptions& options) {
  const Result<ReadReport> report = read_npy_document(source, options);
  return report ? std::vector<Error>() : std::vector<Error>{report.error()};
}

constexpr Loader kLoaders[] = {
    {"npy", "NumPy arrays", kNpyEndings, false, is_npy, read_npy_document, check_npy},
    {"json", "JSON documents", kJsonEndings, true, looks_like_json, read_json, check_json},
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
