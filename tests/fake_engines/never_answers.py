"""Is asked for a move and says nothing."""

from talk import speak_hub

speak_hub(lambda position, number: None)
