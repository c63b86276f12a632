//! Distances on grids: exact at nodes, of the promised order between them, valid everywhere.

use stiction::body::Shape;
use stiction::geometry::distance_grid::{DistanceGridError, GridInterpolation, GridSettings};
use stiction::geometry::{ClosedSurface, DistanceGrid};
use stiction::math::Vector3;
use stiction::mesh::generate::{self, CuboidSplit};
use stiction::mesh::{BoundingBox, TriSoup};
use stiction_check::differences::assert_is_derivative;
use stiction_check::matrices::Random;

fn points(seed: u64, count: usize, reach: f64) -> Vec<Vector3> {
    let mut random = Random::new(seed);
    (0..count).map(|_| Vector3::from_fn(|_, _| random.value()) * reach).collect()
}

const TORUS: Shape = Shape::Torus { ring_radius: 0.7, tube_radius: 0.3 };

fn exact(shape: &Shape, x: Vector3) -> f64 {
    shape.distance(x).unwrap().value
}

fn settings(resolution: usize, interpolation: GridInterpolation) -> GridSettings {
    GridSettings { resolution, interpolation, margin: 0.1 }
}

fn torus(resolution: usize, interpolation: GridInterpolation) -> DistanceGrid {
    let bounds =
        BoundingBox { min: Vector3::new(-1.0, -0.3, -1.0), max: Vector3::new(1.0, 0.3, 1.0) };
    DistanceGrid::sample(&bounds, &settings(resolution, interpolation), |x| exact(&TORUS, x))
        .unwrap()
}

fn node(grid: &DistanceGrid, number: usize) -> Vector3 {
    let [nx, ny, _] = grid.counts();
    let place = [number % nx, number / nx % ny, number / nx / ny].map(|k| k as f64);
    grid.origin() + Vector3::from(place) * grid.spacing()
}

/// All nodes against the mesh itself: exact in the band, not too small beyond it, nowhere too large, on the right side.
#[track_caller]
fn assert_is_true(surface: &ClosedSurface, settings: &GridSettings) {
    let grid = DistanceGrid::from_surface(surface, settings).unwrap();
    let band = settings.margin.max(4.0 * grid.spacing());
    let mut inside = 0;
    for (number, value) in grid.values().iter().enumerate() {
        let slow = surface.distance(&node(&grid, number));
        inside += usize::from(slow < 0.0);
        let slack = 0.05 * (slow.abs() - band).max(0.0);
        // A node on the surface, to the last digit, has no side.
        assert!(
            value * slow >= 0.0 || slow.abs() < 1e-12,
            "node {number} is on the wrong side: {value} instead of {slow}"
        );
        let (above, below) = (value.abs() - slow.abs(), slow.abs() - value.abs());
        assert!(above < 1e-12 && below < slack + 1e-12, "node {number}: {value} instead of {slow}");
    }
    assert!(inside > 0, "some nodes are inside");
}

fn ball(radius: f64, edge: f64, at: Vector3) -> TriSoup {
    let mut soup = generate::ball(radius, edge).unwrap().boundary().surface.into_soup();
    soup.vertices.iter_mut().for_each(|x| *x += at);
    soup
}

/// Two surfaces as one.
fn together(mut a: TriSoup, b: TriSoup) -> TriSoup {
    let first = a.vertices.len() as u32;
    a.vertices.extend(b.vertices);
    a.elements.extend(b.elements.iter().map(|corners| corners.map(|v| v + first)));
    a
}

#[test]
fn nodes_of_a_meshed_grid_are_exact_and_on_the_right_side() {
    let mesh = generate::torus(0.7, 0.3, 0.12).unwrap().boundary().surface;
    let surface = ClosedSurface::from_mesh(&mesh).unwrap();
    assert_is_true(&surface, &settings(24, GridInterpolation::Cubic));
    // Triangles much larger than cells, and much smaller.
    let bar = generate::cuboid([1.0, 0.2, 0.3], [1, 1, 1], CuboidSplit::Kuhn).unwrap();
    let bar = ClosedSurface::from_mesh(&bar.boundary().surface).unwrap();
    assert_is_true(&bar, &settings(40, GridInterpolation::Cubic));
    let fine = ClosedSurface::new(ball(0.5, 0.06, Vector3::zeros())).unwrap();
    assert_is_true(&fine, &GridSettings { resolution: 6, margin: 0.3, ..GridSettings::default() });
}

#[test]
fn nodes_know_their_side_where_pieces_overlap_or_are_hollow() {
    let overlapping =
        together(ball(0.5, 0.2, Vector3::zeros()), ball(0.4, 0.2, Vector3::x() * 0.45));
    assert_is_true(
        &ClosedSurface::new(overlapping).unwrap(),
        &settings(20, GridInterpolation::Linear),
    );
    let mut cavity = ball(0.25, 0.12, Vector3::zeros());
    cavity.elements.iter_mut().for_each(|corners| corners.swap(1, 2));
    let hollow = ClosedSurface::new(together(ball(0.5, 0.2, Vector3::zeros()), cavity)).unwrap();
    assert!(hollow.distance(&Vector3::zeros()) > 0.0);
    assert_is_true(&hollow, &settings(24, GridInterpolation::Linear));
}

