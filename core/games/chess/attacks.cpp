#include "games/chess/attacks.h"

#include <vector>

#if defined(__wasm__)
#include "games/chess/magics.h"
#endif

namespace milton::chess {
namespace {

constexpr int kRookSteps[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
constexpr int kBishopSteps[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};

// Follows each ray up to and including the first occupied square.
Bitboard scan_rays(Square square, Bitboard occupied, const int (&steps)[4][2]) {
  Bitboard set = 0;
  for (const auto& step : steps) {
    int file = file_of(square) + step[0], rank = rank_of(square) + step[1];
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
      const Bitboard target = bit(make_square(file, rank));
      set |= target;
      if (occupied & target) break;
      file += step[0];
      rank += step[1];
    }
  }
  return set;
}

struct LineTables {
  std::array<std::array<Bitboard, 64>, 64> between{};
  std::array<std::array<Bitboard, 64>, 64> line{};

  LineTables() {
    for (Square a = 0; a < 64; ++a) {
      for (Square b = 0; b < 64; ++b) fill(a, b);
    }
  }

  void fill(Square a, Square b) {
    if (a == b) return;
    for (const auto* steps : {&kRookSteps, &kBishopSteps}) {
      if (!test_bit(scan_rays(a, 0, *steps), b)) continue;
      between[a][b] = scan_rays(a, bit(b), *steps) & scan_rays(b, bit(a), *steps);
      line[a][b] = (scan_rays(a, 0, *steps) & scan_rays(b, 0, *steps)) | bit(a) | bit(b);
    }
  }
};

const LineTables kLines;

}  // namespace

Bitboard squares_between(Square a, Square b) { return kLines.between[a][b]; }
Bitboard line_through(Square a, Square b) { return kLines.line[a][b]; }

#if defined(__BMI2__) || defined(__wasm__)

namespace {

// The edge squares never change an attack set, unless the piece itself stands on that edge.
Bitboard relevant_squares(Square square, const int (&steps)[4][2]) {
  constexpr Bitboard kRank1 = 0xFFull, kRank8 = kRank1 << 56;
  Bitboard edges = 0;
  if (rank_of(square) != 0) edges |= kRank1;
  if (rank_of(square) != 7) edges |= kRank8;
  if (file_of(square) != 0) edges |= detail::kFileA;
  if (file_of(square) != 7) edges |= detail::kFileH;
  return scan_rays(square, 0, steps) & ~edges;
}

constexpr int kRookTableSize = 102400, kBishopTableSize = 5248;

}  // namespace

#if defined(__wasm__)

namespace {

void fill_tables(std::array<SliderMask, 64>& sliders, Bitboard* table, const int (&steps)[4][2],
                 const std::array<std::uint64_t, 64>& magics) {
  for (Square square = 0; square < 64; ++square) {
    const Bitboard mask = relevant_squares(square, steps);
    const SliderMask slider{mask, magics[square], table, 64 - count_bits(mask)};
    Bitboard blockers = 0;
    do {
      table[blockers * slider.magic >> slider.shift] = scan_rays(square, blockers, steps);
      blockers = (blockers - mask) & mask;  // the next subset
    } while (blockers);
    sliders[square] = slider;
    table += std::size_t{1} << count_bits(mask);
  }
}

}  // namespace

SliderTables::SliderTables() {
  static std::vector<Bitboard> storage(kRookTableSize + kBishopTableSize);
  fill_tables(rook, storage.data(), kRookSteps, kRookMagics);
  fill_tables(bishop, storage.data() + kRookTableSize, kBishopSteps, kBishopMagics);
}

#else

namespace {

void fill_tables(std::array<SliderMask, 64>& sliders, Bitboard* table, const int (&steps)[4][2]) {
  for (Square square = 0; square < 64; ++square) {
    const Bitboard mask = relevant_squares(square, steps);
    const int num_subsets = 1 << count_bits(mask);
    for (int index = 0; index < num_subsets; ++index) {
      table[index] = scan_rays(square, _pdep_u64(index, mask), steps);
    }
    sliders[square] = {mask, table};
    table += num_subsets;
  }
}

}  // namespace

SliderTables::SliderTables() {
  static std::vector<Bitboard> storage(kRookTableSize + kBishopTableSize);
  fill_tables(rook, storage.data(), kRookSteps);
  fill_tables(bishop, storage.data() + kRookTableSize, kBishopSteps);
}

#endif

const SliderTables kSliders;

#else

namespace {

// Hyperbola quintessence: o ^ (o - 2s) finds the blockers in the rising direction; byte reversal
// turns the falling direction into a rising one. Ranks have no such reversal and use a small table.
struct LineMasks {
  Bitboard file, diagonal, anti_diagonal;
};

struct HyperbolaTables {
  std::array<LineMasks, 64> masks{};
  std::array<std::array<std::uint8_t, 64>, 8> rank{};  // [file][inner occupancy]

  HyperbolaTables() {
    for (Square square = 0; square < 64; ++square) {
      constexpr int kFileOnly[4][2] = {{0, 1}, {0, -1}, {0, 1}, {0, -1}};
      constexpr int kDiagonal[4][2] = {{1, 1}, {-1, -1}, {1, 1}, {-1, -1}};
      constexpr int kAntiDiagonal[4][2] = {{1, -1}, {-1, 1}, {1, -1}, {-1, 1}};
      masks[square] = {scan_rays(square, 0, kFileOnly), scan_rays(square, 0, kDiagonal),
                       scan_rays(square, 0, kAntiDiagonal)};
    }
    constexpr int kRankOnly[4][2] = {{1, 0}, {-1, 0}, {1, 0}, {-1, 0}};
    for (int file = 0; file < 8; ++file) {
      for (int inner = 0; inner < 64; ++inner) {
        rank[file][inner] = static_cast<std::uint8_t>(
            scan_rays(file, static_cast<Bitboard>(inner) << 1, kRankOnly));
      }
    }
  }
};

const HyperbolaTables kHyperbola;

Bitboard line_attacks(Square square, Bitboard occupied, Bitboard mask) {
  const Bitboard forward = occupied & mask;
  const Bitboard backward = __builtin_bswap64(forward);
  const Bitboard up = forward - 2 * bit(square);
  const Bitboard down = __builtin_bswap64(backward - 2 * bit(flip_rank(square)));
  return (up ^ down) & mask;
}

}  // namespace

Bitboard rook_attacks(Square square, Bitboard occupied) {
  const int shift = square & 56;
  const Bitboard along_rank =
      static_cast<Bitboard>(kHyperbola.rank[file_of(square)][occupied >> (shift + 1) & 63])
      << shift;
  return along_rank | line_attacks(square, occupied, kHyperbola.masks[square].file);
}

Bitboard bishop_attacks(Square square, Bitboard occupied) {
  return line_attacks(square, occupied, kHyperbola.masks[square].diagonal) |
         line_attacks(square, occupied, kHyperbola.masks[square].anti_diagonal);
}

#endif

}  // namespace milton::chess
