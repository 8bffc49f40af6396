"""Random TOML: data, and one of the many ways to write them down."""

from hypothesis import strategies as st

from pliant.scene.save import name, text

NAMES = st.one_of(
    st.sampled_from(["a", "b", "c-d", "e_1", "7", "true"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
)
SCALARS = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.sampled_from(["", "#", "'", '"', '"""', "'''", "\\", "a\nb", "[x]", "{y}", "= ", '""', '"\n"']),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=8,
)
TABLES = st.lists(st.dictionaries(NAMES, VALUES, max_size=3), min_size=1, max_size=3)
DOCUMENTS = st.dictionaries(NAMES, st.one_of(VALUES, TABLES), max_size=5)


@st.composite
def written(draw, data):
    """A TOML text that says the data."""
    lines = _table(draw, data, [])
    return "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n# the end"]))


def _table(draw, data, path):
    lines, later = [], []
    for key, item in data.items():
        lines += draw(st.sampled_from([[], [], [""], ["# a remark = [ { \"\"\""]]))
        way = draw(st.sampled_from(["value", "dotted", "heading"]))
        if way == "heading" and (isinstance(item, dict) or _is_tables(item)):
            later.append((key, item))
        elif way == "dotted" and isinstance(item, dict) and item:
            lines += _dotted(draw, item, [key])
        else:
            lines.append(f"{_key(draw, [key])}{_value(draw, item, True)}{_remark(draw)}")
    for key, item in later:
        below = [*path, key]
        dots = draw(st.sampled_from([".", " . "]))
        heading = dots.join(name(part) for part in below)
        for each in [item] if isinstance(item, dict) else item:
            marks = "[]" if isinstance(item, dict) else ("[[", "]]")
            lines += [f"{marks[0]}{heading}{marks[1]}{_remark(draw)}", *_table(draw, each, below)]
    return lines


def _is_tables(item):
    return isinstance(item, list) and len(item) > 0 and all(isinstance(each, dict) for each in item)


def _dotted(draw, data, path):
    lines = []
    for key, item in data.items():
        if isinstance(item, dict) and item and draw(st.booleans()):
            lines += _dotted(draw, item, [*path, key])
        else:
            lines.append(f"{_key(draw, [*path, key])}{_value(draw, item, True)}{_remark(draw)}")
    return lines


def _key(draw, parts):
    """With quotes of either kind where they are allowed."""
    written = []
    for part in parts:
        plain = all(32 <= ord(each) != 127 for each in part) and "'" not in part
        written.append(f"'{part}'" if plain and draw(st.booleans()) else name(part))
    return draw(st.sampled_from(["", "  "])) + ".".join(written) + draw(st.sampled_from([" = ", "=", "  =\t"]))


def _remark(draw):
    return draw(st.sampled_from(["", "", " # so", "  "]))


def _value(draw, item, lines_allowed):
    """Lines may not be broken between the braces of an inline table, but within its lists and strings they may."""
    if isinstance(item, bool):
        return str(item).lower()
    if isinstance(item, str):
        return _string(draw, item)
    if isinstance(item, int):
        return str(item)
    if isinstance(item, float):
        return repr(item)
    if isinstance(item, dict):
        pairs = [f"{_key(draw, [key])}{_value(draw, each, False)}" for key, each in item.items()]
        return "{" + ", ".join(pairs) + "}"
    gap = draw(st.sampled_from(["", " ", "\n", " # ] in a list\n  "]))
    end = draw(st.sampled_from(["", ",", ",\n"])) if item else ""
    return f"[{gap}" + f",{gap or ' '}".join(_value(draw, each, lines_allowed) for each in item) + end + "]"


def _string(draw, item):
    way = draw(st.sampled_from(["plain", "literal", "long", "long literal"]))
    tame = all(each == "\n" or (32 <= ord(each) != 127) for each in item)
    if way == "literal" and tame and "'" not in item and "\n" not in item:
        return f"'{item}'"
    if way == "long literal" and tame and "'''" not in item and not item.endswith("'"):
        return f"'''\n{item}'''"
    if way == "long":
        # Quotes may stand there as they are unless there are three of them.
        quote = '"' if '""' not in item else '\\"'
        return '"""\n' + text(item)[1:-1].replace("\\n", "\n").replace('\\"', quote) + '"""'
    return text(item)
