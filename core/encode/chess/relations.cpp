#include "encode/chess/relations.h"

#include <algorithm>

namespace milton::chess {
namespace {

// Where the rows of a relation begin, counted from the first relation.
constexpr int start_of(std::string_view name) {
  int start = 0;
  for (const FeatureGroup& group : kRelationGroups) {
    if (group.name == name) return start;
    start += group.num_features;
  }
  return -1;
}

class Writer {
 public:
  Writer(const Position& position, const AttackMaps& maps, int first_row, std::uint16_t* next)
      : position_(position), maps_(maps), first_row_(first_row), next_(next) {}

  void write_all() {
    for (int view = 0; view < 2; ++view) write_threats(view);
    for (int view = 0; view < 2; ++view) write_rings(view);
    for (int view = 0; view < 2; ++view) write_mobility(view);
    for (int view = 0; view < 2; ++view) write_pins(view);
    for (int view = 0; view < 2; ++view) write_passed(view);
    for (int view = 0; view < 2; ++view) write_material(view);
    put(start_of("clock") + std::min(9, position_.halfmove_clock() / 10));
  }

  std::uint16_t* end() const { return next_; }

 private:
  Side side_of(int view) const {
    return view == 0 ? position_.side_to_move() : opponent(position_.side_to_move());
  }
  void put(int row) { *next_++ = static_cast<std::uint16_t>(first_row_ + row); }

  void write_threats(int view) {
    const SideAttacks& attacks = maps_.of_view(view);
    const Bitboard victims = position_.pieces(opponent(side_of(view))) & attacks.once;
    if (!victims) return;
    write_threats_of(view, kPawn, attacks.pawns_a & victims);
    write_threats_of(view, kPawn, attacks.pawns_h & victims);
    for (int i = 0; i < attacks.num_pieces; ++i) {
      write_threats_of(view, attacks.pieces[i].type, attacks.pieces[i].attacks & victims);
    }
  }

  void write_threats_of(int view, PieceType type, Bitboard victims) {
    const SideAttacks& defence = maps_.of_view(1 - view);
    while (victims && num_threats_ < kMaxCaptures) {
      const Square square = pop_lowest_bit(victims);
      put(start_of("threats") +
          ((view * 6 + type) * 6 + position_.piece_at(square)) * kNumAttackerClasses +
          defence.least_attacker(square));
      ++num_threats_;
    }
  }

  void write_rings(int view) {
    const Bitboard ring = kKingAttacks[position_.king_square(opponent(side_of(view)))];
    const Bitboard attacked = ring & maps_.of_view(view).once;
    put(start_of("rings") + view * 9 + count_bits(attacked));
    // The king itself attacks every square of its ring.
    put(start_of("rings") + 18 + view * 9 + count_bits(attacked & ~maps_.of_view(1 - view).twice));
  }

  void write_mobility(int view) {
    const SideAttacks& attacks = maps_.of_view(view);
    const Bitboard room = ~position_.pieces(side_of(view)) & ~maps_.of_view(1 - view).by_pawns();
    for (int i = 0; i < attacks.num_pieces; ++i) {
      const auto& piece = attacks.pieces[i];
      put(start_of("mobility") + (view * 5 + piece.type - 1) * 16 +
          std::min(15, count_bits(piece.attacks & room)));
    }
  }

  void write_pins(int view) {
    const Side other = opponent(side_of(view));
    for (int behind = 0; behind < 2; ++behind) {
      Bitboard targets = position_.pieces(other, behind == 0 ? kKing : kQueen);
      while (targets) write_pins_to(view, pop_lowest_bit(targets), behind);
    }
  }

  void write_pins_to(int view, Square target, int behind) {
    const Side side = side_of(view);
    const Bitboard occupied = position_.occupied(), others = position_.pieces(opponent(side));
    const Bitboard rank_and_file = rook_attacks(target, 0), diagonals = bishop_attacks(target, 0);
    for (const PieceType type : {kBishop, kRook, kQueen}) {
      const Bitboard lines =
          (type != kBishop ? rank_and_file : 0) | (type != kRook ? diagonals : 0);
      Bitboard sliders = lines & position_.pieces(side, type);
      while (sliders) {
        const Bitboard between = squares_between(pop_lowest_bit(sliders), target) & occupied;
        if (!between || several_bits(between) || !(between & others)) continue;
        const PieceType pinned = position_.piece_at(lowest_bit(between));
        if (pinned == kKing || num_pins_ == kMaxPins) continue;
        put(start_of("pins") + ((view * 5 + pinned) * 3 + type - kBishop) * 2 + behind);
        ++num_pins_;
      }
    }
  }

  void write_passed(int view) {
    const Side side = side_of(view);
    const bool is_white = side == Side::kFirst;
    // Every square that an opponent's pawn stands before or may still attack.
    Bitboard guarded = position_.pieces(opponent(side), kPawn);
    guarded |= maps_.of_view(1 - view).by_pawns();
    for (const int step : {8, 16, 32}) guarded |= is_white ? guarded >> step : guarded << step;
    Bitboard passed = position_.pieces(side, kPawn) & ~guarded;
    while (passed) {
      const Square square = pop_lowest_bit(passed);
      const int rank = is_white ? rank_of(square) : 7 - rank_of(square);
      const Square ahead = is_white ? square + 8 : square - 8;
      put(start_of("passed") + (view * 8 + rank) * 2 + test_bit(position_.occupied(), ahead));
    }
  }

  void write_material(int view) {
    for (int type = kPawn; type < kKing; ++type) {
      const int count = count_bits(position_.pieces(side_of(view), static_cast<PieceType>(type)));
      put(start_of("material") + (view * 5 + type) * 9 + std::min(8, count));
    }
  }

  const Position& position_;
  const AttackMaps& maps_;
  int first_row_;
  std::uint16_t* next_;
  int num_threats_ = 0, num_pins_ = 0;
};

}  // namespace

std::uint16_t* add_relations(const Position& position, const AttackMaps& maps, int first_row,
                             std::uint16_t* next) {
  Writer writer(position, maps, first_row, next);
  writer.write_all();
  return writer.end();
}

}  // namespace milton::chess
