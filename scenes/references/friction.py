"""Numbers that scenes of friction are compared with and that no formula gives in one line.

    python3 scenes/references/friction.py

Needs nothing but Python, and shares nothing with the simulator.
"""

from math import cos, exp, pi, sin

GRAVITY = 9.81


def slip_over_cylinder(friction, short, time, radius=1.6 / pi, length=4.0, drag=4.0, step=1e-3):
    """How far a sheet over a cylinder slips from rest [m], its shorter end rising.

    Inextensible, sliding everywhere. With A = dv/dt + drag v and tensions over the weight of a metre, the ends pull with
    short (g + A) and long (g - A), and between -90° and 90° T' = μ (T + R g cos θ - v²) - R g sin θ + R A. That is linear in
    A once integrated against e^(-μθ), by Simpson's rule here.
    """

    def integral(f, panels=200):
        h = pi / panels
        weights = [1 if i in (0, panels) else 4 if i % 2 else 2 for i in range(panels + 1)]
        angles = [-pi / 2 + h * i for i in range(panels + 1)]
        return h / 3 * sum(w * exp(friction * (pi / 2 - a)) * f(a) for w, a in zip(weights, angles))

    gain = exp(friction * pi)
    whole = integral(lambda _: 1.0)
    weight = integral(lambda a: friction * cos(a) - sin(a))

    def acceleration(slip, speed):
        up, down = short - slip, length - pi * radius - short + slip
        pull = GRAVITY * (down - up * gain - radius * weight) + friction * speed**2 * whole
        return pull / (down + up * gain + radius * whole) - drag * speed

    slip, speed = 0.0, 0.0
    for _ in range(round(time / step)):
        # The midpoint rule.
        middle = speed + 0.5 * step * acceleration(slip, speed)
        speed += step * acceleration(slip + 0.5 * step * speed, middle)
        slip += step * middle
    return slip


if __name__ == "__main__":
    # 0.002 below the threshold of each pair of ends; what is printed is the way of the second second after it is let go.
    ends = [(0.0256, 1.12), (0.0533, 1.04), (0.0812, 0.96), (0.1094, 0.88), (0.138, 0.8), (0.1675, 0.72), (0.2287, 0.56)]
    for friction, short in ends:
        way = slip_over_cylinder(friction, short, 2.0) - slip_over_cylinder(friction, short, 1.0)
        print(f"cloth_on_cylinder: μ {friction}, short end {short} m: way of the second second {way:.4f} m")
