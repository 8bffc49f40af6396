"""The pages and their panels, in NiceGUI. The viewport that stands beside them is JavaScript, in `viewport/`."""
