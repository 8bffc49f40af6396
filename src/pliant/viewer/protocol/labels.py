"""The groups of particles on their way to a page: u32 LABELS, u32 how many, a byte each, 255 for none. Little-endian,
like packing.py; sent when they change, not with every frame."""

import struct

LABELS = 16  # beside SETUP, FRAME and BODIES


def pack_labels(labels: bytes) -> bytes:
    return struct.pack("<II", LABELS, len(labels)) + labels
