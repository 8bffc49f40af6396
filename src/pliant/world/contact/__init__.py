"""Bodies meet bodies: contact spheres, a hash grid, pushes and friction."""

from pliant.world.contact.arena import Arena, Contacts

__all__ = ["Arena", "Contacts"]
