"""The threads and sockets around simulations: sessions, streams, uploads, temporary files, and who may connect."""
