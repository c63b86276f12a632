//! A tree of boxes finds what testing every pair finds, in the same order for any number of threads.

use stiction::geometry::bvh::{Bvh, NotABox};
use stiction::math::Vector3;
use stiction::mesh::BoundingBox;
use stiction_check::matrices::Random;

fn overlap(a: &BoundingBox, b: &BoundingBox) -> bool {
    (0..3).all(|k| a.min[k] <= b.max[k] && a.max[k] >= b.min[k])
}

fn vector(random: &mut Random) -> Vector3 {
    Vector3::from_fn(|_, _| random.value())
}

/// Boxes of about a size in a cube of two metres.
fn cloud(count: usize, size: f64, seed: u64) -> Vec<BoundingBox> {
    let mut random = Random::new(seed);
    let mut one = || {
        let (center, half) = (vector(&mut random), vector(&mut random).abs() * size);
        BoundingBox { min: center - half, max: center + half }
    };
    (0..count).map(|_| one()).collect()
}

/// Everything that makes trees of boxes stumble.
fn scenes() -> Vec<Vec<BoundingBox>> {
    let point = |x: f64| BoundingBox { min: Vector3::repeat(x), max: Vector3::repeat(x) };
    let far =
        |b: &BoundingBox| BoundingBox { min: b.min.add_scalar(1e6), max: b.max.add_scalar(1e6) };
    let line: Vec<_> = (0..300).map(|k| point(f64::from(k / 3))).collect();
    let flat = |mut b: BoundingBox| {
        (b.min.z, b.max.z) = (0.5, 0.5);
        b
    };
    let mut nested = cloud(100, 0.1, 9);
    nested.push(BoundingBox { min: Vector3::repeat(-9.0), max: Vector3::repeat(9.0) });
    let mut scenes: Vec<_> = (0..40).map(|count| cloud(count, 0.5, count as u64)).collect();
    scenes.extend([
        cloud(2000, 0.05, 1),
        cloud(700, 1e-9, 2),
        cloud(900, 0.1, 3).iter().map(far).collect(),
        cloud(500, 0.1, 4).into_iter().map(flat).collect(),
        vec![point(0.25); 200],
        line,
        nested,
        vec![cloud(1, 1e300, 5)[0]; 20],
    ]);
    scenes
}

