#include "learn/row_lists.h"

#include <algorithm>

namespace milton {

RowLists::RowLists(int num_rows, std::size_t num_workers)
    : writers_(num_workers), first_(static_cast<std::size_t>(num_rows) + 1) {
  for (Writer& writer : writers_) writer.next.resize(static_cast<std::size_t>(num_rows));
}

void RowLists::clear(std::size_t worker) {
  Writer& writer = writers_[worker];
  writer.uses.clear();
  std::fill(writer.next.begin(), writer.next.end(), 0u);
}

void RowLists::arrange() {
  std::uint32_t total = 0;
  for (std::size_t row = 0; row < num_rows(); ++row) {
    first_[row] = total;
    for (Writer& writer : writers_) {
      const std::uint32_t count = writer.next[row];
      writer.next[row] = total;
      total += count;
    }
  }
  first_.back() = total;
  uses_.resize(total);
}

void RowLists::fill(std::size_t worker) {
  Writer& writer = writers_[worker];
  for (const RowUse& entry : writer.uses) uses_[writer.next[entry.row]++] = entry.use;
}

RowLists::Range RowLists::part(std::size_t index, std::size_t count) const {
  const auto boundary = [&](std::size_t i) {
    if (i == 0) return std::size_t{0};
    if (i == count) return num_rows();
    const auto uses = static_cast<std::uint32_t>(uses_.size() * i / count);
    const auto found = std::lower_bound(first_.begin(), first_.end() - 1, uses);
    return static_cast<std::size_t>(found - first_.begin());
  };
  return {boundary(index), boundary(index + 1)};
}

}  // namespace milton
