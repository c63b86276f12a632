//! Shapes of bodies.

use super::super::decode::{List, Spanned, choice, record, word};
use super::super::leaves::{
    Count, Direction, Index, Name, NotNegative, Number, Pair, Positive, Triple, Vector,
};
use super::MeshPath;

choice! {
    /// The shape of a solid.
    SolidShape, "the shape of a solid" {
        /// A box around the origin. Groups: `x-min`, `x-max`, `y-min`, `y-max`, `z-min`, `z-max`.
        "box" => Cuboid(CuboidTable),
        /// A ball around the origin. Groups: `surface`.
        "ball" => Ball(BallTable),
        /// A ball with a concentric cavity. Groups: `inner`, `outer`.
        "hollow_ball" => HollowBall(HollowBallTable),
        /// A cylinder along z. Groups: `bottom`, `top`, `side`.
        "cylinder" => Cylinder(CylinderTable),
        /// A hollow cylinder along z. Groups: `bottom`, `top`, `inner`, `outer`.
        "tube" => Tube(TubeTable),
        /// A cylinder along z with half balls at its ends. Groups: `surface`.
        "capsule" => Capsule(CylinderTable),
        /// A ring around z. Groups: `surface`.
        "torus" => Torus(TorusTable),
        /// A ball with a cavity, in thin layers. Groups: `inner`, `outer`; of tetrahedra: `layer-1`, `layer-2`, ….
        "layered_ball" => LayeredBall(LayeredBallTable),
        /// The lower half of a hollow ball, open along z. Groups: `inner`, `outer`, `rim`.
        "bowl" => Bowl(HollowBallTable),
        /// A belt around two wheels with axes along z. Groups: `inner`, `outer`, `bottom`, `top`.
        "belt" => Belt(BeltTable),
        /// Boxes that touch, as one body. Groups: `bottom`, `top`; of tetrahedra: the names of the boxes.
        "blocks" => Blocks(BlocksTable),
        /// A file of tetrahedra: .msh, .vtk, .vtu, .node with .ele.
        "mesh" => Mesh(MeshPath),
        /// The inside of a closed surface, filled with tetrahedra. Groups: `surface`.
        "surface" => Surface(SurfaceSolidTable),
    }
}

choice! {
    /// The shape of a sheet.
    ClothShape, "the shape of a sheet" {
        /// A rectangle in the plane z = 0. Groups: `left`, `right`, `bottom`, `top`, `corners`.
        "sheet" => Sheet(SheetTable),
        /// A rectangle of irregular triangles. Groups as those of a sheet.
        "unstructured_sheet" => UnstructuredSheet(UnstructuredSheetTable),
        /// A disk in the plane z = 0. Groups: `rim`.
        "disk" => Disk(BallTable),
        /// A tube of cloth along z, or a skirt. Groups: `bottom`, `top`.
        "sleeve" => Sleeve(SleeveTable),
        /// A sleeve with two straps over the top, along z. Groups: `hem`; of triangles: `straps`.
        "tank_top" => TankTop(TankTopTable),
        /// A closed tyre around z. Groups of triangles: `bead`, `sidewall`, `tread`.
        "tyre" => Tyre(TyreTable),
        /// A file of triangles: .obj, .ply, .stl, .msh, .vtk, .vtu.
        "mesh" => Mesh(MeshPath),
    }
}

choice! {
    /// The shape of an obstacle; those with a centre are around the origin, axes of exact shapes along y.
    ObstacleShape, "the shape of an obstacle" {
        /// Everything behind a plane.
        "plane" => Plane(PlaneTable),
        /// A ball.
        "sphere" => Sphere(SphereTable),
        /// A box, perhaps with round edges.
        "box" => Cuboid(RoundedBoxTable),
        /// A cylinder with half balls at its ends.
        "capsule" => Capsule(RodTable),
        /// A cylinder.
        "cylinder" => Cylinder(RodTable),
        /// A ring.
        "torus" => Torus(RingTable),
        /// The outside of a solid's shape, in triangles.
        "faceted" => Faceted(Box<SolidShape>),
        /// A file of triangles: .obj, .ply, .stl, .msh, .vtk, .vtu.
        "mesh" => Mesh(MeshPath),
        /// The inside of a closed surface, known by its distance on a grid.
        "distance_grid" => Grid(GridTable),
        /// A file of points with normals, as scanned: .ply.
        "points" => Points(MeshPath),
    }
}

