"""A plugin of pytest that puts seichefft.numpy_fft's functions in the place of numpy.fft's.

python -m pytest -p numpy_fft_plugin --pyargs numpy.fft.tests
"""

from __future__ import annotations

import numpy.fft

from seichefft import numpy_fft

for _name in numpy_fft.__all__:
    setattr(numpy.fft, _name, getattr(numpy_fft, _name))
