"""The viewer in the browser: a gallery of exhibits, and a page where each of them lives."""