record! {
    /// A closed surface, filled with tetrahedra; details thinner than an edge are lost.
    SurfaceSolidTable, "a solid from a surface" {
        /// A file of triangles: .obj, .ply, .stl, .msh, .vtk, .vtu. Small holes and the like are repaired.
        mesh: MeshPath,
        /// Edges along the longest side, about; 20 by default.
        resolution: Option<Spanned<Count>>,
        /// About how long edges are [m], in place of `resolution`.
        edge_length: Option<Positive>,
    }
}

record! {
    /// A closed surface, known by its distance on a grid.
    GridTable, "a distance grid" {
        /// A file of triangles: .obj, .ply, .stl, .msh, .vtk, .vtu. Small holes and the like are repaired.
        mesh: MeshPath,
        /// Cells along the longest side; 64 by default. Edges are rounded by about a cell.
        resolution: Option<Count>,
        /// How far around the surface the grid reaches [m]; a tenth of the longest side by default.
        margin: Option<NotNegative>,
        /// How distances between nodes are found; `cubic` by default.
        interpolation: Option<InterpolationWord>,
    }
}

word! {
    /// How distances between the nodes of a grid are found.
    InterpolationWord, "a way to interpolate" {
        /// From 8 nodes; normals jump from cell to cell.
        "linear" => Linear,
        /// From 64 nodes; normals are continuous.
        "cubic" => Cubic,
    }
}

record! {
    /// A box of tetrahedra.
    CuboidTable, "a box" {
        /// Edge lengths [m].
        size: Triple<Positive>,
        /// Divisions along each axis; by default so that the shortest edge has two.
        cells: Option<Triple<Count>>,
        /// How cells are cut into tetrahedra; `kuhn` by default.
        split: Option<CuboidSplitWord>,
    }
}

word! {
    /// How a cell of a box is cut.
    CuboidSplitWord, "a way to cut cells" {
        /// Six tetrahedra, all cells alike.
        "kuhn" => Kuhn,
        /// Six tetrahedra, mirrored from cell to cell: no preferred diagonal.
        "mirrored-kuhn" => MirroredKuhn,
        /// Five tetrahedra.
        "five" => Five,
    }
}

record! {
    /// A ball or disk.
    BallTable, "a ball or disk" {
        /// Its radius [m].
        radius: Positive,
        /// About how long edges are [m]; a sixth of the radius by default.
        edge_length: Option<Positive>,
    }
}

record! {
    /// A ball with a cavity, or the lower half of one.
    HollowBallTable, "a hollow ball or bowl" {
        /// Of the cavity [m].
        inner_radius: Positive,
        /// Outside [m].
        outer_radius: Positive,
        /// About how long edges are [m]; half the wall by default.
        edge_length: Option<Positive>,
    }
}

record! {
    /// A cylinder or capsule.
    CylinderTable, "a cylinder or capsule" {
        /// Its radius [m].
        radius: Positive,
        /// Its length, without the round ends of a capsule [m].
        length: Positive,
        /// About how long edges are [m]; a third of the radius by default.
        edge_length: Option<Positive>,
    }
}

record! {
    /// A hollow cylinder.
    TubeTable, "a tube" {
        /// Of the bore [m].
        inner_radius: Positive,
        /// Outside [m].
        outer_radius: Positive,
        /// Its length [m].
        length: Positive,
        /// About how long edges are [m]; half the wall by default.
        edge_length: Option<Positive>,
    }
}

record! {
    /// A ring of tetrahedra.
    TorusTable, "a torus" {
        /// From the centre to the middle of the tube [m].
        ring_radius: Positive,
        /// Of the tube [m].
        tube_radius: Positive,
        /// About how long edges are [m]; half the tube's radius by default.
        edge_length: Option<Positive>,
    }
}

record! {
    /// A hollow ball of layers that all have the same triangles: 60 `cells`² tetrahedra each.
    LayeredBallTable, "a layered ball" {
        /// Of the cavity, between layers, and outside; ascending [m].
        radii: List<Positive>,
        /// Edges along each side of the twenty triangles of an icosahedron.
        cells: Count,
    }
}

record! {
    /// A belt that fits tightly around two wheels.
    BeltTable, "a belt" {
        /// Of the wheels: at negative, then at positive x [m].
        radii: Pair<Positive>,
        /// Between the centres of the wheels, the origin halfway; 0 for a band [m].
        distance: NotNegative,
        /// Outward [m].
        thickness: Positive,
        /// Along z [m].
        width: Positive,
        /// Divisions along the belt, through it and across; by default one through, the others about as long as it is
        /// wide over four.
        cells: Option<Triple<Count>>,
    }
}

