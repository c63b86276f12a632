//! Materials of solids and fabrics of cloth, from a preset, from numbers, or both.

use stiction::energy::OrthotropicModuli;
use stiction::material::{BendingModel, Damping, Fabric, Material, SolidLaw, Stretch};

use super::super::decode::Spanned;
use super::super::format::{DampingTable, MaterialTable};
use super::super::leaves::{Fraction, Name, NameOr, NotNegative, Number, Positive};
use super::super::problem::Problems;
use super::super::source::Span;

type Given = Option<Spanned<NameOr<MaterialTable>>>;

/// The material of a solid; its numbers are written into `given`.
pub(super) fn solid(given: &mut Given, body: Span, problems: &mut Problems) -> Option<Material> {
    let (span, mut table) = as_table(given, body);
    for (key, present) in [
        ("youngs_modulus_warp", table.youngs_modulus_warp.is_some()),
        ("youngs_modulus_weft", table.youngs_modulus_weft.is_some()),
        ("shear_modulus", table.shear_modulus.is_some()),
        ("bending_stiffness", table.bending_stiffness.is_some()),
        ("bending_model", table.bending_model.is_some()),
        ("bending_poissons_ratio", table.bending_poissons_ratio.is_some()),
    ] {
        if present {
            let help = "solids have `youngs_modulus` and `poissons_ratio`".to_owned();
            problems.add(span, format!("`{key}` is for cloth only"), help);
        }
    }
    let mut material = match &table.preset {
        None => Material::RUBBER,
        Some(name) => problems.note(name.span, Material::preset(&name.value))?,
    };
    if let Some(model) = &table.model {
        let law = problems.note(model.span, SolidLaw::from_name(&model.value))?;
        let law = match (law, table.share) {
            (SolidLaw::MooneyRivlin { .. }, Some(share)) => {
                SolidLaw::MooneyRivlin { share: share.0 }
            }
            (law, _) => law,
        };
        material = problems.note(model.span, material.with_law(law))?;
    }
    if table.share.is_some() && !matches!(material.law(), SolidLaw::MooneyRivlin { .. }) {
        let help = "write `model = \"mooney-rivlin\"`, or leave it out".to_owned();
        problems.add(span, "`share` is for the mooney-rivlin model only", help);
    }
    if let Some(density) = table.density {
        material = problems.note(span, material.with_density(density.0))?;
    }
    if let Some(modulus) = table.youngs_modulus {
        material = problems.note(span, material.with_youngs_modulus(modulus.0))?;
    }
    if let Some(ratio) = &table.poissons_ratio {
        material = problems.note(ratio.span, material.with_poissons_ratio(ratio.value.0))?;
    }
    material = problems.note(span, material.with_damping(damping(&table)))?;

    table.model = Some(Name { value: material.law().name().to_owned(), span });
    if let SolidLaw::MooneyRivlin { share } = material.law() {
        table.share = Some(Fraction(share));
    }
    table.density = Some(Positive(material.density()));
    table.youngs_modulus = Some(Positive(material.youngs_modulus()));
    table.poissons_ratio = Some(Spanned { value: Number(material.poissons_ratio()), span });
    *given = Some(Spanned { value: NameOr::Table(table), span });
    Some(material)
}

/// The fabric of a cloth; its numbers are written into `given`.
pub(super) fn fabric(given: &mut Given, body: Span, problems: &mut Problems) -> Option<Fabric> {
    let (span, mut table) = as_table(given, body);
    for (key, present) in [("model", table.model.is_some()), ("share", table.share.is_some())] {
        if present {
            problems.add(span, format!("`{key}` is for solids only"), "leave it out".to_owned());
        }
    }
    let mut fabric = match &table.preset {
        None => Fabric::COTTON,
        Some(name) => problems.note(name.span, Fabric::preset(&name.value))?,
    };
    let ratio_span = table.poissons_ratio.as_ref().map_or(span, |ratio| ratio.span);
    let stretch = stretch(&table, fabric.stretch(), span, problems)?;
    fabric = problems.note(ratio_span, fabric.with_stretch(stretch))?;
    if let Some(density) = table.density {
        fabric = problems.note(span, fabric.with_density(density.0))?;
    }
    if let Some(bending) = table.bending_stiffness {
        fabric = problems.note(span, fabric.with_bending_stiffness(bending.0))?;
    }
    if let Some(model) = &table.bending_model {
        let model = problems.note(model.span, BendingModel::from_name(&model.value))?;
        fabric = fabric.with_bending_model(model);
    }
    if let Some(ratio) = &table.bending_poissons_ratio {
        let given = fabric.with_bending_poissons_ratio(ratio.value.0);
        fabric = problems.note(ratio.span, given)?;
    }
    fabric = problems.note(span, fabric.with_damping(damping(&table)))?;

    let model = fabric.bending_model().name().to_owned();
    table.bending_model = Some(Name { value: model, span });
    let ratio = Number(fabric.bending_poissons_ratio());
    table.bending_poissons_ratio = Some(Spanned { value: ratio, span });
    table.density = Some(Positive(fabric.density()));
    table.bending_stiffness = Some(NotNegative(fabric.bending_stiffness()));
    let ratio = match fabric.stretch() {
        Stretch::Woven(moduli) => {
            table.youngs_modulus_warp = Some(Positive(moduli.youngs_modulus_warp));
            table.youngs_modulus_weft = Some(Positive(moduli.youngs_modulus_weft));
            table.shear_modulus = Some(Positive(moduli.shear_modulus));
            moduli.poissons_ratio
        }
        Stretch::Isotropic { youngs_modulus, poissons_ratio } => {
            table.youngs_modulus = Some(Positive(youngs_modulus));
            poissons_ratio
        }
    };
    table.poissons_ratio = Some(Spanned { value: Number(ratio), span: ratio_span });
    *given = Some(Spanned { value: NameOr::Table(table), span });
    Some(fabric)
}

