"""Numbers that scenes of solids are compared with and that no formula gives in one line.

    python3 scenes/references/solids.py

Needs nothing but Python. Each function solves an ordinary differential equation, a quadrature or a root on its own:
nothing here is shared with the simulator.
"""

from math import cos, hypot, pi, sin, sqrt

GRAVITY = 9.81


def bisect(f, low, high):
    """The root of `f` between two values of different sign."""
    rising = f(low) < 0
    for _ in range(200):
        middle = 0.5 * (low + high)
        if (f(middle) < 0) == rising:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def heavy_elastica(load, steps=2000):
    """Tip of an inextensible cantilever bending under its own weight: how far along and down, over its length.

    EI θ'' = -w (L - s) cos θ, θ(0) = 0 at the clamp, θ'(L) = 0 at the tip; `load` is w L³ / EI. Shooting with
    Runge-Kutta of fourth order from the tip, where the curvature vanishes, to the clamp.
    """

    def shoot(tip_angle):
        h = 1.0 / steps
        theta, kappa, x, y = tip_angle, 0.0, 0.0, 0.0

        # From the tip with r = 1 - s: θ decreases by κ, κ grows by the moment's slope.
        def rates(r, theta, kappa):
            return -kappa, load * r * cos(theta), cos(theta), sin(theta)

        for n in range(steps):
            r = n * h
            k1 = rates(r, theta, kappa)
            k2 = rates(r + h / 2, theta + h / 2 * k1[0], kappa + h / 2 * k1[1])
            k3 = rates(r + h / 2, theta + h / 2 * k2[0], kappa + h / 2 * k2[1])
            k4 = rates(r + h, theta + h * k3[0], kappa + h * k3[1])
            step = [h / 6 * (a + 2 * b + 2 * c + d) for a, b, c, d in zip(k1, k2, k3, k4)]
            theta, kappa, x, y = theta + step[0], kappa + step[1], x + step[2], y + step[3]
        return theta, x, y

    angle = bisect(lambda a: shoot(a)[0], 0.0, 0.5 * pi)
    _, x, y = shoot(angle)
    return x, y


def lame(youngs, nu):
    """μ and λ [Pa]."""
    return youngs / (2 * (1 + nu)), youngs * nu / ((1 + nu) * (1 - 2 * nu))


def stable(youngs, nu):
    """μ', λ' and α of the stable neo-Hookean law [SGK18]."""
    mu, lam = lame(youngs, nu)
    mu, lam = 4 / 3 * mu, lam + 5 / 6 * mu
    return mu, lam, 1 + 0.75 * mu / lam


def stable_uniaxial(youngs, nu, a):
    """Stretch across [-] and nominal stress [Pa] of a bar pulled to `a` times its length, its sides free."""
    mu, lam, alpha = stable(youngs, nu)
    shear = lambda b: mu * (1 - 1 / (a * a + 2 * b * b + 1))
    b = bisect(lambda b: shear(b) + lam * (a * b * b - alpha) * a, 0.05, 5.0)
    return b, shear(b) * a + lam * (a * b * b - alpha) * b * b


def hanging_bar(youngs, nu, density, length, points=400):
    """Length of a slender bar that hangs in gravity [m]: each section carries the weight below it."""
    h = length / points
    stretch = lambda y: bisect(
        lambda a: stable_uniaxial(youngs, nu, a)[1] - density * GRAVITY * y, 0.9, 4.0
    )
    values = [stretch(n * h) for n in range(points + 1)]
    weights = [1 if n in (0, points) else 4 if n % 2 else 2 for n in range(points + 1)]
    return sum(w * v for w, v in zip(weights, values)) * h / 3


