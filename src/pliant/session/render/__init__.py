"""Pictures without a screen (extra `[render]`): moderngl on EGL, on a graphics card or in software.

from pliant.session.render import Camera, Drawable, Renderer, View, frame_all, meshes, tiles, write_png
from pliant.session.render.movie import write_movie, write_pictures
"""

from pliant.session.render import meshes as meshes
from pliant.session.render.camera import Camera as Camera
from pliant.session.render.camera import frame_all as frame_all
from pliant.session.render.film_renderer import FilmRenderer as FilmRenderer
from pliant.session.render.lights import Studio as Studio
from pliant.session.render.palette import colour_of as colour_of
from pliant.session.render.picture import Picture as Picture
from pliant.session.render.picture import caption as caption
from pliant.session.render.picture import tiles as tiles
from pliant.session.render.picture import write_png as write_png
from pliant.session.render.renderer import Renderer as Renderer
from pliant.session.render.textures import Texture as Texture
from pliant.session.render.view import Backdrop as Backdrop
from pliant.session.render.view import Drawable as Drawable
from pliant.session.render.view import Ground as Ground
from pliant.session.render.view import View as View
from pliant.session.render.view import collider as collider
from pliant.session.render.view import handle as handle
from pliant.session.render.view import particles as particles