record! {
    /// Boxes that touch or overlap, meshed as one body.
    BlocksTable, "a body of blocks" {
        /// The boxes; where they overlap, the first counts.
        boxes: List<BlockTable>,
        /// About how long edges are [m]; faces of all boxes cut cells that may be shorter.
        edge_length: Positive,
        /// How cells are cut into tetrahedra; `kuhn` by default.
        split: Option<CuboidSplitWord>,
    }
}

record! {
    /// A box among blocks.
    BlockTable, "a block" {
        /// What selections call it; `block` by default.
        name: Option<Name>,
        /// Its corner with the lowest coordinates [m].
        min: Vector,
        /// Its corner with the highest coordinates [m].
        max: Vector,
        /// How far its bottom is moved along x and y, its top staying [m]: a leg that is not upright; `[0, 0]` by
        /// default.
        lean: Option<Pair<Number>>,
    }
}

record! {
    /// A tube of cloth.
    SleeveTable, "a sleeve" {
        /// At the top [m].
        radius: Positive,
        /// At the bottom [m]; as at the top by default. A skirt is wider there.
        bottom_radius: Option<Positive>,
        /// Along its axis [m].
        length: Positive,
        /// Divisions around and along; by default 40 around and cells that are nearly squares.
        cells: Option<Pair<Count>>,
        /// How cells are cut into triangles; `alternating` by default.
        diagonals: Option<DiagonalsWord>,
    }
}

record! {
    /// A sleeve with straps, that fits over a capsule.
    TankTopTable, "a tank top" {
        /// At the chest, and of the half ball on which the straps lie [m].
        radius: Positive,
        /// At the hem [m]; as at the chest by default.
        hem_radius: Option<Positive>,
        /// From hem to armpit [m].
        length: Positive,
        /// Divisions around, an even number, and along; by default 48 around and cells that are nearly squares.
        cells: Option<Pair<Count>>,
        /// Divisions across a strap; 3 by default.
        strap_cells: Option<Count>,
    }
}

record! {
    /// A closed tyre.
    TyreTable, "a tyre" {
        /// From the axis to the bead [m].
        rim_radius: Positive,
        /// From the axis to the tread [m].
        outer_radius: Positive,
        /// Along the axis [m].
        width: Positive,
        /// Radius of the corners of its section [m]; a third of the smaller side by default.
        rounding: Option<Positive>,
        /// Divisions around the axis and around the section; by default 96 around the axis and cells that are nearly
        /// squares at the tread.
        cells: Option<Pair<Count>>,
    }
}

record! {
    /// A rectangle of cloth.
    SheetTable, "a sheet" {
        /// Width and height [m].
        size: Pair<Positive>,
        /// Divisions along each; by default so that the shorter side has twenty.
        cells: Option<Pair<Count>>,
        /// How cells are cut into triangles; `alternating` by default.
        diagonals: Option<DiagonalsWord>,
    }
}

word! {
    /// How cells of a sheet are cut.
    DiagonalsWord, "a way to cut cells" {
        /// All alike.
        "regular" => Regular,
        /// In turn: no preferred diagonal.
        "alternating" => Alternating,
    }
}

record! {
    /// A rectangle of irregular triangles.
    UnstructuredSheetTable, "a sheet" {
        /// Width and height [m].
        size: Pair<Positive>,
        /// About how long edges are [m]; a twentieth of the shorter side by default.
        edge_length: Option<Positive>,
        /// Another number gives another mesh; 0 by default.
        seed: Option<Index>,
    }
}

record! {
    /// A half-space.
    PlaneTable, "a plane" {
        /// Out of the obstacle; `"y"` by default.
        normal: Option<Direction>,
        /// Distance from the origin along the normal [m]; 0 by default.
        offset: Option<Number>,
    }
}

record! {
    /// A ball.
    SphereTable, "a sphere" {
        /// Its radius [m].
        radius: Positive,
    }
}

record! {
    /// A box.
    RoundedBoxTable, "a box" {
        /// Edge lengths, rounding included [m].
        size: Triple<Positive>,
        /// Radius of edges [m]; 0 by default.
        rounding: Option<NotNegative>,
    }
}

record! {
    /// A cylinder or capsule.
    RodTable, "a cylinder or capsule" {
        /// Its radius [m].
        radius: Positive,
        /// Its length, without the round ends of a capsule [m].
        length: Positive,
    }
}

record! {
    /// A ring.
    RingTable, "a torus" {
        /// From the centre to the middle of the tube [m].
        ring_radius: Positive,
        /// Of the tube [m].
        tube_radius: Positive,
    }
}
