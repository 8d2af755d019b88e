// A browser that runs pages for tests.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "support/process.h"

namespace attn::test {

// The name of a Chromium; "" where none is installed.
std::string browser();

// Writes the page to `path` with a `script` that runs after its own, which its policy would not
// let.
void put_with_script(const std::string& page, const std::string& script, const std::string& path);

// Runs the browser, with a profile in the folder, until the page has come to rest.
ProcessResult browsed(const TemporaryFolder& folder, std::vector<std::string> words);

// Text, as JSON, that a script has put into an element with the id "log"; null without one.
Json logged(const TemporaryFolder& folder, const std::string& url);

}  // namespace attn::test
