// Turns the core's errors into the Python classes of milton.errors. Knows no game.
#include "base/errors.h"

#include <cstring>
#include <exception>

#include "bindings/bindings.h"

namespace milton {
namespace {

void raise_python_error(const char* class_name, const std::exception& error) {
  const nb::object error_class = nb::module_::import_("milton.errors").attr(class_name);
  const char* message = error.what();
  // A message may quote arbitrary bytes; it must still arrive as the error it is.
  const nb::object text = nb::steal(PyUnicode_DecodeUTF8(
      message, static_cast<Py_ssize_t>(std::strlen(message)), "backslashreplace"));
  PyErr_SetObject(error_class.ptr(), text.ptr());
}

void translate(const std::exception_ptr& thrown, void* /*payload*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const NotationError& error) {
    raise_python_error("NotationError", error);
  } catch (const IllegalMoveError& error) {
    raise_python_error("IllegalMoveError", error);
  } catch (const ArgumentError& error) {
    raise_python_error("ArgumentError", error);
  }
}

}  // namespace

void register_errors() { nb::register_exception_translator(&translate); }

}  // namespace milton
