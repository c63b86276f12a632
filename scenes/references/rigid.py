"""Numbers that scenes of rigid bodies are compared with and that no formula gives in one line.

    python3 scenes/references/rigid.py

Needs nothing but Python, and shares nothing with the simulator.
"""

from math import atan2, cos, degrees, sin


def tumbling_corner(moments, spin, corner, time, step=1e-3):
    """Height of a corner of a free body [m] after `time`: Euler's equations, by the classical Runge-Kutta rule.

    `moments` of inertia about the axes of the body, which at the start are those of the world; `spin` at the start [rad/s].
    """
    a, b, c = moments

    def rate(state):
        x, y, z = state[:3]
        turn = [(b - c) * y * z / a, (c - a) * z * x / b, (a - b) * x * y / c]
        # What stands upright in the world, seen from the body, turns the other way: u' = u × ω.
        u, v, w = state[3:]
        return turn + [v * z - w * y, w * x - u * z, u * y - v * x]

    def after(state, change, h):
        return [s + h * d for s, d in zip(state, change)]

    state = list(spin) + [0.0, 1.0, 0.0]
    for _ in range(round(time / step)):
        k1 = rate(state)
        k2 = rate(after(state, k1, step / 2))
        k3 = rate(after(state, k2, step / 2))
        k4 = rate(after(state, k3, step))
        state = [s + step / 6 * (p + 2 * q + 2 * r + t) for s, p, q, r, t in zip(state, k1, k2, k3, k4)]
    return sum(u * x for u, x in zip(state[3:], corner))


def leaning_dominoes(count, thickness, height, spacing):
    """Heights of the centres of dominoes that have fallen [m], first to last, if their feet stay where they were.

    The last lies flat. Each other has turned about its front lower edge until its front face meets the lower back corner
    of the next one, or its upper one.
    """
    slope = 0.0
    heights = [thickness / 2]
    for _ in range(count - 1):
        # Corners of the next one, seen from the foot of this one.
        back = (spacing - thickness * sin(slope), thickness * cos(slope))
        top = (back[0] + height * cos(slope), back[1] + height * sin(slope))
        slope = max(atan2(back[1], back[0]), atan2(top[1], top[0]))
        heights.insert(0, 0.5 * (height * sin(slope) + thickness * cos(slope)))
    return heights, degrees(slope)


if __name__ == "__main__":
    brick = ([0.025, 0.05, 0.065], [0.01, 5.0, 0.01], [0.15, 0.1, 0.05])
    for time in (6.0, 10.0):
        print(f"spinning_brick: corner after {time} s at {tumbling_corner(*brick, time):.6f} m")
    heights, slope = leaning_dominoes(10, 0.01, 0.05, 0.02)
    print(f"domino_run: the first leans at {slope:.3f}° and {heights[0]:.6f} m, the last lies at {heights[-1]:.6f} m")