def hollow_ball(youngs, nu, a, b, pressure, shells=400):
    """Inner and outer radius [m] of a hollow ball of stable neo-Hookean rubber under a pressure inside [Pa].

    Minimises the energy over radial motions, piecewise linear in the radius: Newton on a tridiagonal system, the
    pressure raised in small increments. The error falls with the square of the shells.
    """
    mu, lam, alpha = stable(youngs, nu)
    R = [a + (b - a) * n / shells for n in range(shells + 1)]
    r = R[:]

    def stresses(p, t):
        """∂Ψ/∂p, ∂Ψ/∂t and second derivatives for stretches p along and t twice across."""
        i, j = p * p + 2 * t * t, p * t * t
        c, dc = mu * (1 - 1 / (i + 1)), mu / (i + 1) ** 2
        s = lam * (j - alpha)
        jp, jt = t * t, 2 * p * t
        fp, ft = c * p + s * jp, 2 * c * t + s * jt
        pp = c + 2 * dc * p * p + lam * jp * jp
        pt = 4 * dc * p * t + lam * jp * jt + s * 2 * t
        tt = 2 * c + 8 * dc * t * t + lam * jt * jt + s * 2 * p
        return fp, ft, pp, pt, tt

    for increment in range(1, 21):
        load = pressure * increment / 20
        for _ in range(30):
            n = shells + 1
            g, diagonal, upper = [0.0] * n, [0.0] * n, [0.0] * n
            for k in range(shells):
                h, m = R[k + 1] - R[k], 0.5 * (R[k] + R[k + 1])
                weight = (R[k + 1] ** 3 - R[k] ** 3) / 3
                p, t = (r[k + 1] - r[k]) / h, 0.5 * (r[k] + r[k + 1]) / m
                fp, ft, pp, pt, tt = stresses(p, t)
                dp, dt = (-1 / h, 1 / h), (0.5 / m, 0.5 / m)
                for i in (0, 1):
                    g[k + i] += weight * (fp * dp[i] + ft * dt[i])
                    diagonal[k + i] += weight * (
                        pp * dp[i] ** 2 + 2 * pt * dp[i] * dt[i] + tt * dt[i] ** 2
                    )
                upper[k] += weight * (
                    pp * dp[0] * dp[1] + pt * (dp[0] * dt[1] + dp[1] * dt[0]) + tt * dt[0] * dt[1]
                )
            g[0] -= load * r[0] ** 2
            diagonal[0] -= 2 * load * r[0]
            # Symmetric elimination from the inside.
            d, e = diagonal[:], [-x for x in g]
            for k in range(1, n):
                w = upper[k - 1] / d[k - 1]
                d[k] -= w * upper[k - 1]
                e[k] -= w * e[k - 1]
            dx = [0.0] * n
            dx[-1] = e[-1] / d[-1]
            for k in range(n - 2, -1, -1):
                dx[k] = (e[k] - upper[k] * dx[k + 1]) / d[k]
            r = [x + y for x, y in zip(r, dx)]
            if max(abs(x) for x in dx) < 1e-14:
                break
    return r[0], r[-1]


def pendulum_period(length, amplitude):
    """Of a body whose reduced length I / (m d) is given [m], at an amplitude [rad], in [s]."""
    a, g = 1.0, cos(0.5 * amplitude)
    while abs(a - g) > 1e-15:
        a, g = 0.5 * (a + g), sqrt(a * g)
    return 2 * pi * sqrt(length / GRAVITY) / a


