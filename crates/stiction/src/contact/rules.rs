//! Rules of all pairs of a scene.

use std::collections::BTreeMap;

use super::rule::{ContactRule, rule_of};
use crate::body::{BodyId, End};
use crate::scene::Scene;

/// What scenes say about pairs.
#[derive(Debug)]
pub(crate) struct Rules {
    named: BTreeMap<[u32; 2], ContactRule>,
    default: ContactRule,
    /// Of each body, which of the kinds of skins it has; and rules of their pairs, kind by kind.
    kinds: Vec<Option<usize>>,
    of_kinds: Vec<Vec<ContactRule>>,
    /// The thickest layer that a pair is said to have [m].
    pub(crate) thickest: f64,
}

impl Rules {
    pub(crate) fn new(scene: &Scene) -> Self {
        let mut named = BTreeMap::new();
        let joined = scene.joints.iter().filter_map(|joint| match joint.between {
            [End::Body(a), End::Body(b)] => Some([a, b]),
            _ => None,
        });
        for pair in scene.contacts.iter().map(|rule| rule.between).chain(joined) {
            let [a, b] = pair.map(|body| body.index());
            let [a, b] = [a.min(b), a.max(b)];
            named.insert([a as u32, b as u32], rule_of(scene, a, b));
        }
        let nobody = BodyId(u32::MAX);
        let default = ContactRule { friction: scene.friction, ..ContactRule::new(nobody, nobody) };
        // Copies of a body have the same skin: kinds are few, pairs of bodies are many.
        let mut first: Vec<BodyId> = Vec::new();
        let kinds = scene.ids().map(|body| {
            let skin = scene.skins.get(&body)?;
            let like = |other: &BodyId| {
                let other = &scene.skins[other];
                (&other.stuff, other.coefficient) == (&skin.stuff, skin.coefficient)
            };
            Some(first.iter().position(like).unwrap_or_else(|| {
                first.push(body);
                first.len() - 1
            }))
        });
        let kinds = kinds.collect();
        let rule = |a, b| ContactRule { friction: scene.friction_of(a, b), ..default.clone() };
        let of_kinds = first.iter().map(|&a| first.iter().map(|&b| rule(a, b)).collect()).collect();
        // Kinds differ by friction alone.
        let said = named.values().filter_map(|rule: &ContactRule| rule.thickness);
        let thickest = said.fold(0.0, f64::max);
        Self { named, default, kinds, of_kinds, thickest }
    }

    /// Of two bodies.
    pub(crate) fn of(&self, [a, b]: [u32; 2]) -> &ContactRule {
        let named = self.named.get(&[a.min(b), a.max(b)]);
        named.unwrap_or_else(|| match [a, b].map(|body| self.kinds[body as usize]) {
            [Some(a), Some(b)] => &self.of_kinds[a][b],
            _ => &self.default,
        })
    }
}
