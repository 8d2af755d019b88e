// Knows the folders of the build that the tests belong to.
#include "support/paths.h"

namespace attn::test {

std::string source_folder() { return ATTNSCOPE_SOURCE_DIR; }
std::vector<std::string> guide_pages() {
  std::vector<std::string> pages;
  for (const char* page :
       {"GUIDE.md", "guide/window.md", "guide/lessons.md", "guide/command-line.md",
        "guide/documents.md", "guide/files.md", "guide/plots.md", "guide/stages.md",
        "DOCUMENT_KEYS.md", "guide/onnx.md"}) {
    pages.push_back(source_folder() + "/docs/" + page);
  }
  return pages;
}
std::string program_path() { return ATTNSCOPE_PROGRAM; }
std::string shared_folder() { return ATTNSCOPE_SHARED_DIR; }

}  // namespace attn::test
