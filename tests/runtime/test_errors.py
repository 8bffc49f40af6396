import pytest

from pliant.runtime import errors


@pytest.mark.parametrize("name", ["BodyError", "SettingsError", "Diverged"])
def test_all_errors_have_one_ancestor(name):
    assert issubclass(getattr(errors, name), errors.PliantError)
