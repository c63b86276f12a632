//! What colours and arrows mean, and the time, written on a picture.

use stiction_render::ink::{Anchor, Font, width};
use stiction_render::{Margins, Picture, Studio};
use stiction_scene::shown::{Range, Scale, state_colour};

use super::paint::Colouring;
use crate::terminal::human;

/// What is written on a picture.
pub(super) struct Legend<'a> {
    pub(super) colouring: Option<&'a Colouring>,
    /// Name, unit and the longest.
    pub(super) arrows: Option<(&'a str, &'a str, f64)>,
    pub(super) time: Option<String>,
}

/// A colour that can be read on the paper.
pub(super) fn ink(studio: &Studio) -> [u8; 3] {
    let dark = studio.background.is_some_and(|paper| paper[1] < 0.2);
    if dark { [222, 226, 232] } else { [48, 53, 64] }
}

impl Legend<'_> {
    /// Keeps things from being drawn where it will be.
    pub(super) fn make_room(&self, margins: &mut Margins) {
        if self.colouring.is_some() {
            margins.sides[1] += 0.10;
        }
        if self.time.is_some() || self.arrows.is_some() {
            margins.ends[1] += 0.03;
        }
    }

    /// Writes it.
    pub(super) fn draw(&self, picture: &mut Picture, ink: [u8; 3]) {
        let [w, h] = [picture.width as f32, picture.height as f32];
        let size = (0.028 * h.min(0.75 * w)).max(9.0);
        let pad = 1.4 * size;
        let font = Font { size, bold: false, anchor: Anchor::Start };
        if let Some(time) = &self.time {
            picture.text([pad, h - pad], time, &font, ink);
        }
        if let Some((name, unit, most)) = self.arrows {
            let (scale, letter) = prefix(most, unit);
            let most = human::significant(most / scale, 3);
            let unit = unit_word(unit);
            let text = format!("arrows: {}, longest {most} {letter}{unit}", words(name));
            picture.text(
                [w - pad, h - pad],
                text.trim_end(),
                &Font { anchor: Anchor::End, ..font },
                ink,
            );
        }
        match self.colouring {
            Some(colouring) if colouring.scale() == Scale::States => {
                states(picture, size, pad, ink)
            }
            Some(colouring) => bar(picture, colouring, size, pad, ink),
            None => {}
        }
    }
}

fn bar(picture: &mut Picture, colouring: &Colouring, size: f32, pad: f32, ink: [u8; 3]) {
    let Range { min, max } = colouring.range;
    let unit = &colouring.quantity.unit;
    let (scale, letter) = prefix(min.abs().max(max.abs()), unit);
    let font = Font { size, bold: false, anchor: Anchor::Start };
    let ticks = ticks(min / scale, max / scale);
    let labels = labels(&ticks);
    let widest = labels.iter().map(|label| width(label, &font)).fold(0.0, f32::max);
    let [w, h] = [picture.width as f32, picture.height as f32];
    let (thick, height) = ((0.8 * size).round(), (0.42 * h).round());
    let left = (w - pad - widest - 0.6 * size - thick).round();
    let top = (0.5 * (h - height) + size).round();
    for row in 0..height as usize {
        let share = 1.0 - (row as f64 + 0.5) / f64::from(height);
        picture.rectangle([left, top + row as f32, thick, 1.0], colouring.shade(share));
    }
    for (&tick, label) in ticks.iter().zip(&labels) {
        let share = ((tick * scale - min) / (max - min)) as f32;
        let y = top + height * (1.0 - share);
        picture.line([left + thick, y], [left + thick + 0.3 * size, y], 0.07 * size, ink);
        picture.text([left + thick + 0.6 * size, y + 0.36 * size], label, &font, ink);
    }
    let unit = format!("{letter}{}", unit_word(unit));
    let title = words(&colouring.quantity.name);
    let title = if unit.is_empty() { title } else { format!("{title} [{unit}]") };
    let bold = Font { anchor: Anchor::End, ..font };
    picture.text([w - pad, top - 0.9 * size], &title, &bold, ink);
}

