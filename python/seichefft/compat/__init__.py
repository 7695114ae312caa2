"""Interfaces of other packages, so that code written for them changes its imports only."""
