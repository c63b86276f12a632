//! What would be faster and no worse.

use stiction::body::{Body, Shape};
use stiction::math::Vector3;
use stiction::mesh::TriMesh;

use super::super::build::Setup;
use super::super::format::ObstacleShape;
use super::{short, shown};

/// Farther than this share of its size from an exact shape, a mesh is another one [-].
const ALIKE: f64 = 0.01;

/// Meshes of fewer triangles are fast enough.
const MANY: usize = 500;

impl Setup {
    /// What would be faster and no worse, each as `message\n  help: remedy`: obstacles read as meshes that are an exact
    /// shape, or closed and of many triangles.
    pub fn advice(&self) -> Vec<String> {
        let tables = self.resolved.body.iter().map(|table| &table.value);
        let advice = self.scene.bodies.iter().zip(tables).filter_map(|(body, table)| {
            let of_file = matches!(table.obstacle.as_ref()?.value, ObstacleShape::Mesh(_));
            let Body::Obstacle(obstacle) = body else { return None };
            let Shape::Mesh(mesh) = obstacle.shape.clone() else { return None };
            let stretched = mesh.transformed(&obstacle.placement.stretch()).ok()?;
            let name = body.name().unwrap_or_default();
            if of_file { of_mesh(name, &stretched) } else { None }
        });
        advice.collect()
    }
}

fn of_mesh(name: &str, mesh: &TriMesh) -> Option<String> {
    if !mesh.is_closed() {
        return None;
    }
    let triangles = mesh.element_count();
    if let Some((word, shape, center)) = ball(mesh).or_else(|| cuboid(mesh)) {
        return Some(format!(
            "`{name}` is a {word} of {triangles} triangles\n  help: `obstacle = {{ {shape} }}`, moved by {}, is \
             faster, and has no facets",
            shown(&center)
        ));
    }
    (triangles > MANY).then(|| {
        format!(
            "`{name}` is a mesh of {triangles} triangles\n  help: as `distance_grid` in place of `mesh` it costs the \
             same for any number of them; edges are rounded by about a cell"
        )
    })
}

/// A ball: all vertices are as far from the middle, and all triangles nearly so.
fn ball(mesh: &TriMesh) -> Option<(&'static str, String, Vector3)> {
    let center = mesh.bounding_box().center();
    let from_center = mesh.vertices().iter().map(|x| (x - center).norm());
    let radius = from_center.fold(0.0, f64::max);
    let off = |x: &Vector3| ((x - center).norm() / radius - 1.0).abs();
    let volume = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    // Few triangles may have their corners on a ball and be none.
    let full = mesh.enclosed_volume() > 0.9 * volume;
    let is_ball = full && mesh.vertices().iter().all(|x| off(x) < ALIKE);
    is_ball.then(|| ("ball", format!("sphere = {{ radius = {} }}", short(radius)), center))
}

/// A box along the axes: it fills its bounding box.
fn cuboid(mesh: &TriMesh) -> Option<(&'static str, String, Vector3)> {
    let bounds = mesh.bounding_box();
    let size = bounds.size();
    let is_box = mesh.enclosed_volume() > (1.0 - ALIKE) * size.iter().product::<f64>();
    let [x, y, z] = [size.x, size.y, size.z].map(short);
    is_box.then(|| ("box", format!("box = {{ size = [{x}, {y}, {z}] }}"), bounds.center()))
}