fn states(picture: &mut Picture, size: f32, pad: f32, ink: [u8; 3]) {
    let font = Font { size, bold: false, anchor: Anchor::Start };
    let names = ["free", "sticks", "slips"];
    let widest = names.iter().map(|name| width(name, &font)).fold(0.0, f32::max);
    let left = picture.width as f32 - pad - widest - 1.5 * size;
    let top = 0.5 * picture.height as f32 - 2.4 * size;
    for (k, name) in names.iter().enumerate() {
        let y = top + 1.6 * size * k as f32;
        picture.rectangle([left, y, size, size], state_colour(k));
        picture.text([left + 1.5 * size, y + 0.86 * size], name, &font, ink);
    }
}

/// Round numbers within a range, about five.
fn ticks(min: f64, max: f64) -> Vec<f64> {
    let rough = (max - min) / 4.0;
    let power = 10.0_f64.powf(rough.log10().floor());
    let round = [10.0, 5.0, 2.0, 1.0].map(|m| m * power);
    let step = round.into_iter().find(|&step| step <= 1.25 * rough).unwrap_or(rough);
    let (first, last) = ((min / step - 1e-6).ceil() as i64, (max / step + 1e-6).floor() as i64);
    (first..=last.min(first + 20)).map(|k| k as f64 * step).collect()
}

/// As many digits as tell them apart.
fn labels(ticks: &[f64]) -> Vec<String> {
    let step = ticks.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let places =
        if step.is_finite() { (-(step * 1.001).log10().floor()).clamp(0.0, 9.0) } else { 3.0 };
    // The minus that the font has.
    let label = |x: &f64| format!("{x:.*}", places as usize).replace('-', "–");
    ticks.iter().map(label).collect()
}

/// A factor and its letter, so that numbers have one to three digits before the point.
fn prefix(most: f64, unit: &str) -> (f64, &'static str) {
    const LETTERS: [&str; 7] = ["n", "µ", "m", "", "k", "M", "G"];
    if unit == "1" || most <= 0.0 || !most.is_finite() {
        return (1.0, "");
    }
    let power = ((most * 1.001).log10() / 3.0).floor().clamp(-3.0, 3.0);
    (1000.0_f64.powf(power), LETTERS[(power + 3.0) as usize])
}

fn unit_word(unit: &str) -> &str {
    if unit == "1" { "" } else { unit }
}

fn words(name: &str) -> String {
    match name {
        "von_mises" => "von Mises stress".into(),
        _ => name.replace('_', " "),
    }
}

#[cfg(test)]
mod tests {
    use super::{labels, prefix, ticks};

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(labels(&ticks(0.0, 1.0)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&ticks(-80.0, 80.0)), ["–50", "0", "50"]);
        assert_eq!(
            labels(&ticks(0.9999, 1.0001)),
            ["0.99990", "0.99995", "1.00000", "1.00005", "1.00010"]
        );
        for (min, max) in [(0.0, 7.3), (-120.0, 340.0), (0.98, 1.02), (1e-9, 3e-9)] {
            let ticks = ticks(min, max);
            assert!((2..=9).contains(&ticks.len()), "{ticks:?}");
            assert!(ticks.iter().all(|x| *x >= min - 1e-5 && *x <= max + 1e-5), "{ticks:?}");
        }
    }

    #[test]
    fn prefixes_leave_one_to_three_digits() {
        assert_eq!(prefix(2.5e5, "Pa"), (1e3, "k"));
        assert_eq!(prefix(1e6, "Pa").1, "M");
        assert_eq!(prefix(0.02, "m").1, "m");
        assert_eq!(prefix(4.0, "m/s"), (1.0, ""));
        assert_eq!(prefix(1e6, "1"), (1.0, ""));
        assert_eq!(prefix(0.0, "Pa"), (1.0, ""));
    }
}
