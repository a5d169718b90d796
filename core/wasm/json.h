// Writes JSON, as much of it as the answers to the page need. Texts come from the core and hold no
// character that JSON would have escaped.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace milton {

inline std::string json_of(std::string_view text) { return '"' + std::string(text) + '"'; }
inline std::string json_of(const std::string& text) { return json_of(std::string_view(text)); }

template <class T>
requires std::is_arithmetic_v<T> std::string json_of(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else {
    return std::to_string(value);
  }
}

template <class T>
std::string json_of(const std::vector<T>& values) {
  std::string out = "[";
  for (const T& value : values) {
    if (out.size() > 1) out += ',';
    out += json_of(value);
  }
  return out + ']';
}

class JsonObject {
 public:
  template <class T>
  JsonObject& field(std::string_view name, const T& value) {
    return raw_field(name, json_of(value));
  }
  // `json` is JSON already.
  JsonObject& raw_field(std::string_view name, std::string_view json) {
    text_ += text_.size() > 1 ? "," : "";
    text_ += json_of(name) + ':';
    text_ += json;
    return *this;
  }
  std::string text() const { return text_ + '}'; }

 private:
  std::string text_ = "{";
};

inline std::string json_of(const JsonObject& object) { return object.text(); }

}  // namespace milton
