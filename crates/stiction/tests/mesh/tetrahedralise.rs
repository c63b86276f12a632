//! Tets from surfaces: positive, well shaped, near the surface; never a panic.

use stiction::body::Shape;
use stiction::geometry::region::{Field, Interior};
use stiction::geometry::{ClosedSurface, Jet};
use stiction::math::{Matrix3, Vector3};
use stiction::mesh::generate::{self, CuboidSplit};
use stiction::mesh::tetrahedralise::{Filling, Region, tetrahedralise};
use stiction::mesh::{BoundingBox, MeshError, TetMesh, TriSoup};
use stiction_check::matrices::Random;

fn fill(region: &impl Region, filling: Filling) -> TetMesh {
    let mesh = tetrahedralise(region, &filling, &mut |_| ()).unwrap();
    assert!(mesh.volumes().iter().all(|volume| *volume > 0.0));
    mesh
}

fn plain(edge_length: f64) -> Filling {
    Filling { rounds: 0, ..Filling::new(edge_length) }
}

fn degrees(mesh: &TetMesh) -> (f64, f64) {
    let quality = mesh.quality();
    (quality.min_angle.min.to_degrees(), quality.max_angle.max.to_degrees())
}

fn shape(shape: Shape, half: [f64; 3]) -> Field<impl Fn(Vector3) -> Jet + Sync> {
    let half = Vector3::from(half);
    Field {
        bounds: BoundingBox { min: -half, max: half },
        distance: move |x| shape.distance(x).unwrap(),
    }
}

fn ball() -> Field<impl Fn(Vector3) -> Jet + Sync> {
    shape(Shape::Sphere { radius: 1.0 }, [1.0; 3])
}

fn skin(mesh: TetMesh) -> ClosedSurface {
    ClosedSurface::from_mesh(&mesh.boundary().surface).unwrap()
}

#[test]
fn angles_keep_the_bounds_of_the_paper_on_any_plane() {
    let mut random = Random::new(5);
    for _ in 0..60 {
        let normal = Vector3::from_fn(|_, _| random.value()).normalize();
        let offset = 2.0 * random.value();
        let plane = Field {
            bounds: BoundingBox { min: Vector3::repeat(-2.0), max: Vector3::repeat(2.0) },
            distance: move |x: Vector3| Jet {
                value: normal.dot(&x) - offset,
                gradient: normal,
                hessian: Matrix3::zeros(),
            },
        };
        let (least, most) = degrees(&fill(&plane, plain(0.9)));
        assert!(least > 10.78 && most < 164.74, "{least} to {most} for {normal:?}, {offset}");
    }
}

#[test]
fn angles_keep_the_bounds_of_the_paper_on_smooth_surfaces() {
    let torus = shape(Shape::Torus { ring_radius: 0.7, tube_radius: 0.3 }, [1.0, 0.3, 1.0]);
    let round = shape(Shape::Capsule { radius: 0.5, length: 0.6 }, [0.5, 0.8, 0.5]);
    for filled in [fill(&ball(), plain(0.13)), fill(&torus, plain(0.07)), fill(&round, plain(0.08))]
    {
        let (least, most) = degrees(&filled);
        assert!(least > 10.78 && most < 164.74, "{least} to {most}");
    }
}

#[test]
fn improvement_makes_better_tets_without_leaving_the_surface() {
    let (before, after) = (fill(&ball(), plain(0.15)), fill(&ball(), Filling::new(0.15)));
    assert_eq!(before.tets(), after.tets());
    assert!(degrees(&after).0 > degrees(&before).0 + 3.0);
    assert!(after.quality().mean_ratio.min > 0.5);
    for v in after.vertex_tags().get("surface").unwrap() {
        assert!((after.vertices()[*v as usize].norm() - 1.0).abs() < 1e-6);
    }
}

#[test]
fn volume_converges_with_second_order() {
    let exact = 4.0 / 3.0 * std::f64::consts::PI;
    let error = |edge: f64| (fill(&ball(), plain(edge)).volume() / exact - 1.0).abs();
    let (coarse, fine) = (error(0.2), error(0.1));
    assert!(fine < coarse / 3.0 && fine < 0.01, "{coarse} to {fine}");
}

#[test]
fn the_topology_is_that_of_the_surface() {
    let torus = shape(Shape::Torus { ring_radius: 0.7, tube_radius: 0.3 }, [1.0, 0.3, 1.0]);
    assert_eq!(fill(&ball(), Filling::new(0.2)).euler_characteristic(), 1);
    assert_eq!(fill(&torus, Filling::new(0.1)).euler_characteristic(), 0);
    let hollow = skin(generate::hollow_ball(0.5, 1.0, 0.25).unwrap());
    let region = Interior::new(&hollow, Interior::SHARP);
    assert_eq!(fill(&region, Filling::new(0.15)).euler_characteristic(), 2);
}

