"""An exhibit or a file being simulated, and all that people change in it meanwhile. Knows no threads and no pages."""
