// Errors that a user's input can cause. Everything else is a bug and is asserted.
// The functions exist so that the core also builds without C++ exceptions (WebAssembly),
// where they hand the message to the host instead.
#pragma once

#include <stdexcept>
#include <string>

namespace milton {

// A text or a packed position that does not describe a valid position.
class NotationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A move that is malformed or not legal in the position it was offered for.
class IllegalMoveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A setting or a buffer of the wrong size handed to the core.
class ArgumentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void fail_notation(const std::string& message);
[[noreturn]] void fail_illegal_move(const std::string& message);
[[noreturn]] void fail_argument(const std::string& message);

}  // namespace milton
