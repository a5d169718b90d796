#include "base/errors.h"

#if !defined(__cpp_exceptions)
// The host throws an exception of its own and never comes back to this instance.
extern "C" [[noreturn]] __attribute__((import_module("milton"), import_name("fail"))) void
milton_host_fail(int kind, const char* message, int length);
#endif

namespace milton {

#if defined(__cpp_exceptions)
void fail_notation(const std::string& message) { throw NotationError(message); }
void fail_illegal_move(const std::string& message) { throw IllegalMoveError(message); }
void fail_argument(const std::string& message) { throw ArgumentError(message); }
#else
void fail_notation(const std::string& message) {
  milton_host_fail(0, message.data(), static_cast<int>(message.size()));
}
void fail_illegal_move(const std::string& message) {
  milton_host_fail(1, message.data(), static_cast<int>(message.size()));
}
void fail_argument(const std::string& message) {
  milton_host_fail(2, message.data(), static_cast<int>(message.size()));
}
#endif

}  // namespace milton
