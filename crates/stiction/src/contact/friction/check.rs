//! Whether what a scene says of friction makes sense.

use super::{Directional, Skin};
use crate::body::BodyId;
use crate::contact::Friction;
use crate::model::{Named, SceneError, Subject};
use crate::scene::Scene;

type Checked = Result<(), SceneError>;

/// Looks at all frictions and all skins.
pub(crate) fn check(scene: &Scene) -> Checked {
    let count = scene.bodies.len();
    for (body, skin) in &scene.skins {
        if body.index() >= count {
            let by = Subject::Skin(*body);
            return Err(SceneError::UnknownBody { what: by.kind(), by, body: *body, count });
        }
        check_skin(skin, || Subject::Skin(*body).named(scene))?;
    }
    let touch = scene.bodies.len() > 1 || scene.ids().any(|body| scene.touches_itself(body));
    if touch {
        check_friction(&scene.friction, || Subject::Friction.named(scene))?;
    }
    for (index, rule) in scene.contacts.iter().enumerate() {
        let by = Subject::Contact(index);
        let [a, b] = rule.between;
        for body in rule.between {
            if body.index() >= count {
                return Err(SceneError::UnknownBody { what: by.kind(), by, body, count });
            }
        }
        let words = || format!("friction of {} and {}", scene.name(a), scene.name(b));
        let whose = || Named::new(by, words());
        check_friction(&rule.friction, whose)?;
        check_structure(scene, &rule.friction, [a, b], whose)?;
    }
    Ok(())
}

fn refuse(
    what: &'static str,
    whose: impl Fn() -> Named,
    value: impl ToString,
    help: &'static str,
) -> Checked {
    Err(SceneError::Value { what, whose: whose(), value: value.to_string(), help })
}

fn check_skin(skin: &Skin, whose: impl Fn() -> Named + Copy) -> Checked {
    if let Some(grain) = skin.grain.filter(|grain| !grain.is_valid()) {
        let help = "give a direction of finite length above zero";
        return refuse("the grain", whose, format!("{grain:?}"), help);
    }
    if let Some(mu) = skin.coefficient.filter(|mu| !(mu.is_finite() && *mu >= 0.0)) {
        return refuse("the coefficient", whose, mu, "give a finite number, zero or above");
    }
    let Some(tensor) = &skin.tensor else { return Ok(()) };
    if !tensor.is_dissipative() {
        let help =
            "give tensors with finite numbers and no negative eigenvalue, or friction would drive";
        return refuse("the tensor", whose, format!("{:?}", tensor.forward), help);
    }
    if skin.grain.is_none() {
        let help = "give a grain: the tensor is meant along it and across it";
        return refuse("the tensor", whose, "without a grain", help);
    }
    Ok(())
}

fn check_friction(friction: &Friction, whose: impl Fn() -> Named + Copy) -> Checked {
    let number = |what: &'static str, value: f64| match value.is_finite() && value >= 0.0 {
        true => Ok(()),
        false => refuse(what, whose, value, "give a finite number, zero or above"),
    };
    number("the coefficient", friction.coefficient)?;
    number("the static coefficient", friction.stick())?;
    number("the viscosity", friction.viscosity)?;
    number("the Stribeck velocity", friction.stribeck_velocity)?;
    number("the torsion", friction.torsion)?;
    number("the rolling resistance", friction.rolling)?;
    match friction.direction {
        Directional::Any | Directional::Texture => {}
        Directional::Grain { along, across } => {
            number("the coefficient along the grain", along)?;
            number("the coefficient across the grain", across)?;
        }
        Directional::Tensor(scale) => number("the factor of tensors", scale)?,
    }
    Ok(())
}

/// Friction by structure needs a structure.
fn check_structure(
    scene: &Scene,
    friction: &Friction,
    between: [BodyId; 2],
    whose: impl Fn() -> Named + Copy,
) -> Checked {
    let either =
        |has: fn(&Skin) -> bool| between.iter().any(|body| scene.skins.get(body).is_some_and(has));
    match friction.direction {
        Directional::Grain { .. } if !either(|skin| skin.grain.is_some()) => {
            let help = "give one of the bodies a skin with a grain";
            refuse("the direction", whose, "along and across a grain that neither has", help)
        }
        Directional::Tensor(_) if !either(|skin| skin.tensor.is_some()) => {
            let help = "give one of the bodies a skin with a tensor";
            refuse("the direction", whose, "by tensors that neither has", help)
        }
        Directional::Texture if !either(|skin| skin.texture.is_some()) => {
            let help = "give one of the bodies a skin with a texture";
            refuse("the direction", whose, "by textures that neither has", help)
        }
        _ => Ok(()),
    }
}
