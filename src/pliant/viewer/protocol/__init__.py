"""What pages and the server say to each other: commands in, binary messages out. Imports nothing else of the viewer."""
