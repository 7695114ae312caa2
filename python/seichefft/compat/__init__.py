"""Interfaces of other packages, so that code written for them changes its imports only."""

from . import pyvkfft as pyvkfft
