// Asks the desktop's programs and files whether it is light or dark.
#include "session/desktop.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/files.h"

namespace attn {
namespace {

constexpr const char* kAskPortal =
    "gdbus call --session --timeout 1 --dest org.freedesktop.portal.Desktop"
    " --object-path /org/freedesktop/portal/desktop"
    " --method org.freedesktop.portal.Settings.Read"
    " org.freedesktop.appearance color-scheme 2>/dev/null";

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Without a session bus gdbus would start one.
std::string answer_of_portal() {
  if (setting("DBUS_SESSION_BUS_ADDRESS").empty()) return "";
  std::FILE* pipe = ::popen(kAskPortal, "re");  // NOLINT(cert-env33-c): a fixed command
  if (pipe == nullptr) return "";
  std::string answer(200, '\0');
  answer.resize(std::fread(answer.data(), 1, answer.size(), pipe));
  ::pclose(pipe);
  return answer;
}

}  // namespace

std::optional<ThemeKind> theme_in(std::string_view text) {
  std::string lines(text);
  std::ranges::transform(lines, lines.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::erase(lines, ' ');
  const auto has = [&](const char* words) { return lines.find(words) != std::string::npos; };
  if (has("uint321") || has("prefer-dark-theme=1") || has("prefer-dark-theme=true")) {
    return ThemeKind::Dark;
  }
  if (has("uint322")) return ThemeKind::Light;
  for (const char* key : {"gtk-theme-name=", "\ncolorscheme="}) {
    const std::size_t at = lines.find(key);
    if (at == std::string::npos) continue;
    const std::string line = lines.substr(at, lines.find('\n', at + 1) - at);
    return line.find("dark") == std::string::npos ? ThemeKind::Light : ThemeKind::Dark;
  }
  return std::nullopt;
}

ThemeKind theme_of_desktop() {
  const std::string named = setting("GTK_THEME"), config = setting("XDG_CONFIG_HOME");
  if (!named.empty()) return *theme_in("gtk-theme-name=" + named);
  if (const auto theme = theme_in(answer_of_portal())) return *theme;
  const std::string folder = config.empty() ? setting("HOME") + "/.config" : config;
  for (const char* file : {"/gtk-4.0/settings.ini", "/gtk-3.0/settings.ini", "/kdeglobals"}) {
    const Result<std::string> text = read_regular_file(folder + file, 1U << 20U);
    if (const auto theme = text ? theme_in(*text) : std::nullopt) return *theme;
  }
  return ThemeKind::Dark;
}

}  // namespace attn
