//! Where a stage starts: where nothing crosses, as near to what is expected as there is room.

use super::Guard;
use crate::model::Model;
use crate::step::Stage;

/// Parts of the free way that are tried with everything prescribed in its place.
const TRIED: [f64; 4] = [1.0, 0.5, 0.1, 0.0];

impl Guard {
    /// Moves what is free back from where it is expected, as far as it takes for nothing to cross on the way there;
    /// prescribed coordinates stay. Where that does not do, everything goes back, and the answer is no.
    pub(crate) fn start(&self, model: &Model, stage: &Stage, q: &mut [f64], v: &mut [f64]) -> bool {
        let (from, expected) = (self.positions(&self.safe), q.to_vec());
        let to = self.positions(&expected);
        let part = self.free_part(&from, &to);
        if part >= 1.0 {
            return true;
        }
        for tried in TRIED {
            let part = tried * part;
            self.place(part, stage, &expected, q, v, |node, axis| {
                let row = model.rows.of_node(node) as usize;
                row < model.rows.free()
                    && !model.fixed[node as usize][axis]
                    && model.rigid.arm(node).is_none()
            });
            if self.free_part(&from, &self.positions(q)) >= 1.0 {
                return true;
            }
        }
        self.place(0.0, stage, &expected, q, v, |_, _| true);
        false
    }

    fn place(
        &self,
        part: f64,
        stage: &Stage,
        expected: &[f64],
        q: &mut [f64],
        v: &mut [f64],
        moves: impl Fn(u32, usize) -> bool,
    ) {
        for vertex in &self.vertices {
            for axis in (0..3).filter(|&axis| moves(vertex.node, axis)) {
                let at = 3 * vertex.node as usize + axis;
                q[at] = self.safe[at] + part * (expected[at] - self.safe[at]);
                v[at] = (q[at] - stage.q_hat[at]) / stage.beta;
            }
        }
    }
}
