//! Shipped scenes with a mistake in them, thousands of them: each is read or refused with line and remedy; none panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use stiction_scene::library::{SCENES, Shipped};
use stiction_scene::scene_file::{Notation, SceneFile, SceneFileError, Wishes};

/// SplitMix64 [SLF14]: the same mistakes on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.roll() % count.max(1) as u64) as usize
    }

    fn any_of<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// Numbers that people and broken programs write.
const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "1e30",
    "-1e30",
    "1e-30",
    "nan",
    "inf",
    "-inf",
    "1e308",
    "0.5",
    "3",
    "4294967296",
    "-9223372036854775808",
    "1e-300",
];

/// Values of all types.
const VALUES: [&str; 12] = [
    "\"text\"",
    "\"\"",
    "7",
    "-0.5",
    "true",
    "[]",
    "[1]",
    "[1, 2, 3]",
    "[[1]]",
    "{}",
    "{ x = 1 }",
    "1979-05-27",
];

/// One mistake.
fn mutated(text: &str, dice: &mut Dice) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let written = |line: &str| !line.trim_start().starts_with('#') && line.contains('=');
    let places: Vec<usize> = (0..lines.len()).filter(|&k| written(lines[k])).collect();
    let at = places[dice.below(places.len())];
    let (key, value) = lines[at].split_once('=').expect("it has one");
    let replaced = |line: String| {
        let mut lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        lines[at] = line;
        lines.join("\n")
    };
    match dice.below(8) {
        // A number is another one.
        0 | 1 => replaced(format!("{key}={}", with_other_number(value, dice))),
        // A key is missing.
        2 => replaced(String::new()),
        // A key is misspelt.
        3 => {
            let mut letters: Vec<char> = key.chars().collect();
            let k = dice.below(letters.len().saturating_sub(1));
            let last = letters.len() - 1;
            letters.swap(k, (k + 1).min(last));
            replaced(format!("{}={value}", letters.into_iter().collect::<String>()))
        }
        // A value is of another type.
        4 => replaced(format!("{key}= {}", dice.any_of(&VALUES))),
        // The file ends too soon.
        5 => {
            let mut end = dice.below(text.len());
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text[..end].to_owned()
        }
        // A line is there twice.
        6 => replaced(format!("{0}\n{0}", lines[at])),
        // A letter is wrong.
        _ => {
            let mut letters: Vec<char> = lines[at].chars().collect();
            let k = dice.below(letters.len());
            let wrong =
                dice.any_of(&["[", "]", "{", "}", "\"", "=", ",", " ", "x", "0", "-", "\u{e9}"]);
            letters.splice(k..=k, wrong.chars());
            replaced(letters.into_iter().collect())
        }
    }
}

/// One of its numbers is another one.
fn with_other_number(value: &str, dice: &mut Dice) -> String {
    let is_digit = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
    let mut starts = Vec::new();
    let mut before = ' ';
    for (k, c) in value.char_indices() {
        if is_digit(c) && !is_digit(before) && !before.is_alphabetic() {
            starts.push(k);
        }
        before = c;
    }
    let Some(&start) = starts.get(dice.below(starts.len())) else {
        return format!(" {}", dice.any_of(&NUMBERS));
    };
    let length = value[start..].find(|c| !is_digit(c)).unwrap_or(value.len() - start);
    format!("{}{}{}", &value[..start], dice.any_of(&NUMBERS), &value[start + length..])
}

/// What is lacking in a refusal.
fn lacking(error: &SceneFileError) -> Option<String> {
    if error.problems().is_empty() {
        return Some("a refusal without a problem".to_owned());
    }
    let without = |what: &str, message: &str| Some(format!("without {what}: {message}"));
    error.problems().iter().find_map(|problem| match (error.place(problem), &problem.help) {
        (None, _) => without("line", &problem.message),
        (_, None) => without("help", &problem.message),
        _ => None,
    })
}

/// Tries mistakes in scenes; says what went wrong, with the mistake.
fn faults(seeds: std::ops::Range<u64>, scenes: &[&Shipped]) -> Vec<String> {
    let wishes = Wishes { coarse: true, ..Wishes::default() };
    let mut faults = Vec::new();
    for seed in seeds {
        let mut dice = Dice(seed);
        let scene = scenes[dice.below(scenes.len())];
        let text = mutated(scene.text, &mut dice);
        let read = || {
            SceneFile::parse(scene.name, &text, Notation::Toml, None, &wishes)
                .and_then(|file| file.build())
        };
        let fault = match catch_unwind(AssertUnwindSafe(read)) {
            Ok(Ok(_)) => None,
            Ok(Err(error)) => lacking(&error),
            Err(_) => Some("a panic".to_owned()),
        };
        if let Some(fault) = fault {
            let line = text.lines().zip(scene.text.lines()).find(|(now, before)| now != before);
            let line = line.map_or("the end", |(now, _)| now);
            faults.push(format!("{} with seed {seed}, at {line}: {fault}", scene.name));
        }
    }
    faults
}

/// Those that are made at once.
fn small() -> Vec<&'static Shipped> {
    SCENES.iter().filter(|scene| scene.text.len() < 8000 && scene.name != "garment").collect()
}

#[test]
fn mistakes_in_scenes_are_read_or_refused_with_line_and_remedy() {
    let faults = faults(0..48, &small());
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
#[ignore = "a minute"]
fn a_thousand_mistakes_in_scenes_are_read_or_refused_with_line_and_remedy() {
    let faults = faults(0..1000, &SCENES.iter().collect::<Vec<_>>());
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
