// Chromium without a window, which runs a page and gives back what it made of it.
#include "support/browser.h"

#include <gtest/gtest.h>

#include "base/files.h"

namespace attn::test {

std::string browser() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (run_process({name, "--version"}).exit_code == 0) return name;
  }
  return "";
}

// Runs `script` after that of the page, which its policy would not let.
void put_with_script(const std::string& page, const std::string& script, const std::string& path) {
  std::string changed = page;
  const std::size_t policy = changed.find("<meta http-equiv"), end = changed.find('>', policy);
  changed.erase(policy, end - policy + 1);
  changed.insert(changed.rfind("</body>"), "<script>" + script + "</script>");
  ASSERT_TRUE(write_file_atomically(path, changed, Overwrite::Replace).ok());
}

ProcessResult browsed(const TemporaryFolder& folder, std::vector<std::string> words) {
  const std::vector<std::string> common = {browser(),
                                           "--headless",
                                           "--no-sandbox",
                                           "--disable-gpu",
                                           "--hide-scrollbars",
                                           "--window-size=1280,1400",
                                           "--virtual-time-budget=5000",
                                           "--user-data-dir=" + folder.file("profile")};
  words.insert(words.begin(), common.begin(), common.end());
  return run_process(words);
}

// The text of an element that a script has put at the end.
Json logged(const TemporaryFolder& folder, const std::string& url) {
  const std::string dom = browsed(folder, {"--dump-dom", url}).out;
  const std::size_t from = dom.find("<pre id=\"log\">"), start = from + 14;
  return from == dom.npos ? Json()
                          : Json::parse(dom.substr(start, dom.find("</pre>", start) - start));
}

}  // namespace attn::test
