"""Prints every frame of a run as python-zarr sees it: its step, then the bits of all its numbers."""

import pathlib
import sys

import numpy
import zarr

root = zarr.open_group(pathlib.Path(sys.argv[1]) / "frames.zarr", mode="r")
about = root.attrs
assert about["format"] == "stiction-run" and about["format_version"] == 2
assert about["status"] == "finished"
assert [body["name"] for body in about["bodies"]] == ["block", "the floor", "Wäsche/strip"]
assert root["time"].shape == (about["frames"],), "trimmed to the frames there are"
assert root["time"].metadata.dimension_names == ("frame",)

assert numpy.isnan(root["time"].fill_value) and root["step"].fill_value == -1

floor = root[about["bodies"][1]["path"]]
assert floor.attrs["kind"] == "obstacle" and not floor.attrs["moves"]
assert floor["triangles"][:].tolist() == [[0, 1, 2]]
assert "positions" not in floor

block = root["bodies/block"]
assert block["positions"].metadata.dimension_names == ("frame", "vertex", "axis")
assert block["positions"].chunks == (1, *block["start"].shape)
assert block["positions"].attrs["unit"] == "m" and block["speed"].attrs["unit"] == "m/s"
assert block["middle"].attrs["place"] == "element"
assert block["tets"].shape == (2, 4)
assert root[about["bodies"][2]["path"]]["tets"].shape == (0, 4)
assert numpy.allclose(block["positions"][0], block["start"])

for frame in range(about["frames"]):
    numbers = [root["time"][frame]]
    for body in about["bodies"]:
        group = root[body["path"]]
        if group.attrs["moves"]:
            names = ["positions", "velocities"] + [f["path"] for f in group.attrs["fields"]]
            for name in names:
                numbers.extend(group[name][frame].ravel())
    bits = numpy.array(numbers, dtype="<f8").view("<u8")
    print(int(root["step"][frame]), *(f"{value:016x}" for value in bits))

# A bit that flipped is told by the codec of checksums.
chunk = pathlib.Path(sys.argv[1]) / "frames.zarr/bodies/block/positions/c.3.0.0"
whole = chunk.read_bytes()
chunk.write_bytes(bytes([whole[0] ^ 1]) + whole[1:])
try:
    block["positions"][3]
    raise AssertionError("the flipped bit went unnoticed")
except ValueError as error:
    assert "checksum" in str(error), error
chunk.write_bytes(whole)
