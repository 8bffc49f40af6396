"""What USD's own checker says of the files that we write.

`usdchecker` itself does not come with the library, but it is only this: all validators that are registered, less those
marked for packages unless `--arkit` is given, and less the one for root packages alone. Passing means no error; we ask
for no warning either, as with `--strict`.
"""

from pathlib import Path
from typing import Any

import pytest
from pxr import Sdf, Usd, UsdValidation

from files.usd.authoring import material, mesh, shader, stage
from files.usd.takes import all_takes
from pliant.files.usd import write


def complaints(path: Path, arkit: bool) -> list[str]:
    def chosen(rule: Any) -> bool:
        if rule.name == "usdUtilsValidators:RootPackageValidator":
            return False
        return arkit or "UsdzValidators" not in rule.GetKeywords()

    registry = UsdValidation.ValidationRegistry()
    rules = [rule.name for rule in registry.GetAllValidatorMetadata() if chosen(rule)]
    assert len(rules) > 15
    context = UsdValidation.ValidationContext(registry.GetOrLoadValidatorsByName(rules))
    found = context.Validate(Usd.Stage.Open(str(path)))
    return [error.GetErrorAsString() for error in found]


@pytest.mark.parametrize("ending", [".usd", ".usda", ".usdc", ".usdz"])
@pytest.mark.parametrize("name", list(all_takes()))
def test_our_files_pass(tmp_path: Path, name: str, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    write(all_takes()[name], path)
    assert complaints(path, arkit=False) == []
    assert complaints(path, arkit=True) == []


def test_the_checker_finds_faults(tmp_path: Path) -> None:
    made = stage(tmp_path / "a.usda")
    mesh(made, "/cube")
    mesh(made, "/cube/inside")  # a shape within a shape, and no default prim
    material(made, "/paint", picture="./lost.png")
    wrong = shader(made, "/paint/odd", "UsdUVTexture")
    wrong.CreateInput("file", Sdf.ValueTypeNames.String).Set("text is no file")
    made.GetRootLayer().Save()
    told = " ".join(complaints(tmp_path / "a.usda", arkit=True))
    assert "defaultPrim" in told and "/cube/inside" in told and "lost.png" in told and "/paint/odd" in told