def swing(scheme, length, h, time, stiffness=1e9):
    """A point on a stiff rod, let go at the level of its pivot: where it is, over the length, and what is left of its
    energy, over its weight times the length.

    A slender rigid body moves as such a point does under each of these schemes: all its points move alike. The rod is a
    spring of `stiffness` [1/s²] per mass.
    """
    q, v, before = (length, 0.0), (0.0, 0.0), None

    def force(q):
        r = hypot(*q)
        s = -stiffness * (r - length) / r
        return s * q[0], s * q[1] - GRAVITY

    def add(*terms):
        return tuple(sum(c * p[i] for c, p in terms) for i in (0, 1))

    def solve(w, q_hat, v_hat, guess):
        """v = v_hat + w f(q_hat + w v)."""
        v = guess
        for _ in range(100):
            q = add((1, q_hat), (w, v))
            f = force(q)
            r = hypot(*q)
            n = (q[0] / r, q[1] / r)
            # ∂f/∂q = -k (n nᵀ + (1 - l/r) t tᵀ)
            kn, kt = stiffness, stiffness * (1 - length / r)
            res = [v_hat[i] + w * f[i] - v[i] for i in (0, 1)]
            t = (-n[1], n[0])
            along = (res[0] * n[0] + res[1] * n[1]) / (1 + w * w * kn)
            across = (res[0] * t[0] + res[1] * t[1]) / (1 + w * w * kt)
            v = (v[0] + along * n[0] + across * t[0], v[1] + along * n[1] + across * t[1])
            if abs(along) + abs(across) < 1e-13:
                break
        return add((1, q_hat), (w, v)), v

    def trapezoid(h, q, v):
        f = force(q)
        return solve(h / 2, add((1, q), (h / 2, v)), add((1, v), (h / 2, f)), v)

    def sdirk2(h, q, v):
        alpha = 1 - sqrt(0.5)
        qm, vm = solve(alpha * h, q, v, v)
        rest = (1 - alpha) * h
        return solve(alpha * h, add((1, q), (rest, vm)), add((1, v), (rest, force(qm))), vm)

    def tr_bdf2(h, q, v):
        g = 2 - sqrt(2)
        qm, vm = trapezoid(g * h, q, v)
        a, b = 1 / (g * (2 - g)), (1 - g) ** 2 / (g * (2 - g))
        w = (1 - g) * h / (2 - g)
        return solve(w, add((a, qm), (-b, q)), add((a, vm), (-b, v)), vm)

    for _ in range(round(time / h)):
        if scheme == "backward-euler":
            new = solve(h, q, v, v)
        elif scheme == "bdf2" and before is not None:
            q0, v0 = before
            new = solve(2 / 3 * h, add((4 / 3, q), (-1 / 3, q0)), add((4 / 3, v), (-1 / 3, v0)), v)
        elif scheme == "trapezoid":
            new = trapezoid(h, q, v)
        elif scheme == "tr-bdf2":
            new = tr_bdf2(h, q, v)
        else:
            new = sdirk2(h, q, v)
        before, (q, v) = (q, v), new
    energy = 0.5 * (v[0] ** 2 + v[1] ** 2) + GRAVITY * q[1]
    return q[0] / length, q[1] / length, energy / (GRAVITY * length)


if __name__ == "__main__":
    print("cantilever: tip along and down under w L³ / EI")
    for load in (0.08, 8.0):
        print(f"  {load}: {heavy_elastica(load)}")
    length = 2 / 3 * (1.0 + 0.04**2 / 4)
    period = pendulum_period(length, pi / 2)
    print(f"pendulum: reduced length {length:.7f} m, period {period:.6f} s, ¼: {period / 4:.6f}, 1¼: {1.25 * period:.6f}")
    for scheme in ("backward-euler", "bdf2", "trapezoid", "tr-bdf2", "sdirk2"):
        for h in (0.01, 0.005):
            x, y, energy = swing(scheme, length, h, 2.5, (pi / 2) ** 2 * 2e9 / 1050)
            print(f"  {scheme}, h = {h}: x {x:.5f}, y {y:.5f}, energy {energy:.6f}")
    print("static sag:")
    for youngs in (3e4, 1e7):
        print(f"  E = {youngs}: {hanging_bar(youngs, 0.45, 1050.0, 1.0):.8f}")
    print("hollow ball:")
    for shells in (100, 200):
        print(f"  {hollow_ball(2e6, 0.3, 0.07, 0.1, 2.5e5, shells)}")
