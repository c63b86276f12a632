//! Shapes of bodies.

use super::super::decode::{choice, record, word};
use super::super::leaves::{Count, Direction, Index, NotNegative, Number, Pair, Positive, Triple};
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
        /// A file of tetrahedra: .msh, .vtk, .vtu, .node with .ele.
        "mesh" => Mesh(MeshPath),
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
        /// A file of triangles: .obj, .ply, .stl, .msh, .vtk, .vtu.
        "mesh" => Mesh(MeshPath),
    }
}

choice! {
    /// The shape of an obstacle; those with a centre are around the origin, their axes along y.
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
        /// A file of triangles: .obj, .ply, .stl, .msh, .vtk, .vtu.
        "mesh" => Mesh(MeshPath),
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
    /// A ball with a cavity.
    HollowBallTable, "a hollow ball" {
        /// Of the cavity [m].
        inner_radius: Positive,
        /// Of the ball [m].
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
