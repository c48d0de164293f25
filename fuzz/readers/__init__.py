"""One module for each family of readers."""