#[test]
fn pairs_within_a_tree_are_those_of_testing_all() {
    for boxes in scenes() {
        let tree = Bvh::new(&boxes).expect("boxes");
        let mut found = Vec::new();
        tree.self_pairs(&mut found);
        found.sort_unstable();
        let all = |i: usize| (0..i).map(move |j| [j as u32, i as u32]);
        let mut expected: Vec<_> = (0..boxes.len())
            .flat_map(all)
            .filter(|&[i, j]| overlap(&boxes[i as usize], &boxes[j as usize]))
            .collect();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}

#[test]
fn pairs_between_trees_are_those_of_testing_all() {
    for (k, boxes) in scenes().into_iter().enumerate() {
        for other in [cloud(k, 0.3, 77), cloud(333, 0.2, 78)] {
            let (a, b) = (Bvh::new(&boxes).expect("boxes"), Bvh::new(&other).expect("boxes"));
            let mut found = Vec::new();
            a.pairs(&b, &mut found);
            found.sort_unstable();
            let expected: Vec<_> = (0..boxes.len())
                .flat_map(|i| (0..other.len()).map(move |j| [i as u32, j as u32]))
                .filter(|&[i, j]| overlap(&boxes[i as usize], &other[j as usize]))
                .collect();
            assert_eq!(found, expected);
        }
    }
}

/// Far away, where `f32` can tell apart what is 6 cm from each other only, trees of different extents, in each of which
/// coordinates are counted from elsewhere.
#[test]
fn trees_far_away_are_compared_as_exactly_as_near_ones() {
    let far = |b: &BoundingBox, scale: f64| BoundingBox {
        min: (b.min * scale).add_scalar(1e6),
        max: (b.max * scale).add_scalar(1e6),
    };
    let small: Vec<_> = cloud(400, 0.05, 21).iter().map(|b| far(b, 1.0)).collect();
    let large: Vec<_> = cloud(3000, 0.2, 22).iter().map(|b| far(b, 1000.0)).collect();
    let (a, b) = (Bvh::new(&small).expect("boxes"), Bvh::new(&large).expect("boxes"));
    for (trees, boxes) in [([&a, &b], [&small, &large]), ([&b, &a], [&large, &small])] {
        let mut found = Vec::new();
        trees[0].pairs(trees[1], &mut found);
        found.sort_unstable();
        let expected: Vec<_> = (0..boxes[0].len())
            .flat_map(|i| (0..boxes[1].len()).map(move |j| [i as u32, j as u32]))
            .filter(|&[i, j]| overlap(&boxes[0][i as usize], &boxes[1][j as usize]))
            .collect();
        assert!(!expected.is_empty());
        assert_eq!(found, expected);
    }
}

/// Boxes that miss each other by less than `f32` can tell.
#[test]
fn a_gap_below_rounding_is_a_gap() {
    let cube = |x: f64| BoundingBox {
        min: Vector3::new(x, 0.0, 0.0),
        max: Vector3::new(x + 1.0, 1.0, 1.0),
    };
    for (gap, expected) in [(1e-12, 0), (0.0, 1), (-1e-12, 1)] {
        let boxes = [cube(0.0), cube(1.0 + gap)];
        let mut found = Vec::new();
        Bvh::new(&boxes).expect("boxes").self_pairs(&mut found);
        assert_eq!(found.len(), expected, "{gap}");
    }
}

#[test]
fn a_tree_that_is_refitted_answers_for_the_boxes_as_they_are() {
    let mut tree = Bvh::new(&cloud(1500, 0.05, 1)).expect("boxes");
    let moved = cloud(1500, 0.1, 2); // nowhere near where they were
    tree.refit(&moved).expect("boxes");
    let (mut found, mut fresh) = (Vec::new(), Vec::new());
    tree.self_pairs(&mut found);
    Bvh::new(&moved).expect("boxes").self_pairs(&mut fresh);
    found.sort_unstable();
    fresh.sort_unstable();
    assert_eq!(found, fresh);
}

#[test]
fn answers_come_in_the_same_order_for_any_number_of_threads() {
    let boxes = cloud(20_000, 0.02, 6);
    let answer = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut tree = Bvh::new(&boxes).expect("boxes");
            tree.refit(&boxes).expect("boxes");
            let mut found = [Vec::new(), Vec::new()];
            tree.self_pairs(&mut found[0]);
            tree.pairs(&tree, &mut found[1]);
            found
        })
    };
    let one = answer(1);
    assert!(one[0].len() > 1000);
    assert_eq!(one, answer(2));
    assert_eq!(one, answer(5));
}

#[test]
fn boxes_find_what_testing_all_finds() {
    let mut random = Random::new(8);
    for boxes in scenes() {
        let tree = Bvh::new(&boxes).expect("boxes");
        let mut found = Vec::new();
        for _ in 0..20 {
            let (center, half) = (vector(&mut random), vector(&mut random).abs() * 0.3);
            let place = BoundingBox { min: center - half, max: center + half };
            tree.overlapping(&place, &mut found);
            found.sort_unstable();
            let all = 0..boxes.len() as u32;
            let expected: Vec<_> = all.filter(|&i| overlap(&boxes[i as usize], &place)).collect();
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn what_is_no_box_is_refused() {
    let sound = cloud(50, 0.1, 1);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for corner in 0..2 {
            let mut boxes = sound.clone();
            *(if corner == 0 { &mut boxes[31].min.y } else { &mut boxes[31].max.y }) = bad;
            assert_eq!(Bvh::new(&boxes).err(), Some(NotABox { index: 31 }));
            let mut tree = Bvh::new(&sound).expect("boxes");
            assert_eq!(tree.refit(&boxes), Err(NotABox { index: 31 }));
        }
    }
    let mut boxes = sound.clone();
    boxes[7].max.x = boxes[7].min.x - 1e-9;
    assert_eq!(Bvh::new(&boxes).err(), Some(NotABox { index: 7 }));
    let mut tree = Bvh::new(&sound).expect("boxes");
    assert!(tree.refit(&sound[1..]).is_err());
}
