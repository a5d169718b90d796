// Parameters that are declared once, in a file `parameters.def`: name, type, default, limits and
// one sentence. Structs are made from such a file, and everybody who must know a parameter by name
// (bindings, the call from JavaScript) asks the struct. Knows no parameter itself.
//
// A struct S with the parameters of FILE:
//   struct S {
//   #define NUMBER MILTON_NUMBER_MEMBER
//   #define SWITCH MILTON_SWITCH_MEMBER
//   #include FILE
//     template <class Visit>
//     static void for_each_parameter(Visit visit) {
//       using Settings = S;
//   #define NUMBER MILTON_VISIT_NUMBER
//   #define SWITCH MILTON_VISIT_SWITCH
//   #include FILE
//     }
//   };
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/errors.h"
#include "base/text.h"

namespace milton {

struct LowerLimit {
  double value;
  bool is_excluded;
};

// How a declaration writes its lower limit; the upper one is always included.
constexpr LowerLimit from(double value) { return {value, false}; }
constexpr LowerLimit above(double value) { return {value, true}; }

struct Parameter {
  const char* name;
  const char* kind;  // "bool", "int" or "float", as Python calls them
  double default_value;
  LowerLimit low;
  double high;
  const char* meaning;

  bool allows(double value) const {
    const bool is_above = low.is_excluded ? value > low.value : value >= low.value;
    const bool is_whole = std::string_view(kind) == "float" || value == std::floor(value);
    return is_above && value <= high && is_whole;
  }
};

#define MILTON_NUMBER_MEMBER(type, name, value, low, high, meaning) \
  type name = static_cast<type>(value);
#define MILTON_SWITCH_MEMBER(name, value, meaning) bool name = value;
#define MILTON_VISIT_NUMBER(type, name, value, low, high, meaning) \
  visit(Parameter{#name, #type, value, low, high, meaning}, &Settings::name);
#define MILTON_VISIT_SWITCH(name, value, meaning) \
  visit(Parameter{#name, "bool", value ? 1.0 : 0.0, from(0), 1.0, meaning}, &Settings::name);

// Sets the parameter of that name; switches take 0 and 1.
template <class Settings>
void set_parameter(Settings& settings, std::string_view name, double value) {
  bool is_known = false;
  Settings::for_each_parameter([&](const Parameter& parameter, auto member) {
    if (name != parameter.name) return;
    is_known = true;
    if (!parameter.allows(value)) {
      fail_argument(std::string(name) + " must be " +
                    (parameter.low.is_excluded ? "above " : "from ") +
                    std::to_string(parameter.low.value) + " up to " +
                    std::to_string(parameter.high) + ", got " + std::to_string(value));
    }
    settings.*member = static_cast<std::remove_reference_t<decltype(settings.*member)>>(value);
  });
  if (!is_known) fail_argument("there is no parameter " + quoted(name));
}

}  // namespace milton
