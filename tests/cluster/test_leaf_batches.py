"""Batches of many callers' rows: their limits, and that everybody gets the own rows back."""

import threading
from concurrent.futures import wait

import numpy as np
import pytest
from patience import PATIENCE_S

from milton.cluster.leaf_batches import BatchLimits, LeafBatcher
from milton.errors import ArgumentError


class Evaluation:
    """Doubles rows and notes the sizes of the batches; the first batch may be held up."""

    def __init__(self):
        self.sizes = []
        self.entered = threading.Event()
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    def __call__(self, rows):
        self.sizes.append(len(rows))
        self.entered.set()
        assert self.may_go_on.wait(PATIENCE_S)
        if (rows < 0).any():
            raise ArgumentError("expected rows from 0 on")
        return rows * 2, None


@pytest.fixture
def open_batcher():
    opened = []

    def make(**limits):
        opened.append(LeafBatcher(BatchLimits(**limits)))
        return opened[-1]

    yield make
    for batcher in opened:
        batcher.close()


def rows_of(*numbers):
    return np.array(numbers, np.int32).reshape(-1, 1)


def submit_behind_a_busy_evaluation(batcher, evaluation, requests):
    """What comes in while a batch is evaluated waits together."""
    evaluation.may_go_on.clear()
    first = batcher.submit(evaluation, rows_of(100))
    assert evaluation.entered.wait(PATIENCE_S)
    answers = [batcher.submit(function, rows) for function, rows in requests]
    evaluation.may_go_on.set()
    wait([first, *answers], timeout=PATIENCE_S)
    return answers


def test_everybody_gets_the_rows_that_were_asked_for(open_batcher):
    evaluation = Evaluation()
    requests = [
        (evaluation, rows_of(*range(start, start + size))) for start, size in ((0, 3), (5, 1), (9, 4))
    ]
    answers = submit_behind_a_busy_evaluation(open_batcher(max_rows=100), evaluation, requests)
    for (_, rows), answer in zip(requests, answers, strict=True):
        doubled, nothing = answer.result()
        assert (doubled == rows * 2).all()
        assert nothing is None
    assert evaluation.sizes == [1, 8]


def test_a_batch_is_closed_at_its_size(open_batcher):
    evaluation = Evaluation()
    requests = [(evaluation, rows_of(1, 2)) for _ in range(5)]
    submit_behind_a_busy_evaluation(open_batcher(max_rows=4), evaluation, requests)
    assert evaluation.sizes == [1, 4, 4, 2]


def test_a_request_larger_than_a_batch_is_evaluated_alone(open_batcher):
    evaluation = Evaluation()
    requests = [(evaluation, rows_of(*range(9))), (evaluation, rows_of(1))]
    submit_behind_a_busy_evaluation(open_batcher(max_rows=4), evaluation, requests)
    assert evaluation.sizes == [1, 9, 1]


def test_a_full_batch_does_not_wait_for_its_time_limit(open_batcher):
    evaluation = Evaluation()
    requests = [(evaluation, rows_of(1)), (evaluation, rows_of(2))]
    submit_behind_a_busy_evaluation(open_batcher(max_rows=2, max_wait_s=1.0), evaluation, requests)
    assert evaluation.sizes == [1, 2]


def test_a_lonely_request_is_answered_when_the_time_limit_has_passed(open_batcher):
    answer = open_batcher(max_rows=1000, max_wait_s=0.01).submit(Evaluation(), rows_of(4))
    assert answer.result(timeout=PATIENCE_S)[0].tolist() == [[8]]


def test_rows_for_another_network_do_not_share_a_batch(open_batcher):
    evaluation, other = Evaluation(), Evaluation()
    requests = [(evaluation, rows_of(1)), (other, rows_of(2, 3)), (evaluation, rows_of(4))]
    submit_behind_a_busy_evaluation(open_batcher(), evaluation, requests)
    assert (evaluation.sizes, other.sizes) == ([1, 2], [2])


def test_a_request_that_spoils_its_batch_fails_alone(open_batcher):
    evaluation = Evaluation()
    requests = [(evaluation, rows_of(1)), (evaluation, rows_of(-1)), (evaluation, rows_of(3))]
    good, bad, also_good = submit_behind_a_busy_evaluation(open_batcher(), evaluation, requests)
    assert good.result()[0].tolist() == [[2]]
    assert also_good.result()[0].tolist() == [[6]]
    with pytest.raises(ArgumentError, match="from 0 on"):
        bad.result()


def test_a_request_that_nobody_waits_for_any_more_is_left_out(open_batcher):
    evaluation = Evaluation()
    evaluation.may_go_on.clear()
    batcher = open_batcher()
    batcher.submit(evaluation, rows_of(1))
    assert evaluation.entered.wait(PATIENCE_S)
    cancelled, wanted = batcher.submit(evaluation, rows_of(2)), batcher.submit(evaluation, rows_of(3))
    assert cancelled.cancel()
    evaluation.may_go_on.set()
    assert wanted.result(timeout=PATIENCE_S)[0].tolist() == [[6]]
    assert evaluation.sizes == [1, 1]


def test_what_waits_is_answered_before_a_batcher_closes():
    batcher = LeafBatcher(BatchLimits(max_rows=1000, max_wait_s=1.0))
    answer = batcher.submit(Evaluation(), rows_of(1))
    batcher.close()
    assert answer.done()
    with pytest.raises(ArgumentError, match="closed"):
        batcher.submit(Evaluation(), rows_of(1))


def test_figures_count_requests_rows_and_batches(open_batcher):
    evaluation = Evaluation()
    batcher = open_batcher()
    submit_behind_a_busy_evaluation(
        batcher, evaluation, [(evaluation, rows_of(1, 2)), (evaluation, rows_of(3))]
    )
    batcher.close()
    figures = batcher.figures
    assert (figures.num_requests, figures.num_rows, figures.num_batches) == (3, 4, 2)


@pytest.mark.parametrize("limits", [{"max_rows": 0}, {"max_wait_s": -0.1}, {"max_wait_s": 2.0}])
def test_limits_that_make_no_sense_are_refused(limits):
    with pytest.raises(ArgumentError, match="expected batches"):
        BatchLimits(**limits)


def test_an_empty_request_is_refused(open_batcher):
    with pytest.raises(ArgumentError, match="at least one row"):
        open_batcher().submit(Evaluation(), rows_of())
