"""Reads poses from an .npz and from Zarr: they agree, and are what a brick in uniform motion has."""

import sys

import numpy
import zarr

npz = numpy.load(sys.argv[1])
run = zarr.open_group(sys.argv[2], mode="r")
pose = npz["brick/pose"]
assert pose.shape == (len(npz["time"]), 13) and pose.dtype == numpy.float64
stored = run["bodies/brick/pose"]
assert (stored[:] == pose).all()
assert stored.attrs["components"][3] == "qw"
assert numpy.allclose(pose[:, 0], 0.5 + 1.5 * npz["time"], atol=1e-4)
assert numpy.allclose(numpy.linalg.norm(pose[:, 3:7], axis=1), 1, atol=1e-12)
print("as expected")
