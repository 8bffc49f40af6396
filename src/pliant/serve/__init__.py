"""`pliant serve`: soft bodies for other programs, over a socket of this machine. docs/serve.md is the protocol."""
