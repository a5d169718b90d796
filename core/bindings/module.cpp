// The Python module of one variant of the core (CMakeLists.txt compiles this file once for each).
#include "bindings/bindings.h"

namespace nb = nanobind;

namespace {

// The best variant this CPU can run. Only meaningful when asked of a module that runs anywhere.
const char* cpu_level() {
#if defined(__x86_64__) && defined(__GNUC__)
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
                        __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("popcnt") &&
                        __builtin_cpu_supports("f16c");
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512cd") &&
                          __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl") &&
                          __builtin_cpu_supports("avx512vnni");
  if (has_avx2 && has_avx512) return "avx512";
  if (has_avx2) return "avx2";
#endif
  return "generic";
}

}  // namespace

NB_MODULE(MILTON_MODULE, m) {
  m.doc() = "Milton's rules, encodings, networks and search, compiled.";
  m.attr("variant") = MILTON_VARIANT;
  m.def("cpu_level", &cpu_level, "The best variant this CPU can run: 'generic', 'avx2' or 'avx512'.");
  milton::register_errors();
  milton::bind_games(m);
  milton::bind_encode(m);
  milton::bind_encode_batches(m);
  milton::bind_nets(m);
  milton::bind_search_values(m);
  milton::bind_search(m);
  milton::bind_alphabeta(m);
  milton::bind_selfplay(m);
  milton::bind_arena(m);
  milton::bind_vector_games(m);
  milton::bind_learn(m);
  milton::bind_coach(m);
}
