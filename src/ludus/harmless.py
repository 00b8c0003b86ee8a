"""Text from files and other programs, made harmless for a terminal.

A player file, a PDN tag or an engine can hold control characters that move the cursor, change the title of a window or
hide what stands before them. They are shown as escapes instead.
"""


def harmless(text: object) -> str:
    """The text with every character that is not printable written as its escape; ends of lines and tabs stay."""
    plain = str(text)
    if plain.isprintable():
        return plain
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode() for char in plain
    )
