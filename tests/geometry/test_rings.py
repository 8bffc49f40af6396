import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pliant.geometry.rings import rings


@given(st.data())
def test_rings_are_who_shares_an_element(data):
    count = data.draw(st.integers(4, 12))
    corners = data.draw(st.integers(2, 4))
    row = st.lists(st.integers(0, count - 1), min_size=corners, max_size=corners, unique=True)
    elements = np.array(data.draw(st.lists(row, min_size=1, max_size=15)))
    starts, members = rings(elements, count)
    assert starts.dtype == members.dtype == np.int32
    for i in range(count):
        expected = {int(j) for element in elements if i in element for j in element} - {i}
        assert members[starts[i] : starts[i + 1]].tolist() == [i, *sorted(expected)]


def test_a_particle_without_an_element_has_only_itself():
    starts, members = rings([[0, 2]], 3)
    assert members[starts[1] : starts[2]].tolist() == [1]
