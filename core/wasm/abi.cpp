// Memory, answers, and what every engine can do, whatever it searches by.
#include "wasm/abi.h"

#include <new>

#include "wasm/engine.h"

namespace milton {
namespace {

std::string answer;

}  // namespace

int give(std::string text) {
  answer = std::move(text);
  return static_cast<int>(answer.size());
}

}  // namespace milton

using namespace milton;

MILTON_EXPORT(milton_allocate) void* milton_allocate(std::size_t num_bytes) {
  return ::operator new(num_bytes, std::nothrow);
}
MILTON_EXPORT(milton_free) void milton_free(void* memory) { ::operator delete(memory); }
MILTON_EXPORT(milton_answer) const char* milton_answer() { return answer.data(); }

MILTON_EXPORT(milton_set_record)
void milton_set_record(Engine* engine, const char* start, int start_length, const char* moves,
                       int moves_length) {
  engine->set_record(record_of(start, start_length, moves, moves_length));
}

MILTON_EXPORT(milton_forget) void milton_forget(Engine* engine) { engine->forget(); }

MILTON_EXPORT(milton_set_focus)
void milton_set_focus(Engine* engine, const char* only_moves, int length, int num_lines) {
  engine->set_focus(text_of(only_moves, length), num_lines);
}

MILTON_EXPORT(milton_report) int milton_report(Engine* engine, int num_lines) {
  return give(engine->report_json(num_lines));
}
