//! Which vertices are one node: all by themselves, or welded together.

use super::{Build, Parts, Placed};
use crate::body::{Body, Weld};
use crate::math::Vector3;
use crate::mesh::Selection;
use crate::model::{SceneError, Subject};
use crate::union_find::UnionFind;

impl Build<'_> {
    /// One node per vertex, or per group of welded ones.
    pub(super) fn number_nodes(&self, parts: &mut Parts) -> Result<(), SceneError> {
        let mut first = Vec::new();
        let mut total = 0u32;
        for placed in self.placed {
            first.push(total);
            total += placed.as_ref().map_or(0, |placed| placed.vertices().len()) as u32;
        }
        // Welded vertices point to the one they are welded to.
        let mut same = UnionFind::new(total as usize);
        for (index, weld) in self.scene.welds.iter().enumerate() {
            for (v, w) in self.partners(index, weld)? {
                same.unite(first[weld.a.index()] + v, first[weld.b.index()] + w);
            }
        }
        let mut node_of = vec![u32::MAX; total as usize];
        for (b, placed) in self.placed.iter().enumerate() {
            let mut nodes = Vec::new();
            if let Some(placed) = placed {
                let start = self.start(b, placed);
                for (v, x) in start.into_iter().enumerate() {
                    let root = same.root(first[b] + v as u32) as usize;
                    if node_of[root] == u32::MAX {
                        node_of[root] = parts.positions.len() as u32;
                        parts.positions.push(x);
                    }
                    nodes.push(node_of[root]);
                }
            }
            parts.nodes.push(nodes);
        }
        parts.vertex_masses = vec![Vec::new(); self.placed.len()];
        parts.body_terms = vec![Vec::new(); self.placed.len()];
        parts.masses = vec![0.0; parts.positions.len()];
        parts.mass_damping = vec![0.0; parts.positions.len()];
        parts.velocities = vec![Vector3::zeros(); parts.positions.len()];
        Ok(())
    }

    /// Where the vertices of a body start.
    fn start(&self, b: usize, placed: &Placed) -> Vec<Vector3> {
        let (start, placement) = match &self.scene.bodies[b] {
            Body::Solid(solid) => (&solid.start, &solid.placement),
            Body::Cloth(cloth) => (&cloth.start, &cloth.placement),
            Body::Rigid(rigid) => (&rigid.start, &rigid.placement),
            Body::Obstacle(_) => return Vec::new(),
        };
        match start {
            Some(start) => start.iter().map(|x| placement.apply_rigid(x)).collect(),
            None => placed.vertices().to_vec(),
        }
    }

    /// Pairs of vertices that a weld joins.
    fn partners(&self, index: usize, weld: &Weld) -> Result<Vec<(u32, u32)>, SceneError> {
        let by = Subject::Weld(index);
        let (a, b) = (self.placed(by, weld.a)?, self.placed(by, weld.b)?);
        self.refuse_rigid(by, weld.a)?;
        self.refuse_rigid(by, weld.b)?;
        let selected = self.select(by, weld.a, &weld.selection)?;
        let tolerance = weld.tolerance.unwrap_or(1e-6 * a.size().max(b.size()));
        // Sorted along x, so that only a thin slab has to be searched.
        let mut order: Vec<u32> = (0..b.vertices().len() as u32).collect();
        let x = |v: u32| b.vertices()[v as usize].x;
        order.sort_by(|&v, &w| x(v).total_cmp(&x(w)).then(v.cmp(&w)));
        let mut pairs = Vec::new();
        let (mut alone, mut nearest_alone) = (0, f64::INFINITY);
        for &v in &selected {
            let at = a.vertices()[v as usize];
            let from = order.partition_point(|&w| x(w) < at.x - tolerance);
            let slab = order[from..].iter().take_while(|&&w| x(w) <= at.x + tolerance);
            let distance = |w: u32| (b.vertices()[w as usize] - at).norm();
            let nearest = slab
                .map(|&w| (distance(w), w))
                .min_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
            match nearest {
                Some((distance, w)) if distance <= tolerance => pairs.push((v, w)),
                _ => {
                    alone += 1;
                    let far = order.iter().map(|&w| distance(w)).fold(f64::INFINITY, f64::min);
                    nearest_alone = nearest_alone.min(far);
                }
            }
        }
        if pairs.is_empty() || (alone > 0 && weld.selection != Selection::All) {
            return Err(SceneError::Alone {
                weld: index,
                a: self.scene.named(weld.a),
                b: self.scene.named(weld.b),
                alone,
                selected: selected.len(),
                tolerance,
                nearest: nearest_alone,
            });
        }
        Ok(pairs)
    }
}
