//! The tree finds what trying every triangle finds.

use stiction_render::{Bvh, Ray, Vec3};

use crate::common::Numbers;

/// Distance to a triangle in double precision; nothing if the ray passes by. `slack` widens the triangle.
fn meet([a, b, c]: &[Vec3; 3], origin: &Vec3, direction: &Vec3, slack: f64) -> Option<f64> {
    let wide = |x: &Vec3| x.map(f64::from);
    let (a, o, d) = (wide(a), wide(origin), wide(direction));
    let (e, f) = (wide(b) - a, wide(c) - a);
    let n = e.cross(&f);
    let area_sq = n.norm_squared();
    let t = n.dot(&(a - o)) / n.dot(&d);
    let at = o + d * t - a;
    let (u, v) = (at.cross(&f).dot(&n) / area_sq, e.cross(&at).dot(&n) / area_sq);
    let inside = u >= -slack && v >= -slack && u + v <= 1.0 + slack;
    (inside && t > 0.0).then_some(t)
}

/// Compares for many rays. Distances of hits that an edge decides may differ by which side of it was taken.
fn compare(triangles: &[[Vec3; 3]], seed: u64) {
    let tree = Bvh::new(triangles);
    let mut numbers = Numbers::new(seed);
    let (mut hits, mut misses) = (0, 0);
    for k in 0..3000 {
        let origin = numbers.vector() * 2.0;
        let direction = match k % 4 {
            0 => Vec3::ith(k % 3, if k % 8 < 4 { 1.0 } else { -1.0 }),
            _ => numbers.vector().normalize(),
        };
        let ray = Ray::new(origin, direction);
        let most = if k % 5 == 0 { 0.8 } else { f32::INFINITY };
        let nearest = |slack: f64| {
            let all = triangles.iter().filter_map(|t| meet(t, &origin, &direction, slack));
            all.filter(|t| *t < f64::from(most)).fold(f64::INFINITY, f64::min)
        };
        let (surely, perhaps) = (nearest(-1e-3), nearest(1e-3));
        match tree.nearest(&ray, most) {
            Some(hit) => {
                hits += 1;
                let t = f64::from(hit.t);
                assert!(t > perhaps - 1e-4 && t < surely + 1e-4, "{t}, not {perhaps} to {surely}");
                let [a, b, c] = triangles[hit.triangle as usize];
                let [u, v] = hit.uv;
                let at = a * (1.0 - u - v) + b * u + c * v;
                assert!((at - ray.at(hit.t)).norm() < 1e-3, "coordinates lead to {at}");
                assert!(tree.blocks(&ray, most));
            }
            None => {
                misses += 1;
                assert!(surely.is_infinite(), "a triangle at {surely} was missed");
                assert!(!tree.blocks(&ray, most));
            }
        }
    }
    assert!(hits > 20 && misses > 20, "{hits} hits, {misses} misses prove little");
}

fn random(count: usize, size: f32, seed: u64) -> Vec<[Vec3; 3]> {
    let mut numbers = Numbers::new(seed);
    let mut triangle = || {
        let corner = numbers.vector();
        [corner, corner + numbers.vector() * size, corner + numbers.vector() * size]
    };
    (0..count).map(|_| triangle()).collect()
}

#[test]
fn random_triangles_are_found() {
    for (count, size) in [(3, 1.5), (40, 0.5), (700, 0.1), (6000, 0.03)] {
        compare(&random(count, size, count as u64), 7);
    }
}

#[test]
fn triangles_of_very_different_size_are_found() {
    let mut triangles = random(500, 0.01, 1);
    triangles.extend(random(5, 4.0, 2));
    triangles.extend(random(500, 1e-5, 3));
    compare(&triangles, 8);
}

#[test]
fn degenerate_triangles_hide_nothing() {
    let mut triangles = random(60, 0.6, 4);
    let (point, nowhere) = (Vec3::new(0.1, 0.2, 0.3), Vec3::repeat(f32::NAN));
    triangles.extend([[point; 3]; 50]); // all in one place
    triangles.extend((0..50).map(|k| [point, point + Vec3::x() * k as f32, point])); // lines
    let broken = triangles.len();
    compare(&triangles, 9);
    triangles.extend([[nowhere; 3]; 5]);
    triangles.push([point, Vec3::repeat(f32::INFINITY), nowhere]);
    let (tree, mut numbers) = (Bvh::new(&triangles), Numbers::new(10));
    for _ in 0..1000 {
        let ray = Ray::new(numbers.vector() * 2.0, numbers.vector().normalize());
        let whole = Bvh::new(&triangles[..60]).nearest(&ray, f32::INFINITY);
        let hit = tree.nearest(&ray, f32::INFINITY);
        assert_eq!(hit.map(|hit| hit.t), whole.map(|hit| hit.t));
        assert!(hit.is_none_or(|hit| (hit.triangle as usize) < broken));
    }
}

#[test]
fn triangles_that_lie_in_one_place_or_plane_are_found() {
    let [one] = random(1, 1.5, 5)[..] else { panic!("one") };
    compare(&vec![one; 300], 11);
    let flat = random(400, 0.2, 6).into_iter().map(|t| t.map(|x| Vec3::new(x.x, 0.25, x.z)));
    compare(&flat.collect::<Vec<_>>(), 12);
}

#[test]
fn nothing_is_met_where_there_is_nothing() {
    let ray = Ray::new(Vec3::zeros(), Vec3::x());
    assert_eq!(Bvh::new(&[]).nearest(&ray, f32::INFINITY), None);
    assert!(!Bvh::new(&[]).blocks(&ray, f32::INFINITY));
}

#[test]
fn a_closed_surface_has_no_gaps_between_its_triangles() {
    let ball = crate::common::ball(Vec3::zeros(), 1.0, [1.0; 3]);
    let corners = |t: &[u32; 3]| t.map(|v| ball.vertices[v as usize]);
    let tree = Bvh::new(&ball.triangles.iter().map(corners).collect::<Vec<_>>());
    let mut numbers = Numbers::new(13);
    for k in 0..200_000 {
        // Half of them straight at a vertex, where gaps would be.
        let direction = match k % 2 {
            0 => ball.vertices[k / 2 % ball.vertices.len()],
            _ => numbers.vector(),
        };
        let ray = Ray::new(Vec3::zeros(), direction.normalize());
        assert!(tree.blocks(&ray, f32::INFINITY), "a ray towards {direction} gets out");
    }
}
