// Helpers for reading and quoting text that came from outside.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace milton {

// The text in quotes for an error message: control and non-ASCII bytes escaped, long texts cut.
std::string quoted(std::string_view text, std::size_t max_length = 80);

// Splits at single spaces; no empty fields are dropped, so that doubled spaces are seen.
std::vector<std::string_view> split_fields(std::string_view text, char separator = ' ');

// A plain decimal number without sign or leading '+', at most `max_value`.
std::optional<int> parse_number(std::string_view text, int max_value);

}  // namespace milton
