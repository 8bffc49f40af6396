"""Times and sizes as people say them."""

SECONDS_A_DAY, SECONDS_A_YEAR = 86_400, 31_557_600  # seconds


def span(seconds: float) -> str:
    """A time.

    >>> span(7.3), span(200), span(8000), span(1e6), span(1e10)
    ('7 s', '3 min 20 s', '2 h 13 min', '11.6 days', '317 years')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 2 * SECONDS_A_DAY:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole / SECONDS_A_DAY:.3g} days" if whole < 2 * SECONDS_A_YEAR else f"{whole / SECONDS_A_YEAR:,.0f} years"


def size(count: float) -> str:
    """Bytes.

    >>> size(812), size(1_234_567), size(6.5e15)
    ('812 B', '1.23 MB', '6.5 PB')
    """
    power = min((len(str(int(count))) - 1) // 3, 5)
    return f"{count / 1000**power:.3g} {('B', 'kB', 'MB', 'GB', 'TB', 'PB')[power]}"
