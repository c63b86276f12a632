//! Shapes of rigid bodies.

use super::super::decode::{List, Spanned, choice, record};
use super::super::leaves::{Positive, Vector};
use super::{
    BallTable, BlocksTable, CuboidTable, CylinderTable, HollowBallTable, MeshPath, PlaceTable,
    TorusTable, TubeTable,
};

choice! {
    /// The shape of a rigid body. Its surface has vertices as the solid of the same name has; these are what touches
    /// others.
    RigidShape, "the shape of a rigid body" {
        /// A box around the origin.
        "box" => Cuboid(CuboidTable),
        /// A ball around the origin. Its mass is that of a true ball; edges are a tenth of the radius by default.
        "ball" => Ball(BallTable),
        /// A ball with a concentric cavity.
        "hollow_ball" => HollowBall(HollowBallTable),
        /// A cylinder along z.
        "cylinder" => Cylinder(CylinderTable),
        /// A hollow cylinder along z.
        "tube" => Tube(TubeTable),
        /// A cylinder along z with half balls at its ends.
        "capsule" => Capsule(CylinderTable),
        /// A ring around z.
        "torus" => Torus(TorusTable),
        /// The lower half of a hollow ball, open along z.
        "bowl" => Bowl(HollowBallTable),
        /// Boxes that touch, as one body.
        "blocks" => Blocks(BlocksTable),
        /// A file of triangles that enclose it: .obj, .ply, .stl, .msh, .vtk, .vtu.
        "mesh" => Mesh(MeshPath),
        /// The smallest convex body around points.
        "hull" => Hull(HullTable),
        /// Several shapes as one body.
        "parts" => Parts(List<RigidPartTable>),
    }
}

record! {
    /// The smallest convex body around points.
    HullTable, "a convex hull" {
        /// Four at least, not all in a plane [m].
        points: List<Vector>,
    }
}

record! {
    /// A part of a rigid body.
    RigidPartTable, "a part of a rigid body" {
        /// Its shape.
        shape: Spanned<RigidShape>,
        /// Where it is in the body.
        place: Option<Spanned<PlaceTable>>,
        /// Its own density, where it is another than that of the body [kg/m³].
        density: Option<Positive>,
    }
}
