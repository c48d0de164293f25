"""Code generation: device images in, code that a driver takes out. One folder a kind of target."""
