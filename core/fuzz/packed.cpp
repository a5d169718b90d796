// Fuzzes packed positions, which shards hold: bytes are refused, or they are the only ones that
// stand for their position.
#include <algorithm>

#include "fuzz/check_position.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace milton;
  fuzz::with_input(data, size, []<EncodedGame G>(fuzz::Bytes rest) {
    if (rest.size() != static_cast<std::size_t>(Encoding<G>::kPackedBytes)) return;
    int repetitions = -1;
    const G position = Encoding<G>::unpack(rest.data(), repetitions);
    MILTON_EXPECT(repetitions >= 0 && repetitions <= 3);
    std::vector<std::uint8_t> packed(Encoding<G>::kPackedBytes);
    Encoding<G>::pack(position, repetitions, packed.data());
    MILTON_EXPECT(std::equal(rest.begin(), rest.end(), packed.begin()));
    fuzz::check_position(position, repetitions);
  });
  return 0;
}
