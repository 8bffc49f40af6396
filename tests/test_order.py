"""The order of tests for several workers: each is run once, and long ones begin early."""

import pytest

from order import arranged


@pytest.mark.parametrize("workers", [1, 2, 3, 8])
@pytest.mark.parametrize("counts", [(0, 0, 5), (3, 0, 0), (7, 20, 400), (50, 3, 2), (0, 4, 9), (4, 0, 40)])
def test_each_is_run_once(workers: int, counts: tuple[int, int, int]) -> None:
    pages, slow, quick = ([f"{kind}{n}" for n in range(count)] for kind, count in zip("PSq", counts, strict=True))
    order = arranged(pages, slow, quick, workers)
    assert sorted(order) == sorted([*pages, *slow, *quick])
    assert [each for each in order if each[0] == "P"] == pages  # neighbours stay neighbours
    if counts == (7, 20, 400) and workers > 1:
        share = len(order) / workers
        assert order[: len(pages)] == pages
        for number in range(1, workers):
            assert any(each[0] == "S" for each in order[round(number * share) - 1 : round(number * share) + 3])
