// Fuzzes what stands for a position in a file or a message: FEN and its relatives.
#include "fuzz/check_position.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace milton;
  fuzz::with_input(data, size, []<EncodedGame G>(fuzz::Bytes rest) {
    fuzz::check_position(G::from_text(fuzz::text_of(rest)));
    if constexpr (requires { G::from_chess960_text({}); }) {
      fuzz::check_position(G::from_chess960_text(fuzz::text_of(rest)));
    }
  });
  return 0;
}
