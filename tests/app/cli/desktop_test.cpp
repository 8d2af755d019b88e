// Files in assets/desktop name the program, its documents and its version correctly.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "session/build_information.h"
#include "support/paths.h"
#include "support/shared_data.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

const std::string kType = "application/vnd.attnscope+json";
const std::string kEnding = ".attn.json";

std::string source(const std::string& name) {
  return test::read_text(test::source_folder() + "/" + name);
}

std::string entry() { return source("assets/desktop/attnscope.desktop"); }
std::string mime() { return source("assets/desktop/attnscope.mime.xml"); }
std::string metainfo() { return source("assets/desktop/attnscope.metainfo.xml"); }

// Text that the first group of `pattern` matches; empty when nothing matches.
std::string found(const std::string& text, const std::string& pattern) {
  std::smatch match;
  return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : "";
}

std::string value_of(const std::string& key) { return found(entry(), "\n" + key + "=([^\n]*)\n"); }

TEST(Desktop, TheEntryStartsTheProgramWithFiles) {
  const std::string name = fs::path(test::program_path()).filename();
  EXPECT_EQ(value_of("Exec"), name + " %F");
  EXPECT_EQ(value_of("TryExec"), name);
  EXPECT_EQ(found(metainfo(), "<binary>([^<]*)</binary>"), name);
}

TEST(Desktop, TheEntryIsThatOfTheWindow) {
  const std::string window = source("app/gui/platform/window.cpp");
  EXPECT_EQ(value_of("StartupWMClass"), found(window, "GLFW_X11_CLASS_NAME, \"([^\"]*)\""));
  EXPECT_EQ(found(metainfo(), "desktop-id\">([^<]*)<"), "attnscope.desktop");
}

TEST(Desktop, AllFilesNameTheSameTypeAndIcon) {
  EXPECT_EQ(value_of("MimeType"), kType + ";");
  EXPECT_EQ(found(mime(), "mime-type type=\"([^\"]*)\""), kType);
  EXPECT_EQ(found(metainfo(), "<mediatype>([^<]*)</mediatype>"), kType);
  const std::string icon = value_of("Icon");
  EXPECT_EQ(found(mime(), "<icon name=\"([^\"]*)\""), icon);
  EXPECT_EQ(found(metainfo(), "<icon type=\"stock\">([^<]*)<"), icon);
  EXPECT_TRUE(fs::exists(test::source_folder() + "/assets/desktop/" + icon + ".svg"));
}

TEST(Desktop, DocumentsHaveTheEndingOfTheType) {
  EXPECT_EQ(found(mime(), "<glob pattern=\"\\*([^\"]*)\""), kEnding);
  for (const auto& file : fs::directory_iterator(test::source_folder() + "/assets/examples")) {
    EXPECT_TRUE(file.path().filename().string().ends_with(kEnding)) << file.path();
  }
  for (const char* name : {"core/session/unsaved_work.cpp", "app/gui/shell/windows/folder.cpp"}) {
    EXPECT_EQ(found(source(name), "kDocumentSuffix = \"([^\"]*)\""), kEnding) << name;
  }
}

TEST(Desktop, TheNewestReleaseIsThatOfTheProgramAndTheCitation) {
  const std::string version(program_version());
  EXPECT_EQ(found(metainfo(), "<release version=\"([^\"]*)\""), version);
  EXPECT_EQ(found(metainfo(), "<release version=\"[^\"]*\" date=\"([^\"]*)\""),
            found(source("CITATION.cff"), "date-released: \"([^\"]*)\""));
}

}  // namespace
}  // namespace attn
