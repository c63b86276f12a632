//! Values of arguments: sizes, ranges, planes, cameras.

use std::str::FromStr;

use stiction::math::Vector3;
use stiction::names::nearest;

/// More would take gigabytes.
const MOST_PIXELS: usize = 64_000_000;
/// Where a line of a file gets too long for some of the formats.
const LONGEST_SIDE: usize = 16_383;

/// Width and height of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) [usize; 2]);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let size = pair(text).ok_or("a size is written 1280x720")?;
        match size {
            [w, h] if w >= 16 && h >= 16 && w.max(h) <= LONGEST_SIDE && w * h <= MOST_PIXELS => {
                Ok(Self(size))
            }
            _ => Err(format!(
                "a picture has 16 to {LONGEST_SIDE} pixels a side and 64 million in all"
            )),
        }
    }
}

/// Columns and rows of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sheet(pub(crate) [usize; 2]);

impl FromStr for Sheet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sheet = pair(text).or_else(|| {
            let count: usize = text.parse().ok()?;
            // As square as it gets, and rather wide than high.
            let columns = (count as f64).sqrt().ceil() as usize;
            Some([columns, count.div_ceil(columns.max(1))])
        });
        match sheet.ok_or("a sheet is written 4x3, or as a number of pictures")? {
            [c, r] if c >= 1 && r >= 1 && c <= 50 && r <= 50 => Ok(Self([c, r])),
            _ => Err("a sheet has 1 to 50 columns and rows".into()),
        }
    }
}

fn pair(text: &str) -> Option<[usize; 2]> {
    let (a, b) = text.split_once(['x', '×'])?;
    Some([a.trim().parse().ok()?, b.trim().parse().ok()?])
}

/// Least and largest number of a range of colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits(pub(crate) [f64; 2]);

impl FromStr for Limits {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once(':').and_then(|(a, b)| Some([number(a)?, number(b)?]));
        match numbers.ok_or("a range is written 0:2e5")? {
            [a, b] if a < b => Ok(Self([a, b])),
            _ => Err("a range goes from a number to a larger one".into()),
        }
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|x: &f64| x.is_finite())
}

/// A half-space to keep: `normal · x < offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Clip {
    pub(crate) normal: Vector3,
    pub(crate) offset: f64,
}

impl FromStr for Clip {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const FORM: &str = "a plane is written x<0.1, z>0 or 1,0,1<0.5";
        let (left, right) = text.split_once(['<', '>']).ok_or(FORM)?;
        let normal = match left.trim() {
            "x" => Vector3::x(),
            "y" => Vector3::y(),
            "z" => Vector3::z(),
            list => vector(list, ',').ok_or(FORM)?,
        };
        let offset = number(right).ok_or(FORM)?;
        let length = normal.norm();
        if !(length > 0.0 && length.is_finite()) {
            return Err("the normal of a plane has a length".into());
        }
        let sign = if text.contains('<') { 1.0 } else { -1.0 };
        Ok(Self { normal: normal * (sign / length), offset: offset * sign / length })
    }
}

fn vector(text: &str, separator: char) -> Option<Vector3> {
    let parts: Vec<f64> = text.split(separator).map(number).collect::<Option<_>>()?;
    (parts.len() == 3).then(|| Vector3::new(parts[0], parts[1], parts[2]))
}

/// Where to look from; what is not said is chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CameraOption {
    pub(crate) azimuth: Option<f64>,
    pub(crate) elevation: Option<f64>,
    pub(crate) field_of_view: Option<f64>,
    pub(crate) zoom: Option<f64>,
    pub(crate) distance: Option<f64>,
    pub(crate) at: Option<Vector3>,
    /// Of the frame that is drawn instead of the whole run.
    pub(crate) fit_frame: bool,
}

impl FromStr for CameraOption {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const KEYS: [&str; 7] = ["azimuth", "elevation", "fov", "zoom", "distance", "at", "fit"];
        let mut camera = Self::default();
        for part in text.split(',') {
            let (key, value) =
                part.split_once('=').ok_or_else(|| format!("`{part}` is not KEY=VALUE"))?;
            let wrong = || format!("`{value}` makes no sense for {key}");
            let within = |low: f64, high: f64| {
                let x = number(value).filter(|x| (low..=high).contains(x));
                x.map(Some).ok_or_else(wrong)
            };
            match key.trim() {
                "azimuth" => camera.azimuth = within(-3600.0, 3600.0)?,
                "elevation" => camera.elevation = within(-90.0, 90.0)?,
                "fov" => camera.field_of_view = within(1.0, 120.0)?,
                "zoom" => camera.zoom = within(0.01, 100.0)?,
                "distance" => camera.distance = within(f64::MIN_POSITIVE, 1e9)?,
                "at" => camera.at = Some(vector(value, ':').ok_or_else(wrong)?),
                "fit" => {
                    camera.fit_frame = match value {
                        "run" => false,
                        "frame" => true,
                        _ => return Err(wrong()),
                    }
                }
                other => {
                    let hint = nearest(other, KEYS).map(|key| format!("; did you mean {key}?"));
                    let hint = hint.unwrap_or_else(|| format!("; keys are {}", KEYS.join(", ")));
                    return Err(format!("there is no `{other}`{hint}"));
                }
            }
        }
        Ok(camera)
    }
}