/// A ball in two halves with a crack between them: no piece of space is shut off, and the winding number decides.
#[test]
fn nodes_of_a_cracked_surface_are_on_the_side_that_the_winding_number_says() {
    let mut cracked = ball(0.5, 0.15, Vector3::new(0.013, 0.021, 0.0));
    let middle = |corners: &[u32; 3]| {
        corners.iter().map(|&v| cracked.vertices[v as usize].z).sum::<f64>() / 3.0
    };
    let (upper, lower): (Vec<[u32; 3]>, Vec<_>) =
        cracked.elements.iter().partition(|corners| middle(corners) > 0.0);
    let half = |elements: Vec<[u32; 3]>, z: f64| {
        let vertices = cracked.vertices.iter().map(|x| x + Vector3::z() * z).collect();
        TriSoup::new(vertices, elements)
    };
    cracked = together(half(upper, 4e-3), half(lower, -4e-3));
    let surface = ClosedSurface::new(cracked).unwrap();
    assert!(surface.repairs().open_edges > 0, "{}", surface.repairs());
    for resolution in [12, 31] {
        assert_is_true(&surface, &settings(resolution, GridInterpolation::Cubic));
    }
}

#[test]
fn interpolation_has_its_order_on_smooth_surfaces() {
    // Near the surface, away from the circle in the middle of the tube.
    let near: Vec<Vector3> =
        (points(1, 4000, 1.0).into_iter()).filter(|x| exact(&TORUS, *x).abs() < 0.08).collect();
    let errors = |resolution: usize, kind: GridInterpolation| {
        let grid = torus(resolution, kind);
        let worst = |error: &dyn Fn(&Vector3) -> f64| near.iter().map(error).fold(0.0, f64::max);
        let value = worst(&|x| (grid.jet(x).value - exact(&TORUS, *x)).abs());
        let slope =
            worst(&|x| (grid.jet(x).gradient - TORUS.distance(*x).unwrap().gradient).norm());
        (value, slope)
    };
    for (kind, value_order, slope_order) in
        [(GridInterpolation::Linear, 2.0, 1.0), (GridInterpolation::Cubic, 3.0, 2.0)]
    {
        let (coarse, fine) = (errors(40, kind), errors(80, kind));
        let order = |coarse: f64, fine: f64| (coarse / fine).log2();
        assert!(
            order(coarse.0, fine.0) > value_order - 0.3,
            "{kind:?}: {} to {}",
            coarse.0,
            fine.0
        );
        assert!(
            order(coarse.1, fine.1) > slope_order - 0.3,
            "{kind:?}: {} to {}",
            coarse.1,
            fine.1
        );
    }
}

#[test]
fn flat_faces_are_exactly_flat() {
    let mesh = generate::cuboid([1.0, 0.4, 1.0], [2, 1, 2], CuboidSplit::Kuhn).unwrap();
    let surface = ClosedSurface::from_mesh(&mesh.boundary().surface).unwrap();
    let grid =
        DistanceGrid::from_surface(&surface, &settings(20, GridInterpolation::Cubic)).unwrap();
    for x in points(2, 500, 1.0) {
        let x = Vector3::new(0.3 * x.x, 0.2 + 0.04 * x.y, 0.3 * x.z);
        let jet = grid.jet(&x);
        assert!((jet.value - (x.y - 0.2)).abs() < 1e-13, "{}", jet.value);
        assert!((jet.gradient - Vector3::y()).norm() < 1e-11 && jet.hessian.norm() < 1e-9);
    }
}

#[test]
fn derivatives_are_those_of_the_value_everywhere() {
    for kind in [GridInterpolation::Linear, GridInterpolation::Cubic] {
        let grid = torus(20, kind);
        for x in points(3, 300, 2.0) {
            // Within one cell, and on one side of the border of the grid.
            let cell = |x: &Vector3| (x - grid.origin()).map(|c| (c / grid.spacing()).floor());
            let d = Vector3::new(0.6, -0.48, 0.64) * 0.5 * grid.spacing();
            if cell(&(x + d * 1.1e-2)) != cell(&(x - d * 1.1e-2)) {
                continue;
            }
            let jet = grid.jet(&x);
            let along = |t: f64| grid.jet(&(x + d * t));
            assert_is_derivative(|t| along(t).value, jet.gradient.dot(&d), d.norm());
            let w = Vector3::new(0.2, 0.5, -0.7);
            assert_is_derivative(|t| along(t).gradient.dot(&w), (jet.hessian * d).dot(&w), 1.0);
        }
    }
}

