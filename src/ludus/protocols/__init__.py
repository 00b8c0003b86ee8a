"""Engine protocols, both sides: Hub and the line protocol."""
