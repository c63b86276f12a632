"""Writes the fixtures of this folder with the tools that users have.

    pip install gmsh meshio trimesh scipy pyvista && python make.py

One mesh in every format: the unit cube with the physical groups `block` (volume), `left` (the face x = 0)
and `edge` (a curve of it). Surface formats get its boundary.
"""

import pathlib
import struct

import gmsh
import meshio
import numpy as np
import pyvista
import trimesh

here = pathlib.Path(__file__).parent


def path(name):
    return str(here / name)


def with_gmsh():
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.model.occ.addBox(0, 0, 0, 1, 1, 1)
    gmsh.model.occ.synchronize()
    left = [t for d, t in gmsh.model.getEntities(2) if abs(gmsh.model.occ.getCenterOfMass(d, t)[0]) < 1e-9]
    others = [t for d, t in gmsh.model.getEntities(2) if t not in left]
    curve = [abs(t) for _, t in gmsh.model.getBoundary([(2, left[0])])][:1]
    gmsh.model.addPhysicalGroup(3, [1], name="block")
    gmsh.model.addPhysicalGroup(2, left, name="left")
    gmsh.model.addPhysicalGroup(2, others, tag=77)  # no name
    gmsh.model.addPhysicalGroup(1, curve, name="edge")
    gmsh.option.setNumber("Mesh.MeshSizeMin", 0.6)
    gmsh.option.setNumber("Mesh.MeshSizeMax", 0.6)
    gmsh.model.mesh.generate(3)
    for version in (2.2, 4.1):
        for binary in (0, 1):
            gmsh.option.setNumber("Mesh.MshFileVersion", version)
            gmsh.option.setNumber("Mesh.Binary", binary)
            flavour = "binary" if binary else "ascii"
            gmsh.write(path(f"gmsh_{str(version).replace('.', '')}_{flavour}.msh"))
    gmsh.option.setNumber("Mesh.Binary", 0)
    gmsh.write(path("gmsh_ascii.stl"))
    gmsh.option.setNumber("Mesh.Binary", 1)
    gmsh.write(path("gmsh_binary.vtk"))
    gmsh.option.setNumber("Mesh.Binary", 0)
    gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
    gmsh.model.mesh.setOrder(2)
    gmsh.write(path("gmsh_second_order.msh"))
    gmsh.finalize()


def big_endian_22(source, target):
    """Gmsh writes the byte order of its machine; this turns a little-endian 2.2 file round."""
    data = pathlib.Path(source).read_bytes()
    out = bytearray()
    at = data.index(b"2.2 1 8\n") + 8
    out += data[:at] + struct.pack(">i", 1)
    at += 4
    start = data.index(b"$Nodes\n") + 7
    end = data.index(b"\n", start) + 1
    out += data[at:end]
    count = int(data[start:end])
    for _ in range(count):
        out += struct.pack(">i3d", *struct.unpack_from("<i3d", data, end))
        end += 28
    start = data.index(b"$Elements\n", end) + 10
    newline = data.index(b"\n", start) + 1
    out += data[end:newline]
    total, at, done = int(data[start:newline]), newline, 0
    corners = {1: 2, 2: 3, 4: 4, 15: 1}
    while done < total:
        kind, many, tags = struct.unpack_from("<3i", data, at)
        words = 3 + many * (1 + tags + corners[kind])
        out += struct.pack(f">{words}i", *struct.unpack_from(f"<{words}i", data, at))
        at, done = at + 4 * words, done + many
    out += data[at:]
    pathlib.Path(target).write_bytes(out)


