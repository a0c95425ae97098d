"""The logistic function and its inverse, by the array: numpy has neither."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Logits further from 0 count as this: a probability never comes out as 0 or 1.
_MOST: Final = 30.0


def logistic(logits: NDArray[Any]) -> NDArray[np.float64]:
    """Return the probabilities of these logits, an array of the same shape.

    Examples
    --------
    >>> import numpy as np
    >>> logistic(np.array([0.0, np.log(3), 1000])).round(3).tolist()
    [0.5, 0.75, 1.0]
    """
    result: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(logits, -_MOST, _MOST)))
    return result


def logit(probabilities: NDArray[Any], least: float) -> NDArray[np.float64]:
    """Return the logits of probabilities, an array of the same shape.

    Parameters
    ----------
    probabilities
        Any shape.
    least
        What a probability nearer to 0 or to 1 is taken to be away from it.

    Examples
    --------
    >>> import numpy as np
    >>> logit(np.array([0.5, 0.75]), 1e-9).round(3).tolist()
    [0.0, 1.099]
    """
    inside = np.clip(probabilities, least, 1 - least)
    result: NDArray[np.float64] = np.log(inside / (1 - inside))
    return result
