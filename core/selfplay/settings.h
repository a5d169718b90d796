// Every number that steers self-play games.
#pragma once

#include "search/settings.h"

namespace milton {

struct SelfPlaySettings {
  SearchSettings search;
  RootNoise noise;  // of full searches only

  // Playout-cap randomisation: a fraction of the moves gets the full search and becomes a policy
  // target, the others a fast one. Simulations are new ones, whatever was kept of the tree.
  int full_simulations = 200;
  int fast_simulations = 50;
  float full_fraction = 0.3f;

  // Sequential halving at the root instead of noise, for few simulations.
  bool use_gumbel = false;
  int gumbel_moves = 16;

  // Full searches stop when another `kld_interval` simulations change the visit distribution by
  // less than this many nats a simulation; 0: never.
  float min_kld_gain = 0.0f;
  int kld_interval = 50;

  int max_random_plies = 8;  // 0 to this many uniformly random plies open a game
  float temperature = 1.0f;
  int temperature_plies = 20;  // counted after the random opening
  float final_temperature = 0.35f;
  int max_plies = 300;  // longer games are cut and counted as draws
  bool reuse_tree = true;

  float resign_threshold = -1.0f;     // resign below this root value; -1: never
  float resign_playout_share = 0.1f;  // games played to the end all the same, to measure mistakes
  int resign_moves = 2;               // that many times in a row
};

}  // namespace milton