def with_others():
    cube = meshio.read(path("gmsh_41_ascii.msh"))
    points = cube.points
    tets = cube.cells_dict["tetra"]
    triangles = cube.cells_dict["triangle"]
    block = {"material": [np.full(len(tets), 3, dtype=np.int32)]}
    volume = meshio.Mesh(points, [("tetra", tets)], cell_data=block)
    used, inverse = np.unique(triangles, return_inverse=True)
    corners = inverse.reshape(triangles.shape)
    surface_points = points[used]
    surface = meshio.Mesh(surface_points, [("triangle", corners)])

    for version in ("42", "51"):
        for flavour in ("ascii", "binary"):
            name = path(f"meshio_{version}_{flavour}.vtk")
            dotted = f"{version[0]}.{version[1]}"
            meshio.vtk.write(name, volume, fmt_version=dotted, binary=flavour == "binary")
    volume.write(path("meshio_ascii.vtu"), binary=False)
    volume.write(path("meshio_base64.vtu"), compression=None)
    volume.write(path("meshio_zlib.vtu"), compression="zlib")
    volume.write(path("meshio_41_binary.msh"), file_format="gmsh")
    surface.write(path("meshio_ascii.ply"), binary=False)
    surface.write(path("meshio_binary.ply"), binary=True)
    surface.write(path("meshio_binary.stl"), binary=True)
    surface.write(path("meshio.obj"))

    grid = pyvista.UnstructuredGrid({pyvista.CellType.TETRA: tets}, points)
    grid.cell_data["material"] = np.full(len(tets), 3, dtype=np.int32)
    grid.save(path("vtk_51_binary.vtk"), binary=True)
    grid.save(path("vtk_51_ascii.vtk"), binary=False)
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridWriter

    for mode in ("ascii", "binary", "appended"):
        for compressed in (False, True):
            for encoded in (False, True) if mode == "appended" else (True,):
                if mode == "ascii" and compressed:
                    continue
                writer = vtkXMLUnstructuredGridWriter()
                encoding = "" if mode != "appended" else "_base64" if encoded else "_raw"
                suffix = "_zlib" if compressed else ""
                writer.SetFileName(path(f"vtk_{mode}{encoding}{suffix}.vtu"))
                writer.SetInputData(grid)
                getattr(writer, f"SetDataModeTo{mode.capitalize()}")()
                if compressed:
                    writer.SetCompressorTypeToZLib()
                else:
                    writer.SetCompressorTypeToNone()
                if encoded and not compressed:
                    writer.SetHeaderTypeToUInt64()
                writer.SetBlockSize(1024)  # several blocks even for a small mesh
                writer.SetEncodeAppendedData(encoded)
                writer.Write()

    faces = np.hstack([np.full((len(corners), 1), 3), corners]).ravel()
    poly = pyvista.PolyData(surface_points, faces)
    for flavour in ("ascii", "binary"):
        poly.save(path(f"vtk_polydata_{flavour}.vtk"), binary=flavour == "binary")
        poly.save(path(f"vtk_{flavour}.ply"), binary=flavour == "binary")
        poly.save(path(f"vtk_{flavour}.stl"), binary=flavour == "binary")

    mesh = trimesh.Trimesh(surface_points, corners, process=False)
    for extension in ("obj", "ply", "stl"):
        mesh.export(path(f"trimesh.{extension}"))
    mesh.export(path("trimesh_ascii.stl"), file_type="stl_ascii")
    mesh.export(path("trimesh_ascii.ply"), encoding="ascii", vertex_normal=True)
    cloud_with_normals(mesh)
    big_endian_ply(surface_points, corners)
    tetgen(points, tets)


def cloud_with_normals(mesh):
    """Points without faces, normals before positions, a property nobody needs between."""
    lines = ["ply", "format ascii 1.0", "comment a scan", f"element vertex {len(mesh.vertices)}"]
    lines += [f"property float {n}" for n in ("nx", "ny", "nz")] + ["property uchar quality"]
    lines += [f"property double {n}" for n in "xyz"] + ["end_header"]
    for x, n in zip(mesh.vertices, mesh.vertex_normals):
        lines.append(" ".join(f"{v:.9g}" for v in (*n, 7, *x)))
    (here / "cloud.ply").write_text("\n".join(lines) + "\n")


def big_endian_ply(points, corners):
    head = f"ply\nformat binary_big_endian 1.0\nelement vertex {len(points)}\n"
    head += "".join(f"property double {n}\n" for n in "xyz")
    head += f"element face {len(corners)}\nproperty list uchar uint vertex_index\nend_header\n"
    data = head.encode() + points.astype(">f8").tobytes()
    for t in corners:
        data += struct.pack(">B3I", 3, *t)
    (here / "big_endian.ply").write_bytes(data)


def tetgen(points, tets):
    meshio.Mesh(points, [("tetra", tets)]).write(path("meshio_zero.node"))
    nodes = [f"# counted from 1\n{len(points)} 3 0 1"]
    nodes += [f"{i + 1} {x:.17g} {y:.17g} {z:.17g} {5 if x == 0 else 0}" for i, (x, y, z) in enumerate(points)]
    elements = [f"{len(tets)} 4 1"] + [
        f"{i + 1}  {' '.join(str(v + 1) for v in t)} 2 # tet" for i, t in enumerate(tets)
    ]
    (here / "tetgen_one.node").write_text("\n".join(nodes) + "\n")
    (here / "tetgen_one.ele").write_text("\n".join(elements) + "\n")


with_gmsh()
big_endian_22(path("gmsh_22_binary.msh"), path("gmsh_22_big_endian.msh"))
with_others()
