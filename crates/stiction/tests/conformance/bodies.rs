//! All kinds of bodies on all kinds of bodies: what lies there rests, and presses with its weight.

use stiction::Scene;
use stiction::body::{Body, BodyId, Cloud, Gridded, Obstacle, Rigid, Shape};
use stiction::contact::Friction;
use stiction::geometry::ClosedSurface;
use stiction::geometry::distance_grid::GridSettings;
use stiction::geometry::shape::{Convex, Hull};
use stiction::math::Vector3;
use stiction::mesh::Selection;
use stiction_check::scenes::{
    GRAVITY, ball, block, contact_force, flat_sheet, floor, lowest, mass, mesh_block, soft_block,
};

use crate::harness::{Run, Verdict, all_agree, claims, complaints, near, near_vector, within};
use crate::methods::Method;

claims!(
    "bodies": a_block_balances_on_a_ball, a_block_balances_on_a_capsule, a_block_lies_on_a_ring,
    a_ball_lies_in_a_ring,
    coarse_cubes_turned_against_each_other_meet, crossed_beams_of_few_triangles_meet,
    a_small_block_lies_on_a_large_triangle,
    bodies_told_to_pass_through_each_other_do
);

/// What lies there; its origin, 5 cm above its lowest point.
#[derive(Clone, Copy, Debug)]
enum Mover {
    Solid,
    Cloth,
    Box,
    Ball,
    Capsule,
    Cylinder,
    Hull,
    Compound,
    RigidMesh,
}

const MOVERS: [Mover; 9] = [
    Mover::Solid,
    Mover::Cloth,
    Mover::Box,
    Mover::Ball,
    Mover::Capsule,
    Mover::Cylinder,
    Mover::Hull,
    Mover::Compound,
    Mover::RigidMesh,
];

/// What it lies on; its upper side is `y = 0`.
#[derive(Clone, Copy, Debug)]
enum Support {
    Plane,
    Box,
    Cylinder,
    Mesh,
    Cloud,
    Grid,
    RigidBox,
    RigidMesh,
    Solid,
    Cloth,
    CoarseSolid,
    CoarseCloth,
}

const SUPPORTS: [Support; 12] = [
    Support::Plane,
    Support::Box,
    Support::Cylinder,
    Support::Mesh,
    Support::Cloud,
    Support::Grid,
    Support::RigidBox,
    Support::RigidMesh,
    Support::Solid,
    Support::Cloth,
    Support::CoarseSolid,
    Support::CoarseCloth,
];

const LOW: f64 = 0.05;