#[test]
fn sharp_edges_and_corners_are_kept() {
    let surface = skin(generate::cuboid([1.0, 0.7, 0.5], [1, 1, 1], CuboidSplit::Kuhn).unwrap());
    let region = Interior::new(&surface, Interior::SHARP);
    assert_eq!(region.corners().len(), 8);
    let mesh = fill(&region, Filling::new(0.11));
    assert!((mesh.volume() / 0.35 - 1.0).abs() < 1e-3, "{}", mesh.volume());
    let apart = surface.hausdorff(&mesh.boundary().surface);
    assert!(apart < 0.02 * 0.11, "{apart}");
    assert!(degrees(&mesh).0 > 10.0);
    // Cut off without improvement.
    let plain = fill(&region, plain(0.11));
    assert!(surface.hausdorff(&plain.boundary().surface) > 0.1 * 0.11);
}

#[test]
fn broken_surfaces_give_the_same_solid() {
    let whole = generate::ball(1.0, 0.25).unwrap().boundary().surface.into_soup();
    let volume = |soup: TriSoup| {
        let surface = ClosedSurface::new(soup).unwrap();
        let region = Interior::new(&surface, Interior::SHARP);
        fill(&region, Filling::new(0.2)).volume()
    };
    let expected = volume(whole.clone());
    let mut holed = whole.clone();
    holed.elements.remove(3);
    let mut flipped = whole.clone();
    flipped.elements[11].swap(0, 1);
    let mut doubled = whole.clone();
    doubled.elements.push(whole.elements[4]);
    doubled.elements.push([1, 1, 2]);
    let mut inside_out = whole.clone();
    inside_out.elements.iter_mut().for_each(|t| t.swap(0, 1));
    let mut alone = whole.clone(); // every triangle with vertices of its own
    alone.vertices = whole.elements.iter().flatten().map(|&v| whole.vertices[v as usize]).collect();
    alone.elements =
        (0..whole.elements.len() as u32).map(|t| [0, 1, 2].map(|k| 3 * t + k)).collect();
    for soup in [holed, flipped, doubled, inside_out, alone] {
        let volume = volume(soup);
        assert!((volume / expected - 1.0).abs() < 0.003, "{volume} instead of {expected}");
    }
}

#[test]
fn pieces_that_overlap_become_one_solid() {
    let mut soup = generate::ball(1.0, 0.25).unwrap().boundary().surface.into_soup();
    let (count, copy) = (soup.vertices.len() as u32, soup.clone());
    soup.vertices.extend(copy.vertices.iter().map(|x| x + Vector3::x()));
    soup.elements.extend(copy.elements.iter().map(|t| t.map(|v| v + count)));
    let surface = ClosedSurface::new(soup).unwrap();
    let mesh = fill(&Interior::new(&surface, Interior::SHARP), Filling::new(0.15));
    let union = std::f64::consts::PI * (8.0 / 3.0 - 5.0 / 12.0);
    assert!((mesh.volume() / union - 1.0).abs() < 0.04, "{} instead of {union}", mesh.volume());
    assert_eq!(mesh.euler_characteristic(), 1);
}

#[test]
fn size_and_place_do_not_matter() {
    let counts = [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e4)].map(|(scale, place)| {
        let mut soup = generate::torus(0.8, 0.3, 0.2).unwrap().boundary().surface.into_soup();
        soup.vertices.iter_mut().for_each(|x| *x = *x * scale + Vector3::repeat(place));
        let surface = ClosedSurface::new(soup).unwrap();
        let region = Interior::new(&surface, Interior::SHARP);
        let mesh = fill(&region, Filling::with_resolution(&region, 14));
        assert!((mesh.volume() / surface.volume() - 1.0).abs() < 0.05);
        mesh.element_count()
    });
    assert!(counts.iter().all(|n| n.abs_diff(counts[0]) < 50), "{counts:?}");
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let surface = skin(generate::torus(0.8, 0.3, 0.15).unwrap());
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let region = Interior::new(&surface, Interior::SHARP);
        pool.install(|| fill(&region, Filling::new(0.12)))
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn progress_rises_to_the_end() {
    let mut heard = vec![0.0];
    tetrahedralise(&ball(), &Filling::new(0.4), &mut |done| heard.push(done)).unwrap();
    assert!(heard.windows(2).all(|pair| pair[0] <= pair[1]));
    assert!((heard.last().unwrap() - 1.0).abs() < 1e-12);
}

#[test]
fn what_makes_no_mesh_is_refused_with_the_reason() {
    let refuse =
        |region: &dyn Fn() -> Result<TetMesh, MeshError>| region().unwrap_err().to_string();
    for edge in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let text = refuse(&|| tetrahedralise(&ball(), &Filling::new(edge), &mut |_| ()));
        assert!(text.contains("edge_length") && text.contains("help:"), "{text}");
    }
    let text = refuse(&|| tetrahedralise(&ball(), &Filling::new(1e-4), &mut |_| ()));
    assert!(text.contains("nodes"), "{text}");
    let thin =
        shape(Shape::Box { size: Vector3::new(1.0, 1e-3, 1.0), rounding: 0.0 }, [0.5, 5e-4, 0.5]);
    let text = refuse(&|| tetrahedralise(&thin, &Filling::new(0.3), &mut |_| ()));
    assert!(text.contains("too long for any tet"), "{text}");
}
