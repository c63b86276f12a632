//! Whatever numbers a scene is given, it is refused or stays finite; nothing panics.

use proptest::prelude::*;
use stiction::body::{
    Anchor, Body, BodyId, Cloth, Keyframe, LoadKind, Motion, Obstacle, Profile, Shape, Solid,
    Spring,
};
use stiction::element::RestAngles;
use stiction::energy::OrthotropicModuli;
use stiction::material::{Damping, Fabric, Material, SolidLaw, Stretch};
use stiction::math::Vector3;
use stiction::mesh::{Selection, Transform};
use stiction::method::smooth::{SmoothSettings, SolverSettings, StageSolver};
use stiction::step::Integrator;
use stiction::{Scene, Settings, Simulation};

/// What people and broken files come up with.
const GARBAGE: [f64; 16] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    5e-324,
    1e200,
    -1e100,
    1e30,
    1e-30,
    1e9,
    -1e5,
    -1.0,
    -0.0,
    0.0,
];

struct World {
    scene: Scene,
    settings: Settings,
    block: BodyId,
    sheet: BodyId,
}

/// A little of everything, small enough to be run a thousand times.
fn world() -> World {
    let mut scene = Scene::new();
    let damping = Damping { mass: 0.1, stiffness: 1e-3 };
    let material = Material::JELLY.with_damping(damping).unwrap();
    let block = Solid::cuboid([0.1; 3], [1, 1, 1]).unwrap().material(material);
    let start = block.mesh.vertices().to_vec();
    let block = scene.add(block.starting_at(start).named("block"));
    let fabric = Fabric::COTTON.with_damping(damping).unwrap();
    let sheet = Cloth::sheet([0.2, 0.1], [2, 1]).unwrap().material(fabric).at([0.5, 0.0, 0.0]);
    let sheet = scene.add(sheet.named("sheet"));
    let sphere = Obstacle::new(Shape::Box { size: Vector3::repeat(0.1), rounding: 0.01 });
    scene.add(sphere.at([0.0, -1.0, 0.0]));
    scene.spring(
        Spring::new(Anchor::Vertex(block, 7), Anchor::Point(Vector3::new(0.1, 0.5, 0.0)), 10.0)
            .rest_length(0.3)
            .damping(0.1),
    );
    scene.spring(Spring::new(Anchor::Vertex(block, 1), Anchor::Vertex(sheet, 0), 1.0));
    let frames = vec![
        Keyframe::default(),
        Keyframe { time: 0.1, translation: Vector3::x() * 0.01, rotation: Vector3::z() * 0.1 },
    ];
    let center = Vector3::zeros();
    scene
        .pin(sheet, Selection::Tag("left".into()))
        .motion(Motion::Keyframes { frames, center, interpolation: Default::default() })
        .release(0.015);
    scene
        .pin(block, Selection::Ids(vec![0]))
        .axes([true, false, true])
        .motion(Motion::Rotation { center, rate: Vector3::y() });
    let profile = Profile::Points(vec![(0.0, 0.0), (0.02, 1.0)]);
    scene.load(block, Selection::Boundary, LoadKind::Pressure(10.0)).profile(profile.clone());
    scene.load(block, Selection::All, LoadKind::Force(Vector3::x() * 1e-3)).profile(profile);
    scene.load(sheet, Selection::All, LoadKind::Traction(Vector3::y()));
    let solver = SolverSettings { max_iterations: 8, ..Default::default() };
    let settings = Settings {
        max_halvings: 1,
        method: SmoothSettings { solver, ..Default::default() }.into(),
        ..Default::default()
    };
    World { scene, settings, block, sheet }
}

impl World {
    fn solid(&mut self) -> &mut Solid {
        match &mut self.scene.bodies[self.block.index()] {
            Body::Solid(solid) => solid,
            _ => unreachable!("the block is a solid"),
        }
    }

    fn cloth(&mut self) -> &mut Cloth {
        match &mut self.scene.bodies[self.sheet.index()] {
            Body::Cloth(cloth) => cloth,
            _ => unreachable!("the sheet is cloth"),
        }
    }

