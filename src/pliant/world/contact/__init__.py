"""Bodies meet bodies: contact spheres, a hash grid, pushes and friction."""

from pliant.world.contact.arena import Arena
from pliant.world.contact.contacts import Contacts

__all__ = ["Arena", "Contacts"]
