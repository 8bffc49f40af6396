"""Built-in exhibits: the figures of the papers, each with a check of its outcome."""