    fn obstacle(&mut self) -> &mut Obstacle {
        match &mut self.scene.bodies[2] {
            Body::Obstacle(obstacle) => obstacle,
            _ => unreachable!("the third body is an obstacle"),
        }
    }

    /// Without pressure all forces have an energy, and it is minimised.
    fn without_pressure(&mut self) {
        self.scene.loads[0].kind = LoadKind::Force(Vector3::y() * 1e-3);
    }

    fn keyframe(&mut self) -> &mut Keyframe {
        match &mut self.scene.pins[0].motion {
            Motion::Keyframes { frames, .. } => &mut frames[1],
            _ => unreachable!("the first pin has keyframes"),
        }
    }
}

/// Puts a number where it can go; `None` if a constructor refused it.
type Field = (&'static str, fn(&mut World, f64) -> Option<()>);

fn material(w: &mut World, f: impl FnOnce(Material) -> Option<Material>) -> Option<()> {
    w.solid().material = f(w.solid().material)?;
    Some(())
}

fn fabric(w: &mut World, f: impl FnOnce(Fabric) -> Option<Fabric>) -> Option<()> {
    w.cloth().material = f(w.cloth().material)?;
    Some(())
}

macro_rules! set {
    ($name:literal, |$w:ident, $x:ident| $set:expr) => {
        ($name, |$w: &mut World, $x: f64| {
            $set;
            Some(())
        })
    };
}

fn fields() -> Vec<Field> {
    vec![
        set!("gravity", |w, x| w.scene.gravity.y = x),
        set!("time step", |w, x| w.settings.time_step = x),
        set!("tolerance", |w, x| w.settings.smooth().solver.tolerance = x),
        set!("split", |w, x| w.settings.smooth().integrator = Integrator::TrBdf2 { split: x }),
        set!("beta", |w, x| w.settings.smooth().integrator =
            Integrator::Newmark { beta: x, gamma: 0.5 }),
        set!("gamma", |w, x| w.settings.smooth().integrator =
            Integrator::Newmark { beta: 0.3, gamma: x }),
        set!("velocity", |w, x| w.solid().velocity.x = x),
        set!("spin", |w, x| w.cloth().spin.z = x),
        ("start", |w, x| {
            w.solid().start.as_mut()?[3].y = x;
            Some(())
        }),
        set!("warp", |w, x| w.cloth().warp = Vector3::new(x, 1.0, 0.0)),
        set!("place", |w, x| *w.solid() = w.solid().clone().at([0.0, x, 0.0])),
        set!("turn", |w, x| *w.cloth() = w.cloth().clone().turned([x, 1.0, 0.0], 0.3)),
        set!("angle", |w, x| *w.cloth() = w.cloth().clone().turned([0.0, 1.0, 0.0], x)),
        ("scale", |w, x| {
            w.solid().placement =
                Transform::identity().with_scale(Vector3::new(1.0, x, 1.0)).ok()?;
            Some(())
        }),
        ("size", |w, x| {
            w.solid().mesh = Solid::cuboid([0.1, x, 0.1], [1, 1, 1]).ok()?.mesh;
            w.solid().start = None;
            Some(())
        }),
        ("sheet size", |w, x| {
            w.cloth().mesh = Cloth::sheet([x, 0.1], [2, 1]).ok()?.mesh;
            Some(())
        }),
        ("modulus", |w, x| material(w, |m| m.with_youngs_modulus(x).ok())),
        ("ratio", |w, x| material(w, |m| m.with_poissons_ratio(x).ok())),
        ("density", |w, x| material(w, |m| m.with_density(x).ok())),
        ("mass damping", |w, x| {
            material(w, |m| m.with_damping(Damping { mass: x, stiffness: 0.0 }).ok())
        }),
        ("stiffness damping", |w, x| {
            material(w, |m| m.with_damping(Damping { mass: 0.0, stiffness: x }).ok())
        }),
        ("share", |w, x| material(w, |m| m.with_law(SolidLaw::MooneyRivlin { share: x }).ok())),
        ("sheet density", |w, x| fabric(w, |f| f.with_density(x).ok())),
        ("bending", |w, x| fabric(w, |f| f.with_bending_stiffness(x).ok())),
        ("bending ratio", |w, x| fabric(w, |f| f.with_bending_poissons_ratio(x).ok())),
        ("sheet damping", |w, x| {
            fabric(w, |f| f.with_damping(Damping { mass: x, stiffness: x }).ok())
        }),
        ("sheet modulus", |w, x| {
            let stretch = Stretch::Isotropic { youngs_modulus: x, poissons_ratio: 0.2 };
            fabric(w, |f| f.with_stretch(stretch).ok())
        }),
        ("sheet ratio", |w, x| {
            let stretch = Stretch::Isotropic { youngs_modulus: 10.0, poissons_ratio: x };
            fabric(w, |f| f.with_stretch(stretch).ok())
        }),
        ("warp modulus", |w, x| {
            let stretch = Stretch::Woven(OrthotropicModuli {
                youngs_modulus_warp: x,
                youngs_modulus_weft: 10.0,
                shear_modulus: 3.0,
                poissons_ratio: 0.1,
            });
            fabric(w, |f| f.with_stretch(stretch).ok())
        }),
        ("shear modulus", |w, x| {
            let stretch = Stretch::Woven(OrthotropicModuli {
                youngs_modulus_warp: 10.0,
                youngs_modulus_weft: 10.0,
                shear_modulus: x,
                poissons_ratio: 0.1,
            });
            fabric(w, |f| f.with_stretch(stretch).ok())
        }),
        set!("spring stiffness", |w, x| w.scene.springs[0].stiffness = x),
        set!("rest length", |w, x| w.scene.springs[0].rest_length = Some(x)),
        set!("spring damping", |w, x| w.scene.springs[1].damping = x),
        set!("anchor", |w, x| {
            w.scene.springs[0].ends[1] = Anchor::Point(Vector3::new(x, 0.0, 0.0))
        }),
        set!("keyframe time", |w, x| w.keyframe().time = x),
        set!("keyframe translation", |w, x| w.keyframe().translation.y = x),
        set!("keyframe rotation", |w, x| w.keyframe().rotation.y = x),
        set!("rate", |w, x| {
            let (center, rate) = (Vector3::zeros(), Vector3::new(x, 0.0, 0.0));
            w.scene.pins[1].motion = Motion::Rotation { center, rate };
        }),
        set!("centre", |w, x| {
            let (center, rate) = (Vector3::new(x, 0.0, 0.0), Vector3::y());
            w.scene.pins[1].motion = Motion::Rotation { center, rate };
        }),
        set!("pin velocity", |w, x| {
            w.scene.pins[1].motion = Motion::Velocity(Vector3::new(0.0, 0.0, x));
        }),
        set!("release", |w, x| w.scene.pins[0].release = Some(x)),
        set!("pressure", |w, x| w.scene.loads[0].kind = LoadKind::Pressure(x)),
        set!("force", |w, x| {
            w.scene.loads[1].kind = LoadKind::Force(Vector3::new(0.0, x, 0.0));
        }),
        set!("traction", |w, x| {
            w.scene.loads[2].kind = LoadKind::Traction(Vector3::new(0.0, x, 0.0));
        }),
        set!("profile time", |w, x| {
            w.scene.loads[0].profile = Profile::Points(vec![(0.0, 0.0), (x, 1.0)]);
        }),
        set!("profile factor", |w, x| {
            w.scene.loads[1].profile = Profile::Points(vec![(0.0, x), (1.0, 1.0)]);
        }),
        set!("selection", |w, x| {
            let (min, max) = (Vector3::repeat(-1.0), Vector3::new(x, 1.0, 1.0));
            w.scene.loads[1].selection = Selection::Box { min, max };
        }),
        set!("radius", |w, x| {
            w.scene.loads[1].selection = Selection::Sphere { center: Vector3::zeros(), radius: x };
        }),
        set!("normal", |w, x| {
            let normal = Vector3::new(x, x, 0.0);
            w.scene.loads[1].selection = Selection::HalfSpace { point: Vector3::zeros(), normal };
        }),
        set!("weld tolerance", |w, x| {
            let (block, sheet) = (w.block, w.sheet);
            w.scene.weld(block, Selection::All, sheet).tolerance = Some(x);
        }),
        set!("rounding", |w, x| {
            w.obstacle().shape = Shape::Box { size: Vector3::repeat(0.1), rounding: x };
        }),
        set!("offset", |w, x| {
            w.obstacle().shape = Shape::Plane { normal: Vector3::y(), offset: x };
        }),
        set!("plane", |w, x| *w.obstacle() = Obstacle::plane([x, 0.0, 0.0], 0.0)),
        set!("tube", |w, x| {
            w.obstacle().shape = Shape::Torus { ring_radius: 1.0, tube_radius: x };
        }),
        set!("obstacle place", |w, x| *w.obstacle() = w.obstacle().clone().at([x, 0.0, 0.0])),
        set!("obstacle motion", |w, x| {
            w.obstacle().motion = Motion::Velocity(Vector3::new(x, 0.0, 0.0));
        }),
    ]
}

/// Runs the scene if it is accepted. Whether steps converge is another matter: they must say so.
fn assert_refused_or_finite(world: &World, what: &str) {
    let mut simulation = match Simulation::with_settings(&world.scene, world.settings) {
        Ok(simulation) => simulation,
        Err(error) => {
            assert!(error.to_string().contains("help:"), "{what}: {error}");
            return;
        }
    };
    let finite = |simulation: &Simulation, when: &str| {
        for body in [world.block, world.sheet] {
            let vectors = simulation.positions(body).into_iter().chain(simulation.velocities(body));
            for x in vectors {
                assert!(x.iter().all(|c| c.is_finite()), "{what}: {x} {when}");
            }
        }
    };
    finite(&simulation, "at the start");
    for _ in 0..2 {
        let report = simulation.step();
        finite(&simulation, "after a step");
        let residual = report.residual();
        assert!(
            !report.converged() || residual.value.is_finite(),
            "{what}: converged to {residual}"
        );
    }
    // Newton alone may take its five hundred iterations to no avail.
    if simulation.model().assembly().is_conservative() {
        let _ = simulation.settle();
        finite(&simulation, "after settling");
    }
}

/// Scenes of twenty nodes are slower on many threads than on one.
fn on_one_thread(f: impl FnOnce() + Send) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(f);
}

