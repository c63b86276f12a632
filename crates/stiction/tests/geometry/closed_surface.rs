//! Surfaces with an inside: the fast winding number is the slow one, broken surfaces are repaired or refused.

use stiction::geometry::closed_surface::{OpenSurfaceError, Repairs};
use stiction::geometry::{ClosedSurface, WindingNumber, closest};
use stiction::math::Vector3;
use stiction::mesh::generate::{self, CuboidSplit};
use stiction::mesh::{TriMesh, TriSoup};
use stiction_check::differences::assert_is_derivative;
use stiction_check::matrices::Random;

fn points(seed: u64, count: usize, reach: f64) -> Vec<Vector3> {
    let mut random = Random::new(seed);
    (0..count).map(|_| Vector3::from_fn(|_, _| random.value()) * reach).collect()
}

fn skin(mesh: stiction::mesh::TetMesh) -> TriSoup {
    mesh.boundary().surface.into_soup()
}

fn sphere() -> TriSoup {
    skin(generate::ball(1.0, 0.2).unwrap())
}

fn torus() -> TriSoup {
    skin(generate::torus(0.8, 0.3, 0.1).unwrap())
}

fn cube() -> TriSoup {
    skin(generate::cuboid([2.0; 3], [4; 3], CuboidSplit::Kuhn).unwrap())
}

fn clean() -> Repairs {
    Repairs::default()
}

fn closed(soup: &TriSoup) -> ClosedSurface {
    ClosedSurface::new(soup.clone()).unwrap()
}

#[test]
fn the_fast_winding_number_is_the_direct_sum() {
    let mut open = torus();
    open.elements.truncate(open.elements.len() / 3); // broken on purpose: any value, not only 0 and 1
    for soup in [sphere(), torus(), cube(), open] {
        let winding = WindingNumber::new(&soup.vertices, &soup.elements);
        for x in points(1, 2000, 2.0) {
            let (fast, slow) = (winding.at(&x), winding.direct(&x));
            assert!((fast - slow).abs() < 5e-3, "{fast} instead of {slow} at {x:?}");
        }
    }
}

#[test]
fn the_expansion_gains_its_order_with_distance() {
    // Of one piece of surface seen from farther and farther away, the error falls as r⁻⁵: three orders are exact.
    let soup = sphere();
    let cap: Vec<[u32; 3]> = (soup.elements.iter().copied())
        .filter(|t| t.iter().all(|&v| soup.vertices[v as usize].z > 0.6))
        .collect();
    let winding = WindingNumber::new(&soup.vertices, &cap);
    let error = |r: f64| {
        let x = Vector3::new(0.3, 0.5, 1.0).normalize() * r;
        (winding.at(&x) - winding.direct(&x)).abs()
    };
    let (near, far) = (error(10.0), error(20.0));
    assert!(near > 1e-12 && far < near / 25.0, "{near:e} to {far:e}");
}

#[test]
fn a_closed_surface_winds_once_around_what_it_holds() {
    for (soup, shape) in [
        (torus(), stiction::body::Shape::Torus { ring_radius: 0.8, tube_radius: 0.3 }),
        (sphere(), stiction::body::Shape::Sphere { radius: 1.0 }),
    ] {
        let surface = closed(&soup);
        assert!(surface.repairs().is_clean(), "{}", surface.repairs());
        for x in points(2, 1000, 1.4) {
            // The torus of generators turns about z, that of shapes about y.
            let turned = Vector3::new(x.x, x.z, -x.y);
            let exact = shape.distance(turned).unwrap().value;
            if exact.abs() > 0.03 {
                assert_eq!(surface.contains(&x), exact < 0.0, "at {x:?}");
                let once = if exact < 0.0 { 1.0 } else { 0.0 };
                assert!((surface.winding(&x) - once).abs() < 0.01, "at {x:?}");
                assert!((surface.distance(&x) - exact).abs() < 0.03, "at {x:?}");
            }
        }
    }
}

#[test]
fn the_nearest_point_is_the_nearest_of_all_triangles() {
    let soup = torus();
    let surface = closed(&soup);
    for x in points(3, 300, 1.5) {
        let nearest = surface.nearest(&x);
        let each = soup.elements.iter().map(|t| {
            let corners = t.map(|v| soup.vertices[v as usize]);
            let w = closest::weights_on_triangle(&corners, x);
            (corners[0] * w[0] + corners[1] * w[1] + corners[2] * w[2] - x).norm()
        });
        let slow = each.fold(f64::INFINITY, f64::min);
        assert!((nearest.distance - slow).abs() < 1e-12);
        assert!((nearest.position - x).norm() - slow < 1e-12);
    }
}

