// A search that another thread looks at while it runs, as a door does.
#pragma once

#include <thread>

#include "search/searcher.h"

namespace milton::tests {

template <class Searcher>
SearchReport watched_search(Searcher& searcher, const SearchLimits& limits) {
  SearchReport report;
  std::thread search([&] { report = searcher.search(limits); });
  for (int look = 0; look < 20; ++look) {
    const SearchReport seen = searcher.report();
    if (!seen.moves.empty()) searcher.principal_variation({seen.moves[0].move}, 16);
    std::this_thread::yield();
  }
  search.join();
  return report;
}

}  // namespace milton::tests
