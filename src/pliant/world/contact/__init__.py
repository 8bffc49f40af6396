"""Bodies meet bodies: contact spheres, a hash grid, pushes and friction."""

from pliant.world.contact.contact_system import ContactSystem
from pliant.world.contact.contacts import Contacts

__all__ = ["ContactSystem", "Contacts"]
