// Absolute paths, known when the tests were built, of everything that tests read and start.
#pragma once

#include <string>
#include <vector>

namespace attn::test {

// The folder of the sources.
std::string source_folder();

// The pages of the guide, in the order in which the window shows them.
std::vector<std::string> guide_pages();

// The program under test.
std::string program_path();

// Reference cases and real data; the folder may be missing.
std::string shared_folder();

}  // namespace attn::test