/// Isotropic with `youngs_modulus`, else woven; what is missing comes from `preset`.
fn stretch(
    table: &MaterialTable,
    preset: Stretch,
    span: Span,
    problems: &mut Problems,
) -> Option<Stretch> {
    let woven = [table.youngs_modulus_warp, table.youngs_modulus_weft, table.shear_modulus];
    let ratio = table.poissons_ratio.as_ref().map(|ratio| ratio.value.0);
    match (table.youngs_modulus, preset) {
        (Some(_), _) if woven.iter().any(Option::is_some) => {
            let message = "a sheet is either isotropic, with `youngs_modulus`, or woven";
            let help = "leave out `youngs_modulus`, or all of `youngs_modulus_warp`, `youngs_modulus_weft` and \
                `shear_modulus`";
            problems.add(span, message, help.to_owned());
            None
        }
        (Some(modulus), preset) => {
            let usual = match preset {
                Stretch::Isotropic { poissons_ratio, .. } => poissons_ratio,
                Stretch::Woven(_) => 0.3,
            };
            let poissons_ratio = ratio.unwrap_or(usual);
            Some(Stretch::Isotropic { youngs_modulus: modulus.0, poissons_ratio })
        }
        (None, Stretch::Isotropic { youngs_modulus, poissons_ratio })
            if woven.iter().all(Option::is_none) =>
        {
            let poissons_ratio = ratio.unwrap_or(poissons_ratio);
            Some(Stretch::Isotropic { youngs_modulus, poissons_ratio })
        }
        (None, preset) => {
            let usual = match preset {
                Stretch::Woven(moduli) => Some(moduli),
                Stretch::Isotropic { .. } => None,
            };
            let [warp, weft, shear] = woven.map(|modulus| modulus.map(|modulus| modulus.0));
            let moduli = (|| {
                Some(OrthotropicModuli {
                    youngs_modulus_warp: warp.or(usual.map(|m| m.youngs_modulus_warp))?,
                    youngs_modulus_weft: weft.or(usual.map(|m| m.youngs_modulus_weft))?,
                    shear_modulus: shear.or(usual.map(|m| m.shear_modulus))?,
                    poissons_ratio: ratio.or(usual.map(|m| m.poissons_ratio))?,
                })
            })();
            if moduli.is_none() {
                let help = "this preset is isotropic: give all of `youngs_modulus_warp`, `youngs_modulus_weft`, \
                    `shear_modulus` and `poissons_ratio`, or only `youngs_modulus`";
                problems.add(span, "a woven sheet needs all its moduli", help.to_owned());
            }
            moduli.map(Stretch::Woven)
        }
    }
}

fn damping(table: &MaterialTable) -> Damping {
    let Some(DampingTable { mass, stiffness }) = table.damping else { return Damping::NONE };
    let number = |given: Option<NotNegative>| given.map_or(0.0, |value| value.0);
    Damping { mass: number(mass), stiffness: number(stiffness) }
}

/// What was given as a table: a name alone is its preset, nothing at all an empty table.
fn as_table(given: &Given, body: Span) -> (Span, MaterialTable) {
    let empty = MaterialTable {
        preset: None,
        model: None,
        density: None,
        youngs_modulus: None,
        poissons_ratio: None,
        share: None,
        youngs_modulus_warp: None,
        youngs_modulus_weft: None,
        shear_modulus: None,
        bending_stiffness: None,
        bending_model: None,
        bending_poissons_ratio: None,
        damping: None,
    };
    match given {
        None => (body, empty),
        Some(Spanned { value: NameOr::Name(name), span }) => {
            (*span, MaterialTable { preset: Some(name.clone()), ..empty })
        }
        Some(Spanned { value: NameOr::Table(table), span }) => (*span, table.clone()),
    }
}