#[test]
fn one_wrong_number_is_refused_or_survived() {
    on_one_thread(try_every_field);
}

fn try_every_field() {
    for (name, set) in fields() {
        for (k, x) in GARBAGE.into_iter().enumerate() {
            let mut world = world();
            if k % 2 == 1 && name != "pressure" && name != "profile time" {
                world.without_pressure();
            }
            if set(&mut world, x).is_some() {
                assert_refused_or_finite(&world, &format!("{name} = {x:e}"));
            }
        }
    }
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![proptest::sample::select(GARBAGE.to_vec()), proptest::num::f64::ANY, -2.0..2.0_f64,]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn several_wrong_numbers_are_refused_or_survived(
        changes in proptest::collection::vec((0..fields().len(), number()), 1..6),
        method in 0..3_usize,
        flat in any::<bool>(),
    ) {
        let (fields, mut world) = (fields(), world());
        let methods = [StageSolver::Auto, StageSolver::Newton, StageSolver::InexactNewton];
        world.settings.smooth().solver.method = methods[method];
        if method == 0 {
            world.without_pressure();
        }
        if flat {
            world.cloth().rest_angles = RestAngles::Flat;
        }
        let mut what = String::new();
        for (field, x) in changes {
            what += &format!("{} = {x:e}, ", fields[field].0);
            let _ = (fields[field].1)(&mut world, x);
        }
        on_one_thread(|| assert_refused_or_finite(&world, &what));
    }
}
