"""Usage: export_glb.py RUN.glb FRAMES normals|flat"""
import sys

import numpy as np
import pygltflib
import trimesh

import export_formula as run

path, frames, has_normals = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "normals"
gltf = pygltflib.GLTF2().load(path)
blob = gltf.binary_blob()
assert len(blob) == gltf.buffers[0].byteLength
TYPES = {5125: np.uint32, 5126: np.float32}


def decode(index):
    accessor = gltf.accessors[index]
    view = gltf.bufferViews[accessor.bufferView]
    kind = np.dtype(TYPES[accessor.componentType])
    width = {"SCALAR": 1, "VEC3": 3}[accessor.type]
    assert view.byteOffset % 4 == 0 and accessor.byteOffset % 4 == 0
    length = accessor.count * width * kind.itemsize
    assert accessor.byteOffset + length <= view.byteLength, "accessor beyond its view"
    assert view.byteOffset + view.byteLength <= len(blob), "view beyond the buffer"
    assert view.byteStride in (None, width * kind.itemsize)
    start = view.byteOffset + accessor.byteOffset
    values = np.frombuffer(blob, kind, accessor.count * width, start).reshape(-1, width)
    if accessor.max:
        assert np.array_equal(values.max(axis=0), np.array(accessor.max, np.float32)), "max"
        assert np.array_equal(values.min(axis=0), np.array(accessor.min, np.float32)), "min"
    return values


def normals(points, triangles):
    sums = np.zeros_like(points)
    a, b, c = (points[triangles[:, k]] for k in range(3))
    for k in range(3):
        np.add.at(sums, triangles[:, k], np.cross(b - a, c - a))
    return sums / np.linalg.norm(sums, axis=1, keepdims=True)


assert [n.name for n in gltf.nodes] == run.NAMES
animation = gltf.animations[0]
sampler = animation.samplers[0]
times = decode(sampler.input)[:, 0]
assert gltf.accessors[sampler.input].max and gltf.accessors[sampler.input].min == [0]
run.close(times, [run.time(k) for k in range(frames)], 1e-7, "times")
weights = decode(sampler.output).reshape(frames, frames - 1)
assert [c.target.node for c in animation.channels] == [b for b in range(4) if run.MOVES[b]]
assert all(c.target.path == "weights" and c.sampler == 0 for c in animation.channels)

for body, node in enumerate(gltf.nodes):
    mesh = gltf.meshes[node.mesh]
    primitive = mesh.primitives[0]
    triangles = run.surface_triangles(body)
    run.close(decode(primitive.indices).reshape(-1, 3), triangles, 0, "triangles")
    base = decode(primitive.attributes.POSITION).astype(float)
    assert gltf.accessors[primitive.attributes.POSITION].max
    if not run.MOVES[body]:
        assert not primitive.targets
        run.close(base, run.START[body], 0, "the floor")
        continue
    assert len(primitive.targets) == frames - 1 == len(mesh.weights)
    key = lambda target, name: target[name] if isinstance(target, dict) else getattr(target, name)
    assert all(gltf.accessors[key(target, "POSITION")].max for target in primitive.targets)
    changes = np.array([decode(key(target, "POSITION")) for target in primitive.targets])
    for k in range(frames):
        shown = base + np.tensordot(weights[k].astype(float), changes, axes=1)
        expected = run.positions(body, run.time(k))[run.SURFACE[body]]
        run.close(shown, expected, 1e-6, f"body {body}, frame {k}")
        if has_normals:
            n = decode(primitive.attributes.NORMAL).astype(float)
            turns = np.array([decode(key(target, "NORMAL")) for target in primitive.targets])
            n = n + np.tensordot(weights[k].astype(float), turns, axes=1)
            run.close(n, normals(expected, triangles), 1e-5, f"normals of {body}, frame {k}")
    assert (primitive.attributes.NORMAL is not None) == has_normals

scene = trimesh.load(path)
assert set(scene.geometry) and len(scene.geometry) == 4, scene.geometry
area = sum(g.area for g in scene.geometry.values())
expected = sum(trimesh.Trimesh(run.positions(b, 0.0), run.TRIANGLES[b], process=False).area for b in range(4))
assert abs(area - expected) < 1e-4, (area, expected)
print("as expected")
