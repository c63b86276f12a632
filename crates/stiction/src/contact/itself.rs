//! Bodies that touch themselves, and bodies that are one because they are welded.

use std::collections::BTreeSet;

use crate::body::{Body, BodyId};
use crate::contact::kin::Offender;
use crate::math::Vector3;
use crate::model::SceneError;
use crate::scene::Scene;

/// Radius of kin, in layers: bent by half a circle, what is as far away along it as this is still a layer apart.
pub(crate) const KIN_LAYERS: f64 = 2.0;

/// How near places may be at the start, in layers: what was put there to the layer may be off by rounding.
pub(crate) const NEARLY: f64 = 1.0 - 1e-3;

/// Looks at all bodies that are to touch themselves.
pub(crate) fn check(scene: &Scene) -> Result<(), SceneError> {
    for body in scene.ids().filter(|body| scene.touches_itself(*body)) {
        let what = match &scene.bodies[body.index()] {
            Body::Solid(_) | Body::Cloth(_) => continue,
            Body::Rigid(_) => "rigid",
            Body::Obstacle(_) => "an obstacle",
        };
        return Err(SceneError::NoSelfContact { body: scene.named(body), what });
    }
    Ok(())
}

/// Edges of a body that deforms, also inside, and where its vertices are at rest.
pub(crate) fn at_rest(body: &Body) -> Option<(Vec<[u32; 2]>, Vec<Vector3>)> {
    match body {
        Body::Solid(solid) => {
            let mesh = solid.mesh.transformed(&solid.placement).ok()?;
            Some((mesh.edges(), mesh.vertices().to_vec()))
        }
        Body::Cloth(cloth) => {
            let mesh = cloth.mesh.transformed(&cloth.placement).ok()?;
            Some((mesh.edges(), mesh.vertices().to_vec()))
        }
        Body::Rigid(_) | Body::Obstacle(_) => None,
    }
}

/// Says no to places of a body that are nearer to each other than a layer and not joined by an edge; `vertices` are
/// those of the body that the ones of its surface are.
pub(crate) fn refuse(
    scene: &Scene,
    body: BodyId,
    when: &'static str,
    vertices: &[u32],
    (found, layer): (&[Offender], f64),
) -> Result<(), SceneError> {
    let apart = || found.iter().filter(|offender| !offender.joined);
    let Some(nearest) = apart().min_by(|a, b| a.distance.total_cmp(&b.distance)) else {
        return Ok(());
    };
    Err(SceneError::NearItself {
        body: scene.named(body),
        when,
        count: apart().count(),
        vertices: nearest.vertices.map(|v| vertices[v as usize]),
        distance: nearest.distance,
        layer,
    })
}

/// Pairs of bodies that share nodes, the lower one first; `nodes` are those of each body.
pub(crate) fn welded(scene: &Scene, nodes: &[Vec<u32>]) -> BTreeSet<[u32; 2]> {
    let mut pairs = BTreeSet::new();
    if scene.welds.is_empty() {
        return pairs;
    }
    let count = nodes.iter().flatten().max().map_or(0, |&node| node as usize + 1);
    let mut owners: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (own, nodes) in (0..).zip(nodes) {
        for &node in nodes {
            let owners = &mut owners[node as usize];
            pairs.extend(owners.iter().filter(|&&other| other != own).map(|&other| [other, own]));
            owners.push(own);
        }
    }
    pairs
}
