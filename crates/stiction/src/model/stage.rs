//! The equation of a stage, but for contacts:
//!
//! $$ r(v) = M (v - \hat v) - \gamma\, f(\hat q + \beta v, v) - e, \qquad q = \hat q + \beta v $$

use super::{Model, subtract};
use crate::assembly::Rows;
use crate::math::Vector3;
use crate::step::{Stage, Trajectory};

/// Scratch vectors over all rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    pub(crate) rows: Vec<f64>,
    pub(crate) product: Vec<f64>,
}

impl Work {
    /// Copies a vector over nodes into rows.
    pub(crate) fn gather_rows(&mut self, rows: &Rows, nodes: &[f64]) {
        self.rows.resize(nodes.len(), 0.0);
        self.product.resize(nodes.len(), 0.0);
        rows.gather(nodes, &mut self.rows);
    }
}

impl Model {
    /// Diagonal of `M`, per coordinate; of rotations, principal moments.
    pub(crate) fn mass_diagonal(&self) -> &[f64] {
        &self.coordinate_masses
    }

    /// A step has begun at the state `q`: rotation vectors count from there.
    pub(crate) fn begin(&mut self, q: &[f64]) {
        self.rigid.begin(q);
    }

    /// A step has ended: rotations are counted from here on.
    pub(crate) fn end(&mut self, state: &mut Trajectory) {
        let before = state.before.as_mut().map(|before| &mut before.q[..]);
        self.rigid.rebase(&mut state.q, before);
    }

    /// Goes to where the velocities `v` lead in a stage, and sets what is prescribed there.
    pub(crate) fn enter(&mut self, stage: &Stage, q: &mut [f64], v: &mut [f64]) {
        self.set_time(stage.time);
        for ((q, q_hat), v) in q.iter_mut().zip(&stage.q_hat).zip(&*v) {
            *q = q_hat + stage.beta * v;
        }
        self.prescribe(stage.time, q, v);
        self.rigid.place(stage, true, q, v);
        self.freeze_damping(q);
    }

    /// Goes to the point `unknowns` of free rows: velocities if `dynamic`, else positions.
    pub(crate) fn place(
        &mut self,
        stage: &Stage,
        dynamic: bool,
        unknowns: &[f64],
        q: &mut [f64],
        v: &mut [f64],
    ) {
        let (beta, q_hat) = (stage.beta, &stage.q_hat);
        for (&node, value) in self.rows.free_nodes().iter().zip(unknowns.chunks_exact(3)) {
            for a in 0..3 {
                if !self.fixed[node as usize][a] {
                    let at = 3 * node as usize + a;
                    q[at] = q_hat[at] + beta * value[a];
                    if dynamic {
                        v[at] = value[a];
                    }
                }
            }
        }
        self.rigid.place(stage, dynamic, q, v);
    }

    /// Writes `r` over all rows at a point of a stage; `inertia` is 1, or 0 for statics. `forces` takes what contacts
    /// add away from what pulls on rows.
    pub(crate) fn balance(
        &mut self,
        stage: &Stage,
        inertia: f64,
        (q, v): (&[f64], &[f64]),
        forces: impl FnOnce(&Rows, &mut [f64]),
        work: &mut Work,
        out: &mut [f64],
    ) {
        self.pulls((q, v), forces, work, out);
        let Self { rigid, rows, masses, .. } = self;
        for (r, &node) in out.chunks_exact_mut(3).zip(rows.nodes()) {
            let mass = inertia * masses[node as usize];
            for a in 0..3 {
                let at = 3 * node as usize + a;
                r[a] = mass * (v[at] - stage.v_hat[at]) + stage.gamma * r[a] - stage.impulse[at];
            }
        }
        rigid.balance(rows, stage, inertia, out);
    }

    /// Writes what pulls on rows, contacts included, carried rows gathered on their bodies.
    fn pulls(
        &mut self,
        (q, v): (&[f64], &[f64]),
        forces: impl FnOnce(&Rows, &mut [f64]),
        work: &mut Work,
        out: &mut [f64],
    ) {
        self.unbalanced(q, v, work, out);
        forces(&self.rows, out);
        self.rigid.gather(&self.rows, out);
    }

    /// Sets what is prescribed to zero, in a vector over free rows.
    pub(crate) fn clear_prescribed(&self, r: &mut [f64]) {
        for (r, &node) in r.chunks_exact_mut(3).zip(self.rows.free_nodes()) {
            for a in (0..3).filter(|&a| self.fixed[node as usize][a]) {
                r[a] = 0.0;
            }
        }
    }

    /// Finds [`Model::reactions`] at a point of a stage. Not from its balance: its explicit parts hold forces, but
    /// not the reactions of the time they are from.
    pub(crate) fn find_stage_reactions(
        &mut self,
        stage: &Stage,
        inertia: f64,
        (q, v): (&[f64], &[f64]),
        forces: impl FnOnce(&Rows, &mut [f64]),
        work: &mut Work,
        out: &mut [f64],
    ) {
        self.pulls((q, v), forces, work, out);
        self.react(stage.time, inertia, out);
    }

    /// Finds [`Model::reactions`] at a time and place that no stage has just ended at, such as the start.
    /// Damping is frozen at `q`, not where a stage would have predicted it: in damped scenes a stage may report
    /// slightly other forces.
    pub(crate) fn find_reactions(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        contacts: impl FnOnce(&mut dyn FnMut(u32, Vector3)),
    ) {
        self.set_time(t);
        self.freeze_damping(q);
        let mut in_rows = vec![0.0; q.len()];
        self.unbalanced(q, v, &mut Work::default(), &mut in_rows);
        let rows = &self.rows;
        contacts(&mut |node, force| subtract(rows, node, force, &mut in_rows));
        self.react(t, 1.0, &in_rows);
    }

    /// Writes all forces on nodes at a state but those of contacts, `f(t, q, v)` [N].
    pub fn free_force(&mut self, t: f64, q: &[f64], v: &[f64], f: &mut [f64]) {
        self.force(t, q, v, |_| {}, f);
    }

    /// Writes all forces on nodes at a state, `f(t, q, v)` [N].
    pub(crate) fn force(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        contacts: impl FnOnce(&mut dyn FnMut(u32, Vector3)),
        f: &mut [f64],
    ) {
        self.set_time(t);
        self.freeze_damping(q);
        let mut in_rows = vec![0.0; q.len()];
        self.unbalanced(q, v, &mut Work::default(), &mut in_rows);
        let Self { rows, rigid, .. } = self;
        contacts(&mut |node, force| subtract(rows, node, force, &mut in_rows));
        rigid.stand(q, v);
        rigid.gather(rows, &mut in_rows);
        for (row, &node) in in_rows.chunks_exact(3).zip(rows.nodes()) {
            for a in 0..3 {
                f[3 * node as usize + a] = -row[a];
            }
        }
    }
}
