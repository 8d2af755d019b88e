// The known name that a misspelt one most likely meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// The closest of `names`, the first among equals; empty when none is near enough. Ignores the case
// of letters.
std::string_view nearest(std::string_view name, std::span<const std::string_view> names);

// The one of the keys `names` that `name` means: by the names of other programs, else the nearest.
std::string_view meant_key(std::string_view name, std::span<const std::string_view> names);

// The `count` closest, however far off, closest first.
std::vector<std::string_view> nearest_few(std::string_view name,
                                          std::span<const std::string_view> names,
                                          std::size_t count);

// A note that the view names something that does not exist.
std::string unknown_in_view(const std::string& what, const std::string& name,
                            const std::vector<std::string_view>& known, const std::string& usual);

}  // namespace attn
