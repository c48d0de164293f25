"""Post-link: the device modules of all sources in, device images out."""

from dovetail.postlink.link import link_modules
from dovetail.postlink.split import split_images
from dovetail.postlink.undefined import refuse_undefined

__all__ = ["link_modules", "refuse_undefined", "split_images"]
