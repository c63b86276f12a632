"""Usage: export_zip64.py RUN.npz. Checks an archive that is too large to load."""
import sys
import zipfile

import numpy as np

import export_formula as run

path = sys.argv[1]
with zipfile.ZipFile(path) as archive:
    assert archive.getinfo("block/large.npy").file_size > 2**32
    assert archive.testzip() is None, "a checksum is wrong"
z = np.load(path)
# Behind the large array, so that its place is beyond 32 bits.
run.close(z["block/energy"], [run.energy(4, run.time(k)) for k in range(140)], 1e-12, "energy")
print("as expected")
