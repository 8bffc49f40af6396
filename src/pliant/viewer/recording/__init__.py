"""The last minute of a simulation, kept in memory: played back, saved as files, drawn as films."""
