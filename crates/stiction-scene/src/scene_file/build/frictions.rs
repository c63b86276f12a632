//! Frictions of scene files: presets, directions, torsion and rolling; and skins.

use std::sync::Arc;

use stiction::Scene;
use stiction::body::BodyId;
use stiction::contact::Friction;
use stiction::contact::friction::materials::{self, PAIRS};
use stiction::contact::friction::{
    Combination, Condition, Directional, FrictionTensor, Grain, NormalMap, Skin, Stuff,
};
use stiction::math::{Matrix2, Vector3};

use super::super::decode::{Spanned, did_you_mean};
use super::super::format::{
    BodyTable, CombineWord, ConditionWord, GrainAxisTable, GrainField, GrainValue, HeightsTable,
    PairFrictionTable, SkinTable, TensorTable, TextureShape,
};
use super::super::leaves::{NameOr, NotNegative, Pair, Positive};
use super::super::problem::{Problems, split_help};
use super::super::source::Span;
use super::files::{Inputs, found};
use crate::texture_file;

/// Friction of a table. What a preset says, or what was chosen, is written into it.
pub(super) fn friction(
    table: &mut PairFrictionTable,
    span: Span,
    problems: &mut Problems,
) -> Option<Friction> {
    let direction = direction(table, span, problems)?;
    if let Some(name) = table.preset.take() {
        let measured = match materials::named(&name.value) {
            Ok(row) => row.friction(),
            Err(error) => {
                let (message, help) = split_help(&error.to_string());
                problems.add(name.span, message, help);
                return None;
            }
        };
        if table.coefficient.is_none() && table.static_coefficient.is_none() {
            table.static_coefficient = measured
                .static_coefficient
                .map(|mu| Spanned { value: NotNegative(mu), span: name.span });
        }
        table.coefficient.get_or_insert(NotNegative(measured.coefficient));
    }
    let coefficient = match (table.coefficient, direction) {
        (Some(given), _) => given,
        // Where grains cross, as hard as between both.
        (None, Directional::Grain { along, across }) => NotNegative(0.5 * (along + across)),
        // Tensors say all of it.
        (None, Directional::Tensor(_)) => NotNegative(0.0),
        (None, _) => {
            let known: Vec<&str> = PAIRS.iter().map(|row| row.name).collect();
            let help = format!("give a number, or a `preset`: {}", known.join("; "));
            problems.add(span, "friction needs `coefficient`", help);
            return None;
        }
    };
    table.coefficient = Some(coefficient);
    if let Some(stick) =
        table.static_coefficient.as_ref().filter(|stick| stick.value.0 < coefficient.0)
    {
        // What slides cannot be held back more than what sticks: it would stop and start again at once.
        let message = format!(
            "`static_coefficient` is {}, below the `coefficient` {} of sliding",
            stick.value.0, coefficient.0
        );
        problems.add(stick.span, message, "give at least as much, or leave it out".to_owned());
    }
    let or_zero = |value: Option<NotNegative>| value.map_or(0.0, |value| value.0);
    Some(Friction {
        static_coefficient: table.static_coefficient.as_ref().map(|given| given.value.0),
        stribeck_velocity: or_zero(table.stribeck_velocity),
        viscosity: or_zero(table.viscosity),
        direction,
        torsion: or_zero(table.torsion),
        rolling: or_zero(table.rolling),
        shared: table.shared.unwrap_or(true),
        ..Friction::coulomb(coefficient.0)
    })
}

fn direction(
    table: &PairFrictionTable,
    span: Span,
    problems: &mut Problems,
) -> Option<Directional> {
    let textures = table.textures.unwrap_or(false);
    let grain = table.along.is_some() || table.across.is_some();
    if usize::from(grain) + usize::from(table.tensors.is_some()) + usize::from(textures) > 1 {
        let message = "friction depends on direction in more than one way";
        let help = "keep one of: `along` and `across`; `tensors`; `textures`".to_owned();
        problems.add(span, message, help);
        return None;
    }
    match (&table.along, table.across, table.tensors) {
        (Some(along), Some(across), _) => {
            Some(Directional::Grain { along: along.value.0, across: across.0 })
        }
        (Some(_), None, _) | (None, Some(_), _) => {
            let message = "friction along a grain needs friction across it, and the reverse";
            problems.add(span, message, "give both: `along` and `across`".to_owned());
            None
        }
        (None, None, Some(factor)) => Some(Directional::Tensor(factor.0)),
        (None, None, None) if textures => Some(Directional::Texture),
        (None, None, None) => Some(Directional::Any),
    }
}

/// The rule of a word.
pub(super) fn combination(word: Option<&Spanned<CombineWord>>) -> Combination {
    match word.map(|word| word.value) {
        None | Some(CombineWord::Average) => Combination::Average,
        Some(CombineWord::Geometric) => Combination::Geometric,
        Some(CombineWord::Smaller) => Combination::Smaller,
        Some(CombineWord::Larger) => Combination::Larger,
    }
}

/// Friction of a pair that no table gives friction: by its skins, or that of all pairs.
pub(super) fn of_skins(
    scene: &Scene,
    [a, b]: [BodyId; 2],
    default: Friction,
    combination: Combination,
) -> Friction {
    let skins = scene.skins.get(&a).zip(scene.skins.get(&b));
    let both = skins.map(|(a, b)| [a, b].map(|skin| (&skin.stuff, skin.coefficient)));
    both.and_then(|both| materials::of_pair(both, combination)).unwrap_or(default)
}

