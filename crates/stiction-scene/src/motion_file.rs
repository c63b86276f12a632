//! Motions in tables: CSV with a header, a row for each keyframe.
//!
//! `time` [s] is needed; `x`, `y`, `z` [m] say how far the body is moved by then, `rx`, `ry`, `rz` [degrees] how it is
//! turned: about that axis, by its length. Columns come in any order; what is left out is zero. Lines that begin with
//! `#` and empty ones are skipped.

use std::path::Path;

use stiction::body::Keyframe;
use stiction::math::Vector3;

/// What columns may be called.
const COLUMNS: [&str; 7] = ["time", "x", "y", "z", "rx", "ry", "rz"];

/// Keyframes of a sound file: there are hardly more in one that somebody made.
const MOST: usize = 1_000_000;

/// Why a file has no motion.
#[derive(Debug, thiserror::Error)]
#[error("{file}{}: {fault}\n  help: {}", line.map_or(String::new(), |line| format!(", line {line}")), fault.help())]
pub(crate) struct MotionFileError {
    file: String,
    /// Counted from one.
    line: Option<usize>,
    fault: Fault,
}

#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    #[error("there is no header")]
    Empty,
    #[error("there is no column `{0}`")]
    Unknown(String),
    #[error("the column `{0}` is there twice")]
    Twice(String),
    #[error("no column is called `time`")]
    Timeless,
    #[error("{found} values under {wanted} columns")]
    Length { found: usize, wanted: usize },
    #[error("`{0}` is no finite number")]
    NoNumber(String),
    #[error("the time {time} s does not come after {before} s")]
    Back { time: f64, before: f64 },
    #[error("there is no row below the header")]
    NoRows,
    #[error("more than {MOST} rows")]
    TooLong,
}

impl Fault {
    fn help(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "check that it exists, may be read, and is text in UTF-8",
            Self::Empty | Self::Unknown(_) | Self::Twice(_) | Self::Timeless => {
                "begin with a line such as `time,x,y,z,rx,ry,rz`: seconds, metres, and degrees about axes"
            }
            Self::Length { .. } => {
                "give each row as many values as the header, with commas between"
            }
            Self::NoNumber(_) => "write numbers such as 0.25 or 1e-3, with a point",
            Self::Back { .. } => "sort rows by time, each time once",
            Self::NoRows => "give at least one keyframe",
            Self::TooLong => "keep every tenth row: what lies between is interpolated",
        }
    }
}

/// Reads keyframes, times ascending.
///
/// # Errors
/// When there is no such motion, with the line.
pub(crate) fn read(path: &Path) -> Result<Vec<Keyframe>, MotionFileError> {
    let fail = |line: Option<usize>, fault: Fault| MotionFileError {
        file: path.display().to_string(),
        line,
        fault,
    };
    let text = std::fs::read_to_string(path).map_err(|error| fail(None, error.into()))?;
    parse(&text).map_err(|(line, fault)| fail(line, fault))
}

fn parse(text: &str) -> Result<Vec<Keyframe>, (Option<usize>, Fault)> {
    // Spreadsheets begin with a mark.
    let text = text.trim_start_matches('\u{feff}');
    let lines = (1..).zip(text.lines().map(str::trim));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let (number, header) = lines.next().ok_or((None, Fault::Empty))?;
    let columns = columns(header).map_err(|fault| (Some(number), fault))?;
    let mut frames: Vec<Keyframe> = Vec::new();
    for (number, line) in lines {
        if frames.len() == MOST {
            return Err((None, Fault::TooLong));
        }
        let frame = keyframe(line, &columns).map_err(|fault| (Some(number), fault))?;
        if let Some(before) = frames.last().filter(|before| before.time >= frame.time) {
            let (time, before) = (frame.time, before.time);
            return Err((Some(number), Fault::Back { time, before }));
        }
        frames.push(frame);
    }
    if frames.is_empty() { Err((None, Fault::NoRows)) } else { Ok(frames) }
}

/// Which of [`COLUMNS`] each column is.
fn columns(header: &str) -> Result<Vec<usize>, Fault> {
    let mut columns = Vec::new();
    for name in header.split(',').map(str::trim) {
        let known = COLUMNS.iter().position(|known| known.eq_ignore_ascii_case(name));
        let column = known.ok_or_else(|| Fault::Unknown(name.to_owned()))?;
        if columns.contains(&column) {
            return Err(Fault::Twice(name.to_owned()));
        }
        columns.push(column);
    }
    if columns.contains(&0) { Ok(columns) } else { Err(Fault::Timeless) }
}

fn keyframe(line: &str, columns: &[usize]) -> Result<Keyframe, Fault> {
    let values: Vec<&str> = line.split(',').map(str::trim).collect();
    if values.len() != columns.len() {
        return Err(Fault::Length { found: values.len(), wanted: columns.len() });
    }
    let mut numbers = [0.0; COLUMNS.len()];
    for (value, &column) in values.iter().zip(columns) {
        let number = value.parse().ok().filter(|number: &f64| number.is_finite());
        numbers[column] = number.ok_or_else(|| Fault::NoNumber((*value).to_owned()))?;
    }
    let [time, x, y, z, rx, ry, rz] = numbers;
    let rotation = Vector3::new(rx, ry, rz).map(f64::to_radians);
    Ok(Keyframe { time, translation: Vector3::new(x, y, z), rotation })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails(text: &str) -> (Option<usize>, String) {
        let (line, fault) = parse(text).expect_err(text);
        (line, fault.to_string())
    }

    #[test]
    fn tables_are_read_in_any_order_of_columns() {
        let text = "\u{feff}# of a robot\n z , time,RX\n\n0.5, 0, 90\n # half way\n1e-1,2,0\n";
        let frames = parse(text).expect("sound");
        assert_eq!(frames.len(), 2);
        assert_eq!(frames[0].translation, Vector3::new(0.0, 0.0, 0.5));
        assert_eq!(frames[0].rotation, Vector3::new(std::f64::consts::FRAC_PI_2, 0.0, 0.0));
        assert_eq!((frames[1].time, frames[1].translation.z), (2.0, 0.1));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        assert_eq!(fails("# nothing\n").0, None);
        assert_eq!(fails("time,x\n"), (None, "there is no row below the header".into()));
        assert_eq!(fails("time,w\n0,0").1, "there is no column `w`");
        assert_eq!(fails("x,y\n0,0").1, "no column is called `time`");
        assert_eq!(fails("time,x,X\n0,0,0").1, "the column `X` is there twice");
        assert_eq!(fails("time,x\n\n0").0, Some(3));
        assert_eq!(fails("time,x\n0,1;5"), (Some(2), "`1;5` is no finite number".into()));
        assert_eq!(fails("time\n0\ninf"), (Some(3), "`inf` is no finite number".into()));
        let back = "the time 1 s does not come after 1 s";
        assert_eq!(fails("time,x\n0,1\n1,2\n1,3"), (Some(4), back.into()));
    }
}