#[test]
fn the_cubic_has_a_continuous_gradient() {
    let grid = torus(16, GridInterpolation::Cubic);
    for x in points(4, 200, 0.9) {
        let mut x = Vector3::new(x.x, 0.3 * x.y, x.z);
        let place = ((x.x - grid.origin().x) / grid.spacing()).round();
        x.x = grid.origin().x + place * grid.spacing();
        let step = Vector3::x() * 1e-9;
        let (before, after) = (grid.jet(&(x - step)), grid.jet(&(x + step)));
        assert!((before.gradient - after.gradient).norm() < 1e-6);
    }
}

#[test]
fn values_outside_are_continuous_and_never_too_large() {
    for grid in [torus(24, GridInterpolation::Cubic), torus(24, GridInterpolation::Linear)] {
        for x in points(5, 4000, 3.0) {
            if grid.bounds().is_near(&x, 0.0) {
                continue;
            }
            let value = grid.distance(&x);
            assert!(value > 0.0 && value < exact(&TORUS, x) + 0.02, "{value} at {x:?}");
            let border = x.sup(&grid.bounds().min).inf(&grid.bounds().max);
            let outside = border + (x - border) * 1e-9;
            assert!((grid.distance(&border) - grid.distance(&outside)).abs() < 1e-8);
        }
        for far in [1e3, 1e9, 1e150] {
            let jet = grid.jet(&Vector3::new(far, -far, 0.1));
            assert!((jet.value / far - 2.0_f64.sqrt()).abs() < 0.01);
            assert!(jet.gradient.iter().chain(jet.hessian.iter()).all(|c| c.is_finite()));
        }
    }
}

#[test]
fn margins_reach_as_far_as_asked() {
    let bounds = BoundingBox { min: Vector3::zeros(), max: Vector3::new(1.0, 0.1, 0.3) };
    let wide = GridSettings { resolution: 10, margin: 0.35, ..GridSettings::default() };
    let grid = DistanceGrid::sample(&bounds, &wide, |x| x.y).unwrap();
    let reached = grid.bounds();
    assert!((bounds.min - reached.min).min() > 0.35 && (reached.max - bounds.max).min() > 0.35);
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let mesh = generate::torus(0.7, 0.3, 0.1).unwrap().boundary().surface;
    let surface = ClosedSurface::from_mesh(&mesh).unwrap();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            DistanceGrid::from_surface(
                &surface,
                &GridSettings { resolution: 20, ..GridSettings::default() },
            )
            .unwrap()
        })
    };
    let bits = |grid: &DistanceGrid| grid.values().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&on(1)), bits(&on(3)));
}

#[test]
fn a_grid_can_be_kept_and_taken_up_again() {
    let grid = torus(8, GridInterpolation::Cubic);
    let values = grid.values().to_vec();
    let again = |values: Vec<f64>| {
        DistanceGrid::from_values(
            grid.origin(),
            grid.spacing(),
            grid.counts(),
            values,
            GridInterpolation::Cubic,
        )
    };
    assert_eq!(again(values.clone()).unwrap(), grid);
    assert!(matches!(again(values[1..].to_vec()), Err(DistanceGridError::Shape { .. })));
    let mut broken = values;
    broken[7] = f64::NAN;
    assert_eq!(again(broken), Err(DistanceGridError::NotFinite { node: 7 }));
}

#[test]
fn grids_that_make_no_sense_are_refused() {
    let bounds = BoundingBox { min: Vector3::zeros(), max: Vector3::repeat(1.0) };
    let make = |resolution: usize, margin: f64, bounds: &BoundingBox| {
        let settings = GridSettings { resolution, margin, ..GridSettings::default() };
        DistanceGrid::sample(bounds, &settings, |x| x.x)
    };
    for resolution in [0, 3, 1000, usize::MAX] {
        let error = make(resolution, 0.0, &bounds).unwrap_err();
        assert!(matches!(error, DistanceGridError::Resolution { .. }), "{error}");
        assert!(error.to_string().contains("help:"));
    }
    let flat = BoundingBox { min: Vector3::zeros(), max: Vector3::zeros() };
    assert_eq!(make(10, 0.0, &flat), Err(DistanceGridError::Bounds));
    assert_eq!(make(10, f64::NAN, &bounds), Err(DistanceGridError::Bounds));
    assert_eq!(make(10, -1.0, &bounds), Err(DistanceGridError::Bounds));
    let settings = GridSettings { resolution: 8, ..GridSettings::default() };
    let broken = DistanceGrid::sample(&bounds, &settings, |x| (x.x - 0.5).sqrt());
    assert!(matches!(broken, Err(DistanceGridError::NotFinite { .. })));
}

#[test]
fn depth_is_that_of_the_deepest_node() {
    let grid = torus(40, GridInterpolation::Cubic);
    assert!((grid.depth() - 0.3).abs() < 0.03, "{}", grid.depth());
}
