"""Numbers that scenes of dry masonry are compared with and that no formula gives in one line.

    python3 scenes/references/masonry.py

Needs nothing but Python, and shares nothing with the simulator.
"""

from math import cos, pi, sin

GRAVITY = 9.81


class Arch:
    """A symmetric semicircular arch of straight stones, cut along radii, that do not slide; all lengths [m].

    It stands if a line of thrust fits: at every joint the resultant passes between the inner and the outer edge. Half the weight
    rests on each foot; what is free is the thrust and where it acts on the foot.
    """

    def __init__(self, stones, radius, thickness, weight=1.0):
        self.stones, self.radius, self.thickness, self.weight = stones, radius, thickness, weight

    def joints(self, thrust):
        """Of each joint of one half: normal force, and its moment about the middle for a central force on the foot."""
        step = pi / self.stones
        inner, outer = self.radius - self.thickness / 2, self.radius + self.thickness / 2
        centre = 2 / 3 * cos(step / 2) * (outer**3 - inner**3) / (outer**2 - inner**2)
        up, stones_moment = self.weight * self.stones / 2, 0.0
        for k in range(self.stones // 2 + 1):
            x, y = self.radius * cos(k * step), self.radius * sin(k * step)
            moment = (self.radius - x) * up - y * thrust + x * k * self.weight - stones_moment
            yield thrust * sin(k * step) + (up - k * self.weight) * cos(k * step), moment
            stones_moment += centre * cos((k + 0.5) * step) * self.weight

    def room(self, thrust):
        """How far the force on the foot can be moved, as a moment [N m]; negative if no place suits all joints."""
        joints = list(self.joints(thrust))
        half = self.thickness / 2
        return min(half * n - m for n, m in joints) - max(-half * n - m for n, m in joints)

    def thrusts(self):
        """Least and largest thrust of the arch [N]; nothing if it falls. Room is concave in the thrust."""
        low, high = 0.0, 2.0 * self.weight * self.stones
        for _ in range(100):
            a, b = low + (high - low) / 3, high - (high - low) / 3
            low, high = (a, high) if self.room(a) < self.room(b) else (low, b)
        best = (low + high) / 2
        if self.room(best) < 0.0:
            return None
        return bisect(lambda h: self.room(h) >= 0.0, 0.0, best), bisect(
            lambda h: self.room(h) < 0.0, best, 2.0 * self.weight * self.stones
        )


def bisect(holds, low, high):
    """Where a claim that is false at the low end begins to hold."""
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


if __name__ == "__main__":
    for stones in (11, 101):
        least = bisect(lambda t: Arch(stones, 1.0, t).thrusts() is not None, 0.02, 0.3)
        print(f"arch: {stones} stones stand from a thickness of {least:.4f} radii on")
    area = 0.5 * (1.055**2 - 0.945**2) * sin(pi / 11)
    least, most = Arch(11, 1.0, 0.11, 2000 * GRAVITY * 0.3 * area).thrusts()
    print(f"arch: eleven stones of thickness 0.11 push their feet apart with {least:.1f} to {most:.1f} N")