#[test]
fn derivatives_of_the_distance_are_exact() {
    let surface = closed(&cube());
    let mut checked = 0;
    for x in points(4, 200, 1.8) {
        let jet = surface.jet(&x);
        let d = Vector3::new(0.6, -0.48, 0.64) * 1e-2; // so that steps stay within one region
        let kinked = (-10..=10).any(|k| {
            let there = surface.jet(&(x + d * (0.1 * f64::from(k))));
            (there.hessian - jet.hessian).norm() > 0.1 + 0.2 * jet.hessian.norm()
                || (there.gradient - jet.gradient).norm() > 0.1
        });
        if kinked || jet.value.abs() < 0.02 {
            continue;
        }
        checked += 1;
        let value = |t: f64| surface.jet(&(x + d * t)).value;
        assert_is_derivative(value, jet.gradient.dot(&d), 1e-2);
        let slope = |t: f64| surface.jet(&(x + d * t)).gradient.dot(&Vector3::new(0.1, 0.7, 0.2));
        assert_is_derivative(slope, (jet.hessian * d).dot(&Vector3::new(0.1, 0.7, 0.2)), 1e-2);
    }
    assert!(checked > 100, "only {checked} points were away from kinks");
}

/// The same inside as before, but for points within `blur` of the surface.
fn assert_same_inside(broken: &ClosedSurface, whole: &ClosedSurface, blur: f64) {
    for x in points(5, 3000, 1.3) {
        if whole.distance(&x).abs() > blur {
            assert_eq!(broken.contains(&x), whole.contains(&x), "at {x:?}");
        }
    }
}

#[test]
fn small_damage_is_repaired_and_reported() {
    let whole = closed(&sphere());

    let mut soup = sphere();
    soup.elements.remove(17);
    let surface = closed(&soup);
    assert_eq!(surface.repairs().holes, 1);
    assert_same_inside(&surface, &whole, 1e-9);

    let mut soup = sphere();
    for t in [3, 40, 41, 99] {
        soup.elements[t].swap(0, 1);
    }
    let surface = closed(&soup);
    assert_eq!(*surface.repairs(), Repairs { turned: 4, ..clean() });
    assert_same_inside(&surface, &whole, 1e-9);

    let mut soup = sphere();
    let twice = soup.elements[5];
    soup.elements.push(twice);
    soup.elements.push([twice[1], twice[0], twice[2]]);
    soup.elements.push([7, 7, 8]);
    let surface = closed(&soup);
    assert_eq!(*surface.repairs(), Repairs { degenerate: 1, duplicates: 2, ..clean() });
    assert_eq!(surface.triangles().len(), sphere().elements.len());

    let mut soup = sphere();
    soup.elements.iter_mut().for_each(|t| t.swap(1, 2));
    let surface = closed(&soup);
    assert!(surface.repairs().inside_out);
    assert!(surface.volume() > 0.0);
    assert_same_inside(&surface, &whole, 1e-9);
}

