//! Colours of bodies, and what they mean.

use anyhow::{Context as _, bail};
use stiction::names::nearest;
use stiction_render::{Colour, Paint, decoded};
use stiction_scene::frame::{BodyInfo, BodyKind, FieldPlace, Frames as _};
use stiction_scene::shown::{
    ColourMap, Quantity, Range, Scale, Shown, body_colour, means_at_vertices, state_colour,
};

use super::options::Limits;

/// What has no value, and obstacles.
const NEUTRAL: [u8; 3] = [184, 187, 194];
/// Steps of a colour map.
const STEPS: usize = 128;

/// A quantity that bodies are coloured by.
#[derive(Clone, Debug)]
pub(crate) struct Colouring {
    pub(super) quantity: Quantity,
    pub(super) range: Range,
}

impl Colouring {
    /// By the quantity of this name; the range of the whole run unless one is given. Only bodies that measure it in the
    /// unit of the first that has it are coloured: stress is a pressure in solids, and a force per length in cloth.
    pub(super) fn new(
        shown: &Shown,
        name: &str,
        limits: Option<Limits>,
        hide: &[String],
    ) -> anyhow::Result<Self> {
        let all = quantities(shown, hide);
        let Some((_, quantity)) = all.iter().find(|(_, quantity)| quantity.name == name) else {
            let mut names: Vec<&str> = Vec::new();
            for (_, quantity) in &all {
                if !names.contains(&quantity.name.as_str()) {
                    names.push(&quantity.name);
                }
            }
            bail!("{}", unknown("quantity", name, &names));
        };
        let range = match limits {
            Some(Limits([min, max])) => Range { min, max },
            None => {
                let having = all.iter().filter(|(_, own)| own == quantity).map(|(body, _)| *body);
                shown.range(quantity, having)?.with_context(|| {
                    format!("no frame has a value of `{name}`\n  help: choose another quantity")
                })?
            }
        };
        Ok(Self { quantity: quantity.clone(), range })
    }

    pub(super) fn scale(&self) -> Scale {
        self.quantity.scale()
    }

    /// The colour at a share of the range, as sRGB.
    pub(super) fn shade(&self, share: f64) -> [u8; 3] {
        ColourMap::of(self.scale()).at(share).map(|c| c.round() as u8)
    }
}

/// All quantities of bodies that are not hidden, and whose they are.
fn quantities(shown: &Shown, hide: &[String]) -> Vec<(usize, Quantity)> {
    let bodies = shown.run().bodies().iter().enumerate();
    let free =
        bodies.filter(|(_, info)| info.kind != BodyKind::Obstacle && !hide.contains(&info.name));
    free.flat_map(|(body, _)| shown.quantities(body).into_iter().map(move |own| (body, own)))
        .collect()
}

/// What to say about a name that nothing has.
pub(super) fn unknown(kind: &str, name: &str, known: &[&str]) -> String {
    let hint = nearest(name, known.iter().copied());
    let hint = hint.map(|name| format!("did you mean `{name}`? ")).unwrap_or_default();
    let known = if known.is_empty() {
        "there are none".into()
    } else {
        format!("there are: {}", known.join(", "))
    };
    format!("the run has no {kind} called `{name}`\n  help: {hint}{known}")
}

/// How a body is painted, before it is cut.
pub(super) enum Coat {
    /// One colour.
    Plain(Colour),
    /// A share of the range at each vertex.
    Shares(Vec<f32>),
    /// A state of each triangle.
    States(Vec<usize>),
}

impl Coat {
    /// Of a body in a frame.
    pub(super) fn new(
        shown: &Shown,
        frame: usize,
        body: usize,
        colouring: Option<&Colouring>,
    ) -> anyhow::Result<Self> {
        let info = &shown.run().bodies()[body];
        let Some(colouring) = colouring else { return Ok(Self::Plain(plain(shown, body))) };
        let own = shown.quantities(body);
        let own = own.iter().find(|own| **own == colouring.quantity);
        let Some(own) = own.filter(|_| info.kind != BodyKind::Obstacle) else {
            return Ok(Self::Plain(linear(NEUTRAL)));
        };
        let mut values = shown.values(frame, body, &own.name)?;
        if own.place == FieldPlace::Element {
            values = means_at_vertices(info, &values);
        }
        if colouring.scale() == Scale::States {
            let state = |t: &[u32; 3]| {
                let worst = t.iter().map(|&v| values[v as usize]).fold(0.0, f64::max);
                worst.round() as usize
            };
            return Ok(Self::States(info.triangles.iter().map(state).collect()));
        }
        let share = |value: &f64| match value.is_finite() {
            true => colouring.range.fraction(*value) as f32,
            false => f32::NAN,
        };
        Ok(Self::Shares(values.iter().map(share).collect()))
    }

    /// Paint for triangles that came from these.
    pub(super) fn paint(
        &self,
        numbers: Vec<f32>,
        origins: &[Option<usize>],
        colouring: Option<&Colouring>,
    ) -> Paint {
        match (self, colouring) {
            (Self::Plain(colour), _) => Paint::Plain(*colour),
            (Self::States(states), _) => {
                let state = |origin: &Option<usize>| origin.map_or(0, |k| states[k]);
                let colour = |origin| linear(state_colour(state(origin)));
                Paint::Triangles(origins.iter().map(colour).collect())
            }
            (Self::Shares(_), None) => Paint::Plain(linear(NEUTRAL)),
            (Self::Shares(_), Some(colouring)) => {
                let share = |k: usize| k as f64 / (STEPS - 1) as f64;
                let colours = (0..STEPS).map(|k| linear(colouring.shade(share(k)))).collect();
                Paint::Map { colours, numbers, none: linear(NEUTRAL) }
            }
        }
    }
}

/// The colour of a body as such. Those that move freely are counted alone, and the grey of obstacles is left out.
fn plain(shown: &Shown, body: usize) -> Colour {
    const ORDER: [usize; 7] = [0, 1, 3, 4, 5, 6, 7];
    let bodies = shown.run().bodies();
    let is_free = |info: &&BodyInfo| info.kind != BodyKind::Obstacle;
    if !is_free(&&bodies[body]) {
        return linear(NEUTRAL);
    }
    let before = bodies[..body].iter().filter(is_free).count();
    linear(body_colour(ORDER[before % ORDER.len()]))
}

/// sRGB to linear.
pub(super) fn linear(colour: [u8; 3]) -> Colour {
    colour.map(|c| decoded(f32::from(c) / 255.0))
}
