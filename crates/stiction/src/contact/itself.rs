//! Whether the bodies of a scene that are to touch themselves can.

use crate::body::Body;
use crate::model::SceneError;
use crate::scene::Scene;

/// Looks at all bodies that are to touch themselves.
pub(crate) fn check(scene: &Scene) -> Result<(), SceneError> {
    for body in scene.ids().filter(|body| scene.touches_itself(*body)) {
        let what = match &scene.bodies[body.index()] {
            Body::Solid(_) | Body::Cloth(_) => continue,
            Body::Rigid(_) => "rigid",
            Body::Obstacle(_) => "an obstacle",
        };
        return Err(SceneError::NoSelfContact { body: scene.name(body), what });
    }
    Ok(())
}
