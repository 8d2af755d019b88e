// Documents that other programs request, and files that change while a running program shows them.
#include <sys/file.h>

#include <thread>

#include "app/shell/app_fixture.h"
#include "base/files.h"

namespace attn::gui {
namespace {

class RequestsTest : public test::AppTest {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(write_file_atomically(path(name), text, Overwrite::Replace).ok());
    return path(name);
  }

  // Applies what arrives from other threads until the condition holds.
  template <class Condition>
  void wait_for(const Condition& condition) {
    while (!condition()) {
      app.take_results();
      app.wait_until_idle();
      std::this_thread::yield();
    }
  }
};

TEST_F(RequestsTest, ADocumentThatAnotherProgramAsksForOpensInATab) {
  std::filesystem::create_directory(folder / "inbox");
  const std::string first = write("first.json", R"({"tokens": ["a", "b"]})");
  const std::string second = write("second.json", R"({"tokens": ["c", "d"]})");
  write("inbox/1.json", R"({"open": ")" + first + R"("})");
  app.take_requests_in(path("inbox"));
  wait_for([&] { return state().path == first; });
  write("inbox/2.json", R"({"open": ")" + second + R"("})");
  wait_for([&] { return state().path == second; });
  EXPECT_FALSE(std::filesystem::exists(path("inbox/1.json")));
  EXPECT_FALSE(std::filesystem::exists(path("inbox/2.json")));
  EXPECT_EQ(token(0), "c");
  const Descriptor other(::open(path("inbox").c_str(), O_RDONLY));
  EXPECT_NE(::flock(other.get(), LOCK_EX | LOCK_NB), 0) << "others see that a window runs";
}

TEST_F(RequestsTest, AFileThatIsFollowedIsReadAgainWhenItWasWritten) {
  const std::string file = write("run.json", R"({"tokens": ["a", "b"]})");
  open(file);
  app.follow(file);
  write("run.json", R"({"tokens": ["x", "b"]})");
  wait_for([&] { return token(0) == "x"; });
  app.apply(command::StepEdit{-1});
  EXPECT_EQ(token(0), "a") << "one step of undo";
}

}  // namespace
}  // namespace attn::gui
