"""Usage: export_npz.py RUN.npz FRAMES DTYPE TOLERANCE"""
import sys

import numpy as np

import export_formula as run

path, frames, dtype, tolerance = sys.argv[1], int(sys.argv[2]), sys.argv[3], 4 * float(sys.argv[4])
z = np.load(path, allow_pickle=False)
times = [run.time(k) for k in range(frames)]
run.close(z["time"], times, 1e-15, "time")
assert z["step"].tolist() == [10 * k for k in range(frames)]
assert z["bodies"].tolist() == run.NAMES and z["keys"].tolist() == run.KEYS, (z["bodies"], z["keys"])
expected = {"time", "step", "bodies", "keys", "block/tets"}
expected |= {f"{key}/{name}" for key in run.KEYS for name in ("positions", "triangles")}
expected |= {f"{key}/velocities" for b, key in enumerate(run.KEYS) if run.MOVES[b]}
expected |= {"block/height", "block/force", "block/energy", f"{run.KEYS[1]}/energy"}
assert set(z.files) == expected, set(z.files) ^ expected
for body, key in enumerate(run.KEYS):
    x = z[f"{key}/positions"]
    assert x.dtype == dtype, x.dtype
    run.close(z[f"{key}/triangles"], run.TRIANGLES[body], 0, "triangles")
    if not run.MOVES[body]:
        run.close(x, run.START[body][None], tolerance, "positions")
        continue
    run.close(x, [run.positions(body, t) for t in times], tolerance, "positions")
    run.close(z[f"{key}/velocities"], [run.velocities(body, t) for t in times], tolerance, "velocities")
run.close(z["block/tets"], run.TETS, 0, "tets")
run.close(z["block/height"], [run.positions(0, t)[:, 1] for t in times], tolerance, "height")
run.close(z["block/force"], [3 * run.velocities(0, t) for t in times], 3 * tolerance, "force")
run.close(z["block/energy"], [run.energy(4, t) for t in times], tolerance, "energy")
run.close(z[f"{run.KEYS[1]}/energy"], [run.energy(8, t) for t in times], 2 * tolerance, "energy")
print("as expected")
