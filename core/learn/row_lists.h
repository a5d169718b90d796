// Which samples of a batch use which rows of a table, so that the gradient of each row is summed in
// registers and written once. Adding to the rows sample by sample would read and write each of them
// as often as it is used, and every thread would need a table of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace milton {

class RowLists {
 public:
  struct Use {
    std::uint32_t sample;
    float scale;
  };
  struct Range {
    std::size_t begin, end;
  };

  RowLists(int num_rows, std::size_t num_workers);

  // Each worker adds the uses of its own samples, in their order. Samples of a later worker come
  // after those of an earlier one, so lists do not depend on the number of workers.
  void clear(std::size_t worker);
  void add(std::size_t worker, std::uint16_t row, std::uint32_t sample, float scale) {
    Writer& writer = writers_[worker];
    writer.uses.push_back({row, {sample, scale}});
    ++writer.next[row];
  }

  // Once, when all workers have added; then `fill` for each worker, in any thread.
  void arrange();
  void fill(std::size_t worker);

  std::size_t num_rows() const { return first_.size() - 1; }
  std::span<const Use> of(std::size_t row) const {
    return {uses_.data() + first_[row], first_[row + 1] - first_[row]};
  }

  // The rows of one of `count` parts that have about as many uses each.
  Range part(std::size_t index, std::size_t count) const;

 private:
  struct RowUse {
    std::uint16_t row;
    Use use;
  };
  struct Writer {
    std::vector<RowUse> uses;
    std::vector<std::uint32_t> next;  // by row: how many, then where the next one goes
  };

  std::vector<Writer> writers_;
  std::vector<std::uint32_t> first_;  // [rows + 1]
  std::vector<Use> uses_;
};

}  // namespace milton
