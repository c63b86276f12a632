//! Whether what a scene says of friction makes sense.

use super::{Directional, Skin};
use crate::body::BodyId;
use crate::contact::Friction;
use crate::model::SceneError;
use crate::scene::Scene;

type Checked = Result<(), SceneError>;

/// Looks at all frictions and all skins.
pub(crate) fn check(scene: &Scene) -> Checked {
    let count = scene.bodies.len();
    for (body, skin) in &scene.skins {
        if body.index() >= count {
            return Err(SceneError::UnknownBody { what: "a skin", body: body.index(), count });
        }
        check_skin(skin, || format!("the skin of body {}", scene.name(*body)))?;
    }
    let touch = scene.bodies.len() > 1 || scene.ids().any(|body| scene.touches_itself(body));
    if touch {
        check_friction(&scene.friction, || "friction of all pairs".into())?;
    }
    for rule in &scene.contacts {
        let [a, b] = rule.between;
        for body in rule.between.iter().map(|body| body.index()) {
            if body >= count {
                return Err(SceneError::UnknownBody { what: "a contact", body, count });
            }
        }
        let whose = || format!("friction of {} and {}", scene.name(a), scene.name(b));
        check_friction(&rule.friction, whose)?;
        check_structure(scene, &rule.friction, [a, b], whose)?;
    }
    Ok(())
}

fn refuse(
    what: &'static str,
    whose: impl Fn() -> String,
    value: impl ToString,
    help: &'static str,
) -> Checked {
    Err(SceneError::Value { what, whose: whose(), value: value.to_string(), help })
}

fn check_skin(skin: &Skin, whose: impl Fn() -> String + Copy) -> Checked {
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

fn check_friction(friction: &Friction, whose: impl Fn() -> String + Copy) -> Checked {
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
    whose: impl Fn() -> String + Copy,
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
