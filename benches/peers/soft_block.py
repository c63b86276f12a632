#!/usr/bin/env python3
"""The soft block on an incline, in other systems: CPU seconds per simulated second, and how far off its acceleration is.

    python3 -m venv target/peers && target/peers/bin/pip install mujoco==3.17.0
    target/peers/bin/python benches/peers/soft_block.py [--systems mujoco rapier-fem] [--repeats 3]

The block: 0.2 m, 6 x 6 x 6 vertices, E 2e5 Pa, Poisson's ratio 0.3, 8 kg, friction 0.5. It is put on a plane and gravity is tilted;
the acceleration is measured over the second half of one second. Coulomb says g (sin a - mu cos a), or nothing below the
threshold. Without friction it must be g sin a: a system that misses this control has its other rows in doubt.

A block below the threshold should be at rest in the end: its speed is given instead of an error.

Times are CPU times of the process, the best of the repeats, so that a busy machine matters less. Rapier is a small program of
its own in `rapier/`, built on demand. Both are pinned: figures of other versions are other figures.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
GRAVITY = 9.81  # [m/s2]
DURATION = 1.0  # [s]
# Friction and the tangent of the angle: the control, two blocks that should stay, two that should slide.
CASES = [(0.0, 0.5), (0.5, 0.40), (0.5, 0.475), (0.5, 0.525), (0.5, 0.6)]


def coulomb(friction, tangent):
    angle = math.atan(tangent)
    return max(0.0, GRAVITY * (math.sin(angle) - friction * math.cos(angle)))


def mujoco(friction, tangent, time_step=1e-3):
    """One run of MuJoCo's flex: end speed [m/s], acceleration [m/s2], CPU time [s]."""
    import mujoco as library

    angle = math.atan(tangent)
    model = library.MjModel.from_xml_string(f"""
<mujoco>
  <option timestep="{time_step}" gravity="{GRAVITY * math.sin(angle)} 0 {-GRAVITY * math.cos(angle)}" cone="elliptic"
          impratio="10" solver="CG" iterations="100" tolerance="1e-8" integrator="discrete"/>
  <size memory="400M"/>
  <worldbody>
    <geom type="plane" size="50 50 1" friction="{friction} 0 0" condim="3"/>
    <flexcomp name="block" type="grid" dim="3" count="6 6 6" spacing="0.04 0.04 0.04" pos="0 0 0.1015" radius="0.001" mass="8">
      <contact condim="3" friction="{friction} 0 0" selfcollide="none" solref="0.01 1"/>
      <edge damping="1"/>
      <elasticity young="2e5" poisson="0.3" damping="0.002"/>
    </flexcomp>
  </worldbody>
</mujoco>""")
    data = library.MjData(model)
    half = round(0.5 * DURATION / time_step)
    speed = lambda: data.qvel.reshape(-1, 3).mean(axis=0)[0]
    start = time.process_time()
    for _ in range(half):
        library.mj_step(model, data)
    middle = speed()
    for _ in range(half):
        library.mj_step(model, data)
    cpu = time.process_time() - start
    return {"speed": speed(), "acceleration": (speed() - middle) / (half * time_step), "cpu": cpu}


def rapier(solver):
    """Rapier's soft bodies, by constraints or finite elements, through the program beside this file."""
    folder = HERE / "rapier"
    target = HERE.parents[1] / "target" / "peer-rapier"
    program = target / "release" / "soft_block"
    if not program.exists():
        subprocess.run(["cargo", "build", "--release", "--manifest-path", folder / "Cargo.toml", "--target-dir", target], check=True)

    def run(friction, tangent):
        done = subprocess.run([program, solver, str(friction), str(tangent)], check=True, capture_output=True, text=True)
        return json.loads(done.stdout)

    return run


def table(name, run, repeats):
    for friction, tangent in CASES:
        rows = [run(friction, tangent) for _ in range(repeats)]
        row, cpu = rows[-1], min(row["cpu"] for row in rows) / DURATION
        expected = coulomb(friction, tangent)
        off = f"{100 * (row['acceleration'] / expected - 1):+.2f} %" if expected else f"moves at {row['speed']:.1e} m/s"
        print(f"| {name} | {friction} | {tangent} | {expected:.4f} | {row['acceleration']:.4f} | {off} | {cpu:.2f} |", flush=True)


def main():
    systems = {
        "mujoco": ("MuJoCo 3.17.0, 1 ms", lambda: mujoco),
        "rapier-constraints": ("Rapier 0.36.1 constraints, 5 ms", lambda: rapier("constraints")),
        "rapier-fem": ("Rapier 0.36.1 FEM, 5 ms", lambda: rapier("fem")),
    }
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systems", nargs="+", choices=systems, default=list(systems))
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print("| system | friction | tan a | Coulomb [m/s2] | measured [m/s2] | error | CPU s per simulated s |")
    print("|---|---|---|---|---|---|---|")
    for system in options.systems:
        name, make = systems[system]
        table(name, make(), options.repeats)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
