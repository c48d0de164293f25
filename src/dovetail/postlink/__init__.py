"""Post-link: the device modules of all sources in, device images out."""

from dovetail.postlink.link import link_modules
from dovetail.postlink.split import split_images

__all__ = ["link_modules", "split_images"]
