//! Numbers as people read them: three digits, a unit with a prefix, thousands apart.
//!
//! ```
//! use stiction_cli::terminal::human;
//! assert_eq!(human::count(1234567), "1,234,567");
//! assert_eq!(human::length(0.01234), "12.3 mm");
//! assert_eq!(human::volume(4.19e-6), "4.19 cm³");
//! assert_eq!(human::bytes(1_500_000), "1.5 MB");
//! assert_eq!(human::duration(75.4), "1 min 15 s");
//! assert_eq!(human::plural(1, "vertex", "vertices"), "1 vertex");
//! ```

/// A count, thousands apart.
pub fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 tet`, `2,000 tets`.
pub fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// `x` to `digits` significant digits, trailing zeros dropped; with an exponent where that is shorter.
pub fn significant(x: f64, digits: usize) -> String {
    if !x.is_finite() {
        return x.to_string();
    }
    if x == 0.0 {
        return "0".to_owned();
    }
    let rounded = format!("{x:.*e}", digits.max(1) - 1);
    let (mantissa, exponent) = rounded.split_once('e').expect("a number in `e` notation");
    let exponent: i32 = exponent.parse().expect("a small integer");
    if !(-4..7).contains(&exponent) {
        return format!("{}e{exponent}", without_trailing_zeros(mantissa));
    }
    let places = (digits as i32 - 1 - exponent).max(0) as usize;
    without_trailing_zeros(&format!("{x:.places$}")).to_owned()
}

/// A length [m] with a fitting prefix.
pub fn length(metres: f64) -> String {
    prefixed(metres, 1, &[(1e3, "km"), (1.0, "m"), (1e-3, "mm"), (1e-6, "µm"), (1e-9, "nm")])
}

/// An area [m²] with a fitting prefix.
pub fn area(square_metres: f64) -> String {
    prefixed(
        square_metres,
        2,
        &[(1e3, "km²"), (1.0, "m²"), (1e-2, "cm²"), (1e-3, "mm²"), (1e-6, "µm²")],
    )
}

/// A volume [m³] with a fitting prefix.
pub fn volume(cubic_metres: f64) -> String {
    prefixed(
        cubic_metres,
        3,
        &[(1e3, "km³"), (1.0, "m³"), (1e-2, "cm³"), (1e-3, "mm³"), (1e-6, "µm³")],
    )
}

/// A count of bytes, decimal prefixes.
pub fn bytes(n: u64) -> String {
    let x = n as f64;
    match n {
        0..1_000 => format!("{n} B"),
        1_000..1_000_000 => format!("{} kB", significant(x / 1e3, 2.max(digits_before(x / 1e3)))),
        1_000_000..1_000_000_000 => {
            format!("{} MB", significant(x / 1e6, 2.max(digits_before(x / 1e6))))
        }
        _ => format!("{} GB", significant(x / 1e9, 2.max(digits_before(x / 1e9)))),
    }
}

/// A duration [s]: `12 ms`, `3.4 s`, `1 min 15 s`, `2 h 5 min`.
pub fn duration(seconds: f64) -> String {
    // The next unit begins where rounding would reach it: never `60 s`.
    if !seconds.is_finite() || seconds < 0.0 {
        return "?".to_owned();
    }
    if seconds < 1e-3 {
        return format!("{} µs", significant(seconds * 1e6, 2));
    }
    if seconds < 0.9995 {
        return format!("{} ms", significant(seconds * 1e3, 3));
    }
    if seconds < 59.95 {
        return format!("{} s", significant(seconds, 3));
    }
    let whole = seconds.round() as u64;
    match whole {
        0..3_600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3_600, whole % 3_600 / 60),
    }
}

fn digits_before(x: f64) -> usize {
    if x >= 99.5 { 3 } else { 2 }
}

/// `value` in the largest unit that leaves one or more before the point; the last unit below that.
fn prefixed(value: f64, power: i32, units: &[(f64, &str)]) -> String {
    if value == 0.0 {
        let base = units.iter().find(|(size, _)| *size >= 1.0 && *size < 10.0);
        return format!("0 {}", base.map_or("", |(_, name)| name));
    }
    // A little less than one still rounds to `1` with three digits.
    let fits = |size: f64| value.abs() >= 0.9995 * size.powi(power);
    let (size, name) =
        units.iter().find(|(size, _)| fits(*size)).or(units.last()).expect("there are units");
    format!("{} {name}", significant(value / size.powi(power), 3))
}

fn without_trailing_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}
