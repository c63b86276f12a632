//! Boxes of 51,200 triangles: refit and all overlapping pairs, ours beside parry's, alternating.
//!
//! `boxes-beside-parry [THREADS]`. On one thread times are CPU time, on more they are the median of the wall's.

use std::time::Instant;

use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::partitioning::{Bvh as Parry, BvhBuildStrategy, BvhWorkspace};
use stiction::geometry::bvh::Bvh;
use stiction::math::Vector3;
use stiction::mesh::BoundingBox;

const CELLS: usize = 160;
const ROUNDS: usize = 101;

/// A sheet rolled up, its layers near each other.
fn rolled(time: f64) -> Vec<BoundingBox> {
    triangles(|x, y| {
        let angle = 40.0 * x + 0.3 * time;
        let radius = 0.12 + 0.15 * x + 0.004 * (25.0 * y + 7.0 * time).sin();
        Vector3::new(radius * angle.cos(), y, radius * angle.sin())
    })
}

/// A sheet crumpled, passing through itself.
fn crumpled(time: f64) -> Vec<BoundingBox> {
    triangles(|x, y| {
        Vector3::new(
            x + 0.05 * (37.0 * y + time).sin(),
            y + 0.05 * (41.0 * x - time).cos(),
            0.1 * (23.0 * x + 31.0 * y + 2.0 * time).sin() * (17.0 * x - 29.0 * y).cos(),
        )
    })
}

/// Boxes anywhere, of any shape.
fn cloud(time: f64) -> Vec<BoundingBox> {
    let mut state: u64 = 7;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut vector = || Vector3::new(random(), random(), random());
    let mut one = || {
        let (center, half) = (vector() + vector() * (0.005 * time.sin()), vector() * 0.02);
        BoundingBox { min: center - half, max: center + half }
    };
    (0..2 * CELLS * CELLS).map(|_| one()).collect()
}

fn triangles(at: impl Fn(f64, f64) -> Vector3) -> Vec<BoundingBox> {
    let at = |i: usize, j: usize| at(i as f64 / CELLS as f64, j as f64 / CELLS as f64);
    let margin = Vector3::repeat(0.001);
    let mut boxes = Vec::new();
    for (i, j) in (0..CELLS).flat_map(|i| (0..CELLS).map(move |j| (i, j))) {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
        for [p, q, r] in [[a, b, c], [b, d, c]] {
            let (min, max) = (p.inf(&q).inf(&r) - margin, p.sup(&q).sup(&r) + margin);
            boxes.push(BoundingBox { min, max });
        }
    }
    boxes
}

fn theirs(b: &BoundingBox) -> Aabb {
    let v = |x: Vector3| [x.x, x.y, x.z].into();
    Aabb::new(v(b.min), v(b.max))
}

/// Milliseconds.
struct Clock {
    threads: usize,
    times: Vec<f64>,
}

impl Clock {
    fn time(&mut self, work: impl FnOnce()) {
        let (cpu, wall) = (cpu_milliseconds(), Instant::now());
        work();
        let wall = wall.elapsed().as_secs_f64() * 1e3;
        self.times.push(if self.threads == 1 { cpu_milliseconds() - cpu } else { wall });
    }

    /// CPU time comes in ticks: only its mean is right.
    fn result(&mut self) -> f64 {
        self.times.sort_unstable_by(f64::total_cmp);
        let count = self.times.len();
        if self.threads == 1 {
            self.times.iter().sum::<f64>() / count as f64
        } else {
            self.times[count / 2]
        }
    }
}

fn cpu_milliseconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0) * 1e-6
}

fn main() {
    let threads = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    type Scene = (&'static str, fn(f64) -> Vec<BoundingBox>);
    let scenes: [Scene; 3] = [("rolled", rolled), ("crumpled", crumpled), ("cloud", cloud)];
    println!(
        "| boxes | threads | pairs | refit, ours [ms] | parry | pairs, ours [ms] | parry | both, parry / ours | \
         build, parry / ours |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    pool.install(|| scenes.iter().for_each(|(name, scene)| measure(name, *scene, threads)));
}

fn measure(name: &str, scene: fn(f64) -> Vec<BoundingBox>, threads: usize) {
    let mut clocks: [Clock; 6] = std::array::from_fn(|_| Clock { threads, times: Vec::new() });
    let start = scene(0.0);
    let leaves: Vec<Aabb> = start.iter().map(theirs).collect();
    let mut ours = Bvh::new(&start).expect("finite boxes");
    let mut parry = Parry::from_leaves(BvhBuildStrategy::Binned, &leaves);
    for _ in 0..9 {
        clocks[4].time(|| drop(Bvh::new(&start)));
        clocks[5].time(|| drop(Parry::from_leaves(BvhBuildStrategy::Binned, &leaves)));
    }
    let mut workspace = BvhWorkspace::default();
    let (mut found, mut pairs) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let now = scene(0.01 * round as f64);
        let updates: Vec<(Aabb, u32, f64)> =
            now.iter().enumerate().map(|(k, b)| (theirs(b), k as u32, 0.0)).collect();
        clocks[0].time(|| ours.refit(&now).expect("finite boxes"));
        clocks[1].time(|| ours.self_pairs(&mut found));
        clocks[2].time(|| {
            if threads == 1 {
                for &(b, k, margin) in &updates {
                    parry.insert_or_update_partially(b, k, margin);
                }
                parry.refit_without_opt();
            } else {
                parry.insert_or_update_batch_partially_parallel(&updates, &mut Vec::new());
                parry.refit_parallel(&mut workspace);
            }
        });
        clocks[3].time(|| {
            if threads == 1 {
                pairs.clear();
                parry.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |a, b| {
                    pairs.push((a, b))
                });
            } else {
                pairs = parry.traverse_bvtt_single_tree_parallel::<false>();
            }
        });
        assert_eq!(found.len(), pairs.len(), "both are exact");
    }
    let [refit, walk, refit_parry, walk_parry, build, build_parry] =
        clocks.each_mut().map(Clock::result);
    println!(
        "| {name} | {threads} | {} | {refit:.2} | {refit_parry:.2} | {walk:.2} | {walk_parry:.2} | **{:.2}** | {:.2} |",
        found.len(),
        (refit_parry + walk_parry) / (refit + walk),
        build_parry / build
    );
}
