// Parameters of a struct as Python sees them: attributes, and `parameters()`, their declarations.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "base/parameters.h"

namespace milton {

template <class Settings>
void bind_parameters(nanobind::class_<Settings>& bound) {
  Settings::for_each_parameter(
      [&](const Parameter& parameter, auto member) { bound.def_rw(parameter.name, member); });
  bound.def_static("parameters", [] {
    std::vector<Parameter> all;
    Settings::for_each_parameter(
        [&](const Parameter& parameter, auto) { all.push_back(parameter); });
    return all;
  });
}

}  // namespace milton
