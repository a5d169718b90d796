// What every encoding promises, on positions of random games of every game.
#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/errors.h"
#include "encode/all_games.h"
#include "tests/check.h"
#include "tests/random_games.h"

namespace milton::tests {
namespace {

template <EncodedGame G>
using Packed = std::array<std::uint8_t, Encoding<G>::kPackedBytes>;

template <EncodedGame G>
Packed<G> pack(const G& position, int repetitions) {
  Packed<G> packed;
  Encoding<G>::pack(position, repetitions, packed.data());
  return packed;
}

struct CheckPacking {
  template <EncodedGame G>
  void operator()() const {
    int repetitions_before = 0;
    visit_random_games<G>(8, 5, 150, [&](const Line<G>& line, const MoveListOf<G>&) {
      repetitions_before = (repetitions_before + 1) % 4;
      const Packed<G> packed = pack(line.position(), repetitions_before);
      int repetitions = -1;
      const G again = Encoding<G>::unpack(packed.data(), repetitions);
      MILTON_CHECK(again == line.position() && again.hash() == line.position().hash());
      MILTON_CHECK(repetitions == repetitions_before);
    });
  }
};

MILTON_TEST(packed_positions_survive_the_round_trip) { for_each_encoded_game(CheckPacking()); }

// Two byte strings must never mean the same position.
struct CheckDamage {
  template <EncodedGame G>
  void operator()() const {
    Random random(6);
    visit_random_games<G>(4, 7, 100, [&](const Line<G>& line, const MoveListOf<G>&) {
      Packed<G> packed = pack(line.position(), 1);
      packed[random.below(Encoding<G>::kPackedBytes)] ^= 1 << random.below(8);
      int repetitions = 0;
      try {
        const G position = Encoding<G>::unpack(packed.data(), repetitions);
        MILTON_CHECK(pack(position, repetitions) == packed);
      } catch (const NotationError&) {
      }
    });
  }
};

MILTON_TEST(damaged_bytes_are_refused_or_mean_another_position) {
  for_each_encoded_game(CheckDamage());
}

struct CheckActions {
  template <EncodedGame G>
  void operator()() const {
    visit_random_games<G>(6, 8, 120, [](const Line<G>& line, const MoveListOf<G>& moves) {
      const G& position = line.position();
      std::set<int> actions;
      for (const auto move : moves) {
        const int action = Encoding<G>::action_of(position, move);
        MILTON_CHECK(action >= 0 && action < Encoding<G>::kNumActions);
        MILTON_CHECK(actions.insert(action).second);
        MILTON_CHECK(Encoding<G>::move_of(position, action) == move);
      }
      const int other = static_cast<int>(position.hash() % Encoding<G>::kNumActions);
      if (actions.count(other)) return;
      MILTON_CHECK(throws<IllegalMoveError>([&] { Encoding<G>::move_of(position, other); }));
    });
  }
};

MILTON_TEST(actions_number_the_legal_moves_one_to_one) { for_each_encoded_game(CheckActions()); }

// The moves of the transformed position are the transformed moves, by bits and by action.
struct CheckSymmetries {
  template <EncodedGame G>
  void operator()() const {
    visit_random_games<G>(3, 9, 80, [](const Line<G>& line, const MoveListOf<G>& moves) {
      const G& position = line.position();
      MILTON_CHECK(Encoding<G>::transform(position, 0) == position);
      for (int symmetry = 0; symmetry < Encoding<G>::kNumSymmetries; ++symmetry) {
        const G image = Encoding<G>::transform(position, symmetry);
        MoveListOf<G> image_moves;
        image.legal_moves(image_moves);
        std::set<std::uint16_t> expected, got;
        for (const auto move : image_moves) got.insert(move.bits);
        for (const auto move : moves) {
          const auto moved = Encoding<G>::transform_move(position, move, symmetry);
          expected.insert(moved.bits);
          const int action = Encoding<G>::action_of(position, move);
          MILTON_CHECK(Encoding<G>::action_of(image, moved) ==
                       Encoding<G>::transform_action(action, symmetry));
          G after = position, image_after = image;
          after.play(move);
          image_after.play(moved);
          MILTON_CHECK(Encoding<G>::transform(after, symmetry) == image_after);
        }
        MILTON_CHECK(expected == got);
      }
    });
  }
};

MILTON_TEST(symmetries_keep_the_rules) { for_each_encoded_game(CheckSymmetries()); }

struct CheckSparse {
  template <EncodedGame G>
  void operator()() const {
    visit_random_games<G>(6, 10, 120, [](const Line<G>& line, const MoveListOf<G>& moves) {
      const G& position = line.position();
      const typename Encoding<G>::AttackMaps attacks(position);
      std::vector<std::uint16_t> features(max_active_features<G>());
      for (int encoder = 0; encoder < static_cast<int>(Encoding<G>::kSparseEncoders.size());
           ++encoder) {
        const SparseEncoder& shape = Encoding<G>::kSparseEncoders[encoder];
        const int count = Encoding<G>::active_features(encoder, position, attacks, features.data());
        MILTON_CHECK(count > 0 && count <= shape.max_active());
        for (int i = 0; i < count; ++i) MILTON_CHECK(features[i] < shape.num_features());
      }
      std::vector<std::uint16_t> rows(moves.size());
      Encoding<G>::policy_rows(position, moves, rows.data());
      std::set<std::uint16_t> distinct(rows.begin(), rows.end());
      MILTON_CHECK(static_cast<int>(distinct.size()) == moves.size());
      for (const std::uint16_t row : rows) {
        MILTON_CHECK(row < Encoding<G>::kNumPolicyRows);
        for (const std::uint16_t part : Encoding<G>::parts_of_row(row)) {
          MILTON_CHECK(part < Encoding<G>::kNumPolicyParts);
        }
      }
    });
  }
};

MILTON_TEST(sparse_rows_stay_inside_their_tables) { for_each_encoded_game(CheckSparse()); }

MILTON_TEST(move_contexts_stay_inside_their_table) {
  using G = chess::Position;
  visit_random_games<G>(10, 12, 150, [](const Line<G>& line, const MoveListOf<G>& moves) {
    const Encoding<G>::AttackMaps attacks(line.position());
    std::vector<std::uint16_t> contexts(moves.size() * Encoding<G>::kContextsPerMove);
    Encoding<G>::move_contexts(line.position(), attacks, moves, contexts.data());
    for (const std::uint16_t context : contexts) MILTON_CHECK(context < chess::kNumContexts);
  });
}

// Each attack map against asking the position about every square.
MILTON_TEST(attack_maps_agree_with_asking_square_by_square) {
  using G = chess::Position;
  visit_random_games<G>(10, 13, 150, [](const Line<G>& line, const MoveListOf<G>&) {
    const G& position = line.position();
    const chess::AttackMaps maps(position);
    for (int view = 0; view < 2; ++view) {
      const Side side = view == 0 ? position.side_to_move() : opponent(position.side_to_move());
      for (int square = 0; square < 64; ++square) {
        const Bitboard attackers =
            position.attackers_to(square, position.occupied()) & position.pieces(side);
        int weakest = 0;
        for (Bitboard left = attackers; left;) {
          const int level = chess::strength_class(position.piece_at(pop_lowest_bit(left)));
          weakest = weakest == 0 ? level : std::min(weakest, level);
        }
        const chess::SideAttacks& attacks = maps.of_view(view);
        MILTON_CHECK(test_bit(attacks.times(std::min(count_bits(attackers), 2)), square));
        MILTON_CHECK(attacks.least_attacker(square) == weakest);
      }
    }
  });
}

}  // namespace
}  // namespace milton::tests
