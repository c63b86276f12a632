"""The run of `export_common/mod.rs`, computed again."""
import numpy as np

NAMES = ["block", 'table cloth "fine"/ü', "floor", "press"]
KEYS = ["block", "table_cloth_fine_", "floor", "press"]
MOVES = [True, True, False, True]

TRIANGLES = [
    np.array([[0, 3, 1], [0, 1, 4], [0, 4, 3], [1, 3, 4]]),
    np.array([t for k in range(4) for t in (
        [3 * (k // 2) + k % 2, 3 * (k // 2 + 1) + k % 2, 3 * (k // 2) + k % 2 + 1],
        [3 * (k // 2) + k % 2 + 1, 3 * (k // 2 + 1) + k % 2, 3 * (k // 2 + 1) + k % 2 + 1])]),
    np.array([[0, 2, 1], [0, 3, 2]]),
    np.array([[0, 2, 1], [0, 3, 2]]),
]
TETS = np.array([[a, c, b, 2] for a, b, c in TRIANGLES[0]])
PLATE = [[-3, -1, -3], [3, -1, -3], [3, -1, 3], [-3, -1, 3]]
START = [np.array(s, dtype=float) for s in (
    [[0, 0, 0], [1, 0, 0], [0.25, 0.25, 0.25], [0, 1, 0], [0, 0, 1]],
    [[k % 3, 2, k // 3] for k in range(9)],
    PLATE,
    PLATE,
)]
# Vertices of each body that its surface uses.
SURFACE = [np.unique(t) for t in TRIANGLES]


def surface_triangles(body):
    return np.searchsorted(SURFACE[body], TRIANGLES[body])


def time(frame):
    return 0.05 * frame


def positions(body, t):
    x, y, z = START[body].T
    if not MOVES[body]:
        return START[body]
    return np.stack([x + t * y, y - 0.5 * t * t, z + np.sin(t) * x], axis=1)


def velocities(body, t):
    x, y, z = START[body].T
    if not MOVES[body]:
        return np.zeros_like(START[body])
    return np.stack([y, np.full_like(y, -t), np.cos(t) * x], axis=1)


def energy(count, t):
    return t + np.arange(count)


def close(found, expected, tolerance, what):
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape, f"{what}: shape {found.shape} instead of {expected.shape}"
    error = np.abs(found.astype(float) - expected).max() if found.size else 0.0
    assert error <= tolerance, f"{what}: off by {error}"
