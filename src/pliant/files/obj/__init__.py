"""Wavefront OBJ with its MTL: surfaces and polylines in, a folder of frames out."""

from pliant.files.obj.reading import read as read
from pliant.files.obj.reading import read_numbered as read_numbered
from pliant.files.obj.reading import read_numbering as read_numbering
from pliant.files.obj.writing import write as write