impl Mover {
    /// Its lowest point `gap` above `y = 0`.
    fn body(self, gap: f64) -> Body {
        let at = [0.011, LOW + gap, 0.007];
        let rigid = |convex: Convex| Rigid::convex(convex, 16).expect("a shape").at(at);
        match self {
            Self::Solid => soft_block([0.1; 3], [2; 3]).at(at).into(),
            Self::Cloth => flat_sheet([0.1; 2], [2; 2]).at([at[0], gap, at[2]]).into(),
            Self::Box => block([0.1; 3]).at(at).into(),
            Self::Ball => ball(LOW).at(at).into(),
            Self::Capsule => {
                let capsule = rigid(Convex::Capsule { radius: LOW, length: 0.06 });
                capsule.turned([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_2).into()
            }
            Self::Cylinder => rigid(Convex::Cylinder { radius: LOW, length: 0.1 }).into(),
            Self::Hull => {
                let corner = |x: f64, y: f64, z: f64| Vector3::new(x, y, z) * LOW;
                let low = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
                let low = low.map(|(x, z)| corner(x, -1.0, z));
                let points = [low.as_slice(), &[corner(0.2, 0.8, 0.1)]].concat();
                rigid(Convex::Hull(Hull::new(&points).expect("a pyramid"))).into()
            }
            Self::Compound => {
                let half = |x: f64| block([0.05, 0.1, 0.1]).at([x, 0.0, 0.0]);
                let whole = Rigid::joined(&[half(-0.025), half(0.025)]).expect("two boxes");
                whole.at(at).into()
            }
            Self::RigidMesh => mesh_block([0.1; 3], [2; 3]).at(at).into(),
        }
    }
}

impl Support {
    fn add(self, scene: &mut Scene) -> BodyId {
        const SIZE: [f64; 3] = [0.6, 0.1, 0.6];
        let slab = || mesh_block(SIZE, [6, 1, 6]).mesh;
        let under = [0.0, -0.05, 0.0];
        match self {
            Self::Plane => scene.add(floor()),
            Self::Box => {
                let shape = Shape::Box { size: SIZE.into(), rounding: 0.0 };
                scene.add(Obstacle::new(shape).at(under))
            }
            Self::Cylinder => {
                let shape = Shape::Cylinder { radius: 0.3, length: 0.1 };
                scene.add(Obstacle::new(shape).at(under))
            }
            Self::Mesh => scene.add(Obstacle::new(Shape::Mesh(slab())).at(under)),
            Self::Cloud => {
                let golden = 0.5 * (5_f64.sqrt() - 1.0);
                let point = |i: u32| {
                    let (u, v) = (f64::from(i) / 400.0, (f64::from(i) * golden).fract());
                    Vector3::new(u - 0.5, 0.0, v - 0.5) * 0.6
                };
                let points: Vec<Vector3> = (0..400).map(point).collect();
                let cloud = Cloud::new(points, vec![Vector3::y(); 400]).expect("points");
                scene.add(Obstacle::new(Shape::Points(cloud)))
            }
            Self::Grid => {
                let surface = ClosedSurface::from_mesh(&slab()).expect("closed");
                let settings = GridSettings { resolution: 24, ..GridSettings::default() };
                let grid = Gridded::new(&surface, &settings).expect("a grid");
                scene.add(Obstacle::new(Shape::Grid(grid)).at(under))
            }
            Self::RigidBox | Self::RigidMesh => {
                scene.add(floor().at([0.0, -0.1, 0.0]));
                let rigid = match self {
                    Self::RigidBox => block(SIZE),
                    _ => Rigid::new(slab()),
                };
                scene.add(rigid.at(under))
            }
            // Several vertices under whatever lies there, or one at most.
            Self::Solid | Self::CoarseSolid => {
                let solid = match self {
                    Self::Solid => soft_block([0.24, 0.1, 0.24], [8, 1, 8]),
                    _ => soft_block(SIZE, [6, 1, 6]),
                };
                let solid = scene.add(solid.at(under));
                scene.pin(solid, Selection::Tag("y-min".into()));
                solid
            }
            Self::Cloth | Self::CoarseCloth => {
                let sheet = match self {
                    Self::Cloth => flat_sheet([0.24; 2], [8; 2]),
                    _ => flat_sheet([0.6; 2], [6; 2]),
                };
                let sheet = scene.add(sheet);
                scene.pin(sheet, Selection::All);
                sheet
            }
        }
    }
}

/// Where it comes to rest, how fast it is, and how hard it presses.
fn rests(method: &Method, mover: Mover, support: Support) -> Verdict {
    let mut scene = Scene::new();
    scene.friction = Friction::coulomb(0.5);
    let carrier = support.add(&mut scene);
    let body = scene.add(mover.body(1e-3));
    let run = Run::new(method, scene, body, 0.01)?.to(0.5)?;
    let low = lowest(&run.simulation.positions(body));
    within("its lowest point", low, -8e-3, 6e-3)?;
    near("velocity", run.velocity().y, 0.0, 1e-2)?;
    // What is round rolls on what is not quite flat.
    near("velocity along", run.velocity().xz().norm(), 0.0, 0.03)?;
    let weight = mass(&run.simulation, body) * GRAVITY;
    let force = contact_force(&run.simulation, body, Some(carrier));
    near_vector("force", force, Vector3::y() * weight, 0.02 * weight)
}

fn cell(mover: Mover, support: Support) -> String {
    format!("bodies/{mover:?} on {support:?}")
}

/// A box thrown over something flat, whatever it is made of: friction brakes it, and nothing throws it up.
fn slides(method: &Method, support: Support) -> Verdict {
    let (friction, time) = (0.5, 0.1);
    let mut scene = Scene::new();
    scene.friction = Friction::coulomb(friction);
    support.add(&mut scene);
    let slider = block([0.1; 3]).at([-0.06, LOW + 5e-4, 0.007]).velocity([1.0, 0.0, 0.0]);
    let slider = scene.add(slider);
    let run = Run::new(method, scene, slider, 2e-3)?.to(time)?;
    within("its lowest point", lowest(&run.simulation.positions(slider)), -4e-3, 4e-3)?;
    near("speed", run.velocity().x, 1.0 - friction * GRAVITY * time, 0.08)
}

fn slide(support: Support) -> String {
    format!("bodies/Box slides over {support:?}")
}

#[test]
fn a_box_slides_over_all_kinds() {
    let of = |support| complaints(&slide(support), |method| slides(method, support));
    all_agree(SUPPORTS.into_iter().flat_map(of).collect());
}

/// Names of all pairs.
pub(crate) fn cells() -> Vec<String> {
    let of = |support| MOVERS.map(|mover| cell(mover, support));
    SUPPORTS.into_iter().flat_map(of).chain(SUPPORTS.map(slide)).collect()
}

/// A test for each kind that carries.
macro_rules! all_kinds_rest {
    ($($name:ident: $support:ident),+ $(,)?) => {
        $(#[test]
        fn $name() {
            let support = Support::$support;
            let of = |mover| complaints(&cell(mover, support), |method| rests(method, mover, support));
            all_agree(MOVERS.into_iter().flat_map(of).collect());
        })+
    };
}

all_kinds_rest!(
    all_kinds_rest_on_a_plane: Plane,
    all_kinds_rest_on_a_box: Box,
    all_kinds_rest_on_a_cylinder: Cylinder,
    all_kinds_rest_on_a_mesh: Mesh,
    all_kinds_rest_on_a_cloud: Cloud,
    all_kinds_rest_on_a_grid: Grid,
    all_kinds_rest_on_a_rigid_box: RigidBox,
    all_kinds_rest_on_a_rigid_mesh: RigidMesh,
    all_kinds_rest_on_a_solid: Solid,
    all_kinds_rest_on_a_cloth: Cloth,
    all_kinds_rest_on_a_coarse_solid: CoarseSolid,
    all_kinds_rest_on_a_coarse_cloth: CoarseCloth,
);

/// On what is round: stable, since its centre is nearer than the radius.
fn balances(method: &Method, body: Rigid, shape: Shape, height: f64) -> Verdict {
    let mut scene = Scene::new();
    scene.friction = Friction::coulomb(0.8);
    let carrier = Obstacle::new(shape);
    let carrier = scene.add(carrier);
    let body = scene.add(body.at([0.0, height + 1e-3, 0.0]));
    let run = Run::new(method, scene, body, 5e-3)?.to(1.0)?;
    near("height", run.center().y, height, 4e-3)?;
    near_vector("velocity", run.velocity(), Vector3::zeros(), 5e-3)?;
    let weight = run.mass() * GRAVITY;
    let force = contact_force(&run.simulation, body, Some(carrier)).y;
    near("force", force, weight, 0.02 * weight)
}

fn a_block_balances_on_a_ball(method: &Method) -> Verdict {
    balances(method, block([0.2, 0.05, 0.2]), Shape::Sphere { radius: 0.2 }, 0.225)
}

fn a_block_balances_on_a_capsule(method: &Method) -> Verdict {
    // Upright: on its round end.
    balances(method, block([0.2, 0.05, 0.2]), Shape::Capsule { radius: 0.2, length: 0.2 }, 0.325)
}

fn a_block_lies_on_a_ring(method: &Method) -> Verdict {
    let ring = Shape::Torus { ring_radius: 0.1, tube_radius: 0.03 };
    balances(method, mesh_block([0.3, 0.05, 0.3], [6, 1, 6]), ring, 0.055)
}

/// Where it touches the tube all around: its centre is above that of the ring by the rest of a triangle.
fn a_ball_lies_in_a_ring(method: &Method) -> Verdict {
    let ring = Shape::Torus { ring_radius: 0.1, tube_radius: 0.03 };
    balances(method, ball(0.12), ring, (0.15_f64.powi(2) - 0.1_f64.powi(2)).sqrt())
}

/// Two boxes of triangles, the upper one let down on the lower one, which lies on a floor.
fn meshes_meet(method: &Method, lower: Rigid, upper: Rigid, height: f64) -> Verdict {
    let mut scene = Scene::new();
    scene.friction = Friction::coulomb(0.5);
    scene.add(floor());
    let lower = scene.add(lower);
    let upper = scene.add(upper.at([0.0, height + 1e-3, 0.0]));
    let run = Run::new(method, scene, upper, 5e-3)?.to(0.5)?;
    near("height of the upper one", run.center().y, height, 1e-2)?;
    let weight = run.mass() * GRAVITY;
    let force = contact_force(&run.simulation, upper, Some(lower)).y;
    near("force", force, weight, 0.02 * weight)
}

/// Eight vertices each, none of them above a face of the other near its middle: edges cross edges.
fn coarse_cubes_turned_against_each_other_meet(method: &Method) -> Verdict {
    let cube = || mesh_block([0.2; 3], [1; 3]);
    let turned = cube().turned([0.0, 1.0, 0.0], 20_f64.to_radians());
    meshes_meet(method, cube().at([0.0, 0.1, 0.0]), turned, 0.3)
}

fn crossed_beams_of_few_triangles_meet(method: &Method) -> Verdict {
    let beam = |size: [f64; 3]| mesh_block(size, [1; 3]);
    let lower = beam([0.1, 0.1, 0.6]).at([0.0, 0.05, 0.0]);
    meshes_meet(method, lower, beam([0.6, 0.1, 0.1]), 0.15)
}

fn a_small_block_lies_on_a_large_triangle(method: &Method) -> Verdict {
    let lower = mesh_block([1.0, 0.1, 1.0], [1; 3]).at([0.13, 0.05, 0.29]);
    meshes_meet(method, lower, block([0.1; 3]), 0.15)
}

fn bodies_told_to_pass_through_each_other_do(method: &Method) -> Verdict {
    let mut scene = Scene::new();
    let floor = scene.add(floor());
    let block = scene.add(block([0.1; 3]).at([0.0, 0.06, 0.0]));
    scene.contact(block, floor).enabled = false;
    let run = Run::new(method, scene, block, 5e-3)?.to(0.2)?;
    near("velocity", run.velocity().y, -0.2 * GRAVITY, 1e-9)?;
    near("contacts", run.simulation.contacts().len() as f64, 0.0, 0.0)
}