#[test]
fn a_soup_without_shared_vertices_is_one_surface() {
    let whole = torus();
    let vertices: Vec<Vector3> =
        whole.elements.iter().flatten().map(|&v| whole.vertices[v as usize]).collect();
    let triangles = (0..whole.elements.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    let surface = closed(&TriSoup::new(vertices, triangles.collect()));
    assert!(surface.repairs().is_clean());
    assert_eq!(surface.vertices().len(), whole.vertices.len());
}

#[test]
fn pieces_that_overlap_and_cracks_keep_their_inside() {
    // Two balls through each other, as one list.
    let mut soup = sphere();
    let (count, second) = (soup.vertices.len() as u32, sphere());
    soup.vertices.extend(second.vertices.iter().map(|x| x + Vector3::x()));
    soup.elements.extend(second.elements.iter().map(|t| t.map(|v| v + count)));
    let surface = closed(&soup);
    for x in points(6, 2000, 2.0) {
        let exact = (x.norm() - 1.0).min((x - Vector3::x()).norm() - 1.0);
        if exact.abs() > 0.05 {
            assert_eq!(surface.contains(&x), exact < 0.0, "at {x:?}");
            assert!(surface.distance(&x).abs() < exact.abs() + 0.05, "at {x:?}");
        }
    }

    // A cube whose upper half was moved by a little: a crack all around.
    let mut soup = cube();
    let upper: Vec<bool> = soup
        .elements
        .iter()
        .map(|t| t.iter().map(|&v| soup.vertices[v as usize].z).sum::<f64>() > 0.0)
        .collect();
    let count = soup.vertices.len() as u32;
    let moved: Vec<Vector3> =
        soup.vertices.iter().map(|x| x + Vector3::new(0.0, 0.0, 1e-3)).collect();
    soup.vertices.extend(moved);
    for (t, upper) in soup.elements.iter_mut().zip(upper) {
        if upper {
            *t = t.map(|v| v + count);
        }
    }
    let surface = closed(&soup);
    assert!(surface.repairs().open_edges > 0);
    assert_same_inside(&surface, &closed(&cube()), 0.02);
}

#[test]
fn cavities_are_outside() {
    let surface = closed(&skin(generate::hollow_ball(0.5, 1.0, 0.25).unwrap()));
    assert!(!surface.contains(&Vector3::zeros()));
    assert!(surface.contains(&Vector3::new(0.0, 0.75, 0.0)));
    assert!((surface.distance(&Vector3::zeros()) - 0.5).abs() < 0.05);
}

#[test]
fn open_and_flat_surfaces_are_refused_with_the_reason() {
    let refuse = |soup: TriSoup| ClosedSurface::new(soup).unwrap_err();
    let half = |keep: fn(f64) -> bool| {
        let mut soup = sphere();
        let vertices = soup.vertices.clone();
        soup.elements.retain(|t| t.iter().all(|&v| keep(vertices[v as usize].z)));
        soup
    };
    for open in [half(|z| z < 0.05), half(|z| z.abs() < 0.8)] {
        let error = refuse(open);
        assert!(matches!(error, OpenSurfaceError::Open { .. }), "{error}");
        let text = error.to_string();
        assert!(
            text.contains("open") && text.contains("near (") && text.contains("help:"),
            "{text}"
        );
    }
    let mut lidless = cube();
    let vertices = lidless.vertices.clone();
    lidless.elements.retain(|t| !t.iter().all(|&v| vertices[v as usize].z > 0.999));
    assert!(matches!(refuse(lidless), OpenSurfaceError::Open { .. }));

    let sheet = generate::sheet([1.0, 1.0], [4, 4], generate::Diagonals::Regular).unwrap();
    let error = refuse(sheet.into_soup());
    assert!(matches!(error, OpenSurfaceError::Open { .. } | OpenSurfaceError::Nothing), "{error}");

    let flat = vec![Vector3::zeros(), Vector3::x(), Vector3::y()];
    let both = TriSoup::new(flat, vec![[0, 1, 2], [0, 2, 1]]);
    assert!(matches!(refuse(both), OpenSurfaceError::Open { .. } | OpenSurfaceError::Nothing));
    assert!(matches!(refuse(TriSoup::new(vec![], vec![])), OpenSurfaceError::Mesh(_)));
    let nan = vec![Vector3::repeat(f64::NAN), Vector3::x(), Vector3::y()];
    assert!(matches!(refuse(TriSoup::new(nan, vec![[0, 1, 2]])), OpenSurfaceError::Mesh(_)));
    let missing = TriSoup::new(vec![Vector3::x(), Vector3::y()], vec![[0, 1, 2]]);
    assert!(matches!(refuse(missing), OpenSurfaceError::Mesh(_)));
}

#[test]
fn size_and_place_do_not_matter() {
    for (scale, place) in [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e4)] {
        let mut soup = torus();
        let shift = Vector3::repeat(place);
        soup.vertices.iter_mut().for_each(|x| *x = *x * scale + shift);
        let (surface, whole) = (closed(&soup), closed(&torus()));
        assert!(surface.repairs().is_clean());
        for x in points(7, 300, 1.3) {
            let there = x * scale + shift;
            assert_eq!(surface.contains(&there), whole.contains(&x));
            let distance = surface.distance(&there) / scale;
            assert!((distance - whole.distance(&x)).abs() < 1e-9 * (1.0 + place), "at {x:?}");
        }
    }
}

#[test]
fn a_checked_mesh_is_as_good_as_a_list() {
    let mesh = TriMesh::new(cube().vertices, cube().elements).unwrap();
    let surface = ClosedSurface::from_mesh(&mesh).unwrap();
    assert!((surface.volume() - 8.0).abs() < 1e-12 && (surface.area() - 24.0).abs() < 1e-12);
}
