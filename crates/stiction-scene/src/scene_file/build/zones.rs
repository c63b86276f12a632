//! Gas and liquid in bodies.

use stiction::body::{BodyId, Zone, ZonePart};
use stiction::energy::VolumeModel;

use super::super::decode::{Spanned, did_you_mean};
use super::super::format::{Where, ZoneModelWord, ZoneTable};
use super::super::leaves::{Name, Number};
use super::super::problem::Problems;
use super::super::source::Span;
use super::Bodies;

/// All zones that make sense; defaults are written into the tables.
pub(super) fn zones(
    tables: &mut [Spanned<ZoneTable>],
    bodies: &Bodies<'_>,
    problems: &mut Problems,
) -> Vec<Zone> {
    let mut names: Vec<&str> = Vec::new();
    let mut zones = Vec::new();
    for Spanned { value: table, span } in tables {
        let model = model(table, *span, problems);
        let surfaces = surfaces(table, bodies, problems);
        if let Some(pressure) = table.pressure.as_ref().filter(|_| table.gauge_pressure.is_some()) {
            let help = "keep one of them".to_owned();
            problems.add(pressure.span, "`pressure` and `gauge_pressure` are both given", help);
        }
        let fill_holes = *table.fill_holes.get_or_insert(false);
        let factor = table.pressure.as_ref().map(|factor| factor.value.0);
        let gauge = match factor {
            None => table.gauge_pressure.get_or_insert(Number(0.0)).0,
            Some(_) => 0.0,
        };
        if let Some(name) = &table.name {
            if names.contains(&name.value.as_str()) {
                let message = format!("two zones are called `{}`", name.value);
                problems.add(name.span, message, "give each its own name".to_owned());
            }
            names.push(&name.value);
        }
        let (Some(model), Some(surfaces)) = (model, surfaces) else { continue };
        let mut surfaces = surfaces.into_iter();
        let Some((body, part)) = surfaces.next() else { continue };
        let zone = Zone {
            name: table.name.as_ref().map(|name| name.value.clone()),
            rest_volume: table.rest_volume.map(|volume| volume.0),
            fill_holes,
            ..surfaces.fold(Zone::of(body, part), |zone, (body, part)| zone.and(body, part))
        };
        let zone = zone.model(model).gauge_pressure(gauge);
        zones.push(factor.map_or(zone.clone(), |factor| zone.pressure_factor(factor)));
    }
    zones
}

fn model(table: &mut ZoneTable, span: Span, problems: &mut Problems) -> Option<VolumeModel> {
    let word = *table.model.get_or_insert(ZoneModelWord::IdealGas);
    match (word, &table.compressibility) {
        (ZoneModelWord::IdealGas, None) => Some(VolumeModel::IdealGas),
        (ZoneModelWord::IdealGas, Some(given)) => {
            let message = "an ideal gas has no `compressibility` but its own";
            let help = "leave it out, or choose `model = \"nearly-incompressible\"`".to_owned();
            problems.add(given.span, message, help);
            None
        }
        (_, None) => {
            let help = "add `compressibility = 4.6e-5` for water [1/atm]".to_owned();
            problems.add(span, "this model of a volume needs a `compressibility`", help);
            None
        }
        (ZoneModelWord::NearlyIncompressible, Some(given)) => {
            Some(VolumeModel::NearlyIncompressible { compressibility: given.value.0 })
        }
        (ZoneModelWord::Quadratic, Some(given)) => {
            Some(VolumeModel::Quadratic { compressibility: given.value.0 })
        }
    }
}

fn surfaces(
    table: &mut ZoneTable,
    bodies: &Bodies<'_>,
    problems: &mut Problems,
) -> Option<Vec<(BodyId, ZonePart)>> {
    let mut all =
        vec![surface(&table.body, table.r#where.as_ref(), &mut table.cavity, bodies, problems)];
    for Spanned { value: more, .. } in &mut table.and {
        all.push(surface(&more.body, more.r#where.as_ref(), &mut more.cavity, bodies, problems));
    }
    all.into_iter().collect()
}

fn surface(
    body: &Name,
    place: Option<&Where>,
    cavity: &mut Option<bool>,
    bodies: &Bodies<'_>,
    problems: &mut Problems,
) -> Option<(BodyId, ZonePart)> {
    let id = bodies.find_deformable(body, problems)?;
    let Some(place) = place else {
        let hollow = *cavity.get_or_insert(false);
        return Some((id, if hollow { ZonePart::Cavity } else { ZonePart::Outside }));
    };
    if *cavity == Some(true) {
        let help = "keep one of them: `where` may select the inside of a solid".to_owned();
        problems.add(place.span, "`where` and `cavity` are both given", help);
        return None;
    }
    Some((id, ZonePart::Selected(bodies.selection(Some(place), id, problems)?)))
}

/// Place in the list of the zone of this name.
pub(super) fn find(
    name: &Name,
    zones: &[Spanned<ZoneTable>],
    written: &[String],
    problems: &mut Problems,
) -> Option<usize> {
    let is_it = |zone: &Spanned<ZoneTable>| {
        zone.value.name.as_ref().is_some_and(|known| known.value == name.value)
    };
    let found = zones.iter().position(is_it);
    if found.is_none() && !written.contains(&name.value) {
        let known: Vec<&str> = written.iter().map(String::as_str).collect();
        let message = format!("there is no zone `{}`", name.value);
        problems.add(name.span, message, did_you_mean(&name.value, &known));
    }
    found
}