/// What the surface of a body is like, if it says.
pub(super) fn skin(
    body: &BodyTable,
    inputs: &mut Inputs<'_>,
    problems: &mut Problems,
) -> Option<Skin> {
    let given = body.skin.as_ref()?;
    match &given.value {
        NameOr::Name(name) => {
            let stuff = stuff(&name.value, name.span, Condition::Dry, problems)?;
            Some(Skin { stuff, ..Skin::default() })
        }
        NameOr::Table(table) => skin_of_table(table, inputs, problems),
    }
}

fn stuff(
    material: &str,
    span: Span,
    condition: Condition,
    problems: &mut Problems,
) -> Option<Stuff> {
    if materials::is_material(material) {
        return Some(Stuff { material: Some(material.to_owned()), condition });
    }
    let mut known: Vec<&str> = PAIRS.iter().flat_map(|row| row.materials).collect();
    known.sort_unstable();
    known.dedup();
    let message = format!("no table of friction has the material `{material}`");
    let help = format!(
        "{}; or give the skin a coefficient of its own: `friction = 0.5`",
        did_you_mean(material, &known)
    );
    problems.add(span, message, help);
    None
}

fn skin_of_table(
    table: &SkinTable,
    inputs: &mut Inputs<'_>,
    problems: &mut Problems,
) -> Option<Skin> {
    let condition = match table.condition {
        None | Some(ConditionWord::Dry) => Condition::Dry,
        Some(ConditionWord::Greasy) => Condition::Greasy,
        Some(ConditionWord::CastorOil) => Condition::CastorOil,
    };
    let stuff = match &table.material {
        Some(name) => stuff(&name.value, name.span, condition, problems)?,
        None => Stuff { material: None, condition },
    };
    let texture = match &table.texture {
        None => None,
        Some(shape) => Some(Arc::new(texture(shape, inputs, problems)?)),
    };
    if let (Some(tensor), None) = (&table.tensor, &table.grain) {
        let help = "give the skin a `grain`: the tensor is meant along it and across it".to_owned();
        problems.add(tensor.span, "a friction tensor without a grain", help);
        return None;
    }
    Some(Skin {
        stuff,
        coefficient: table.friction.map(|mu| mu.0),
        grain: table.grain.as_ref().map(|grain| self::grain(&grain.value)),
        tensor: table.tensor.as_ref().map(|tensor| self::tensor(&tensor.value)),
        texture,
    })
}

fn grain(value: &GrainValue) -> Grain {
    let parts = |table: &GrainAxisTable| {
        let through = table.through.map_or_else(Vector3::zeros, |through| through.vector());
        (table.axis.vector(), through)
    };
    match value {
        GrainValue::Straight(direction) => Grain::Straight(direction.vector()),
        GrainValue::Field(GrainField::Around(table)) => {
            let (axis, through) = parts(table);
            Grain::Around { axis, through }
        }
        GrainValue::Field(GrainField::From(table)) => {
            let (axis, through) = parts(table);
            Grain::From { axis, through }
        }
    }
}

fn tensor(table: &TensorTable) -> FrictionTensor {
    let one = |along: NotNegative, across: NotNegative| Matrix2::new(along.0, 0.0, 0.0, across.0);
    let back = table.back_along.is_some() || table.back_across.is_some();
    FrictionTensor {
        forward: one(table.along, table.across),
        backward: back.then(|| {
            one(table.back_along.unwrap_or(table.along), table.back_across.unwrap_or(table.across))
        }),
    }
}

fn texture(
    Spanned { value: shape, span }: &Spanned<TextureShape>,
    inputs: &mut Inputs<'_>,
    problems: &mut Problems,
) -> Option<NormalMap> {
    let lengths = |size: &Pair<Positive>| size.0.map(|length| length.0);
    let (map, patch) = match shape {
        TextureShape::Sawtooth(table) => {
            let rise = table.rise.map_or(0.5, |rise| rise.0);
            (NormalMap::sawtooth(table.pitch.0, table.height.0, rise), table.patch)
        }
        TextureShape::Bumps(table) => {
            (NormalMap::bumps(table.pitch.0, table.height.0), table.patch)
        }
        TextureShape::Heights(table) => {
            let (cells, heights) = grid(table);
            (NormalMap::from_heights(cells, lengths(&table.size), &heights), table.patch)
        }
        TextureShape::HeightMap(table) => {
            let place = found(&table.image, inputs, problems)?;
            let read = texture_file::heights(&place, table.height.0);
            let (cells, heights) = problems.note(table.image.span, read)?;
            (NormalMap::from_heights(cells, lengths(&table.size), &heights), table.patch)
        }
        TextureShape::NormalMap(table) => {
            let place = found(&table.image, inputs, problems)?;
            let (cells, slopes) = problems.note(table.image.span, texture_file::slopes(&place))?;
            (NormalMap::from_slopes(cells, lengths(&table.size), slopes), table.patch)
        }
    };
    let map = map.and_then(|map| match patch {
        Some(Positive(patch)) => map.with_patch(patch),
        None => Ok(map),
    });
    let map = problems.note(*span, map)?;
    // Pictures are often finer than contacts look.
    let picture = matches!(shape, TextureShape::HeightMap(_) | TextureShape::NormalMap(_));
    Some(if picture { map.gathered() } else { map })
}

/// Cells along and across the grain, and heights.
fn grid(table: &HeightsTable) -> ([usize; 2], Vec<f64>) {
    let rows = &table.rows.0;
    let across = rows.len();
    let along = rows.first().map_or(0, |row| row.0.len());
    let heights = rows.iter().flat_map(|row| row.0.iter().map(|height| height.0)).collect();
    // Rows of different lengths have a number of heights that no grid has, or are caught here.
    let even = rows.iter().all(|row| row.0.len() == along);
    (if even { [along, across] } else { [0, across] }, heights)
}
