//! Values of a scene file that are not tables: numbers with a range, vectors, directions, names.

use schemars::JsonSchema;
use serde::Serialize;
use stiction::math::Vector3;

use super::decode::{Decode, Spanned, wrong};
use super::problem::Problems;
use super::tree::{Node, Value};

/// A name or a path, with its place.
pub type Name = Spanned<String>;

impl Decode for String {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        match &node.value {
            Value::Text(text) => Some(text.clone()),
            _ => wrong(node, "a text in quotes", None, problems),
        }
    }
}

impl Decode for bool {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        match &node.value {
            Value::Boolean(value) => Some(*value),
            _ => wrong(node, "true or false", None, problems),
        }
    }
}

/// Any finite number.
fn number(node: &Node, expected: &str, problems: &mut Problems) -> Option<f64> {
    let number = match &node.value {
        Value::Integer(number) => *number as f64,
        Value::Float(number) => *number,
        Value::Text(text) if text.trim().parse::<f64>().is_ok() => {
            let help = format!("leave out the quotes: {}", text.trim());
            return wrong(node, expected, Some(help), problems);
        }
        _ => return wrong(node, expected, None, problems),
    };
    if !number.is_finite() {
        return wrong(node, expected, Some("give a finite number".into()), problems);
    }
    Some(number)
}

/// Declares a number with a range.
macro_rules! ranged {
    ($(#[$doc:meta])* $name:ident, $expected:literal, $inside:expr, $help:expr $(, $key:literal = $bound:expr)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
        #[serde(transparent)]
        #[schemars(inline $(, extend($key = $bound))*)]
        pub struct $name(pub f64);

        impl Decode for $name {
            fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
                let value = number(node, $expected, problems)?;
                let inside: fn(f64) -> bool = $inside;
                if inside(value) {
                    return Some(Self(value));
                }
                wrong(node, $expected, Some($help.into()), problems)
            }
        }
    };
}

ranged!(
    /// Any finite number.
    Number, "a number", |_| true, "give a finite number"
);
ranged!(
    /// Above zero.
    Positive, "a number above zero", |x| x > 0.0, "give a number above zero, in SI units",
    "exclusiveMinimum" = 0
);
ranged!(
    /// Zero or above.
    NotNegative, "a number that is not negative", |x| x >= 0.0, "give zero or more, in SI units",
    "minimum" = 0
);
ranged!(
    /// Between zero and one, both included.
    Fraction, "a number from 0 to 1", |x| (0.0..=1.0).contains(&x), "give a number from 0 to 1",
    "minimum" = 0, "maximum" = 1
);
/// A whole number of at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline, extend("minimum" = 1))]
pub struct Count(pub u32);

impl Decode for Count {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let expected = "a whole number of at least 1";
        match node.value {
            Value::Integer(n) if n >= 1 && n <= i64::from(u32::MAX) => Some(Self(n as u32)),
            _ => wrong(node, expected, None, problems),
        }
    }
}

/// A whole number of at least zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Index(pub u32);

impl Decode for Index {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        match node.value {
            Value::Integer(n) if n >= 0 && n <= i64::from(u32::MAX) => Some(Self(n as u32)),
            _ => wrong(node, "a whole number of at least 0", None, problems),
        }
    }
}

/// `N` values of one kind in brackets.
fn several<T: Decode, const N: usize>(
    node: &Node,
    expected: &str,
    problems: &mut Problems,
) -> Option<[T; N]> {
    let Value::Array(items) = &node.value else { return wrong(node, expected, None, problems) };
    if items.len() != N {
        return wrong(node, expected, None, problems);
    }
    let values: Vec<Option<T>> = items.iter().map(|item| T::decode(item, problems)).collect();
    values.into_iter().collect::<Option<Vec<T>>>()?.try_into().ok()
}

/// Two numbers in brackets, for sizes.
pub type Pair<T> = Several<T, 2>;
/// Three numbers in brackets, for sizes.
pub type Triple<T> = Several<T, 3>;

/// A list of known length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Several<T, const N: usize>(pub [T; N]);

impl<T: Serialize, const N: usize> Serialize for Several<T, N> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

impl<T: JsonSchema, const N: usize> JsonSchema for Several<T, N> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("{N} of {}", T::schema_name()).into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let items = generator.subschema_for::<T>();
        schemars::json_schema!({ "type": "array", "items": items, "minItems": N, "maxItems": N })
    }
}

impl<T: Decode, const N: usize> Decode for Several<T, N> {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        several(node, &format!("a list of {N}"), problems).map(Self)
    }
}

/// A vector `[x, y, z]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Vector(pub [f64; 3]);

impl Vector {
    /// For the library.
    pub fn vector(self) -> Vector3 {
        self.0.into()
    }
}

impl Decode for Vector {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let numbers: [Number; 3] = several(node, "three numbers, [x, y, z]", problems)?;
        Some(Self(numbers.map(|number| number.0)))
    }
}

/// A direction: `[x, y, z]` of any length above zero, or `"x"`, `"-y"` and so on. Kept as a unit vector.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Direction(pub [f64; 3]);

impl Direction {
    /// For the library.
    pub fn vector(self) -> Vector3 {
        self.0.into()
    }
}

const AXES: [(&str, [f64; 3]); 6] = [
    ("x", [1.0, 0.0, 0.0]),
    ("y", [0.0, 1.0, 0.0]),
    ("z", [0.0, 0.0, 1.0]),
    ("-x", [-1.0, 0.0, 0.0]),
    ("-y", [0.0, -1.0, 0.0]),
    ("-z", [0.0, 0.0, -1.0]),
];

impl Decode for Direction {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let expected = "a direction, such as \"y\" or [0, 1, 0]";
        if let Value::Text(text) = &node.value {
            let axis = AXES.iter().find(|(name, _)| name == text);
            let help = || Some("known: x, y, z, -x, -y, -z".to_owned());
            return axis
                .map(|&(_, axis)| Self(axis))
                .or_else(|| wrong(node, expected, help(), problems));
        }
        let numbers: [Number; 3] = several(node, expected, problems)?;
        let vector = Vector3::from(numbers.map(|number| number.0));
        // A unit vector keeps its digits: dividing it by its rounded length could change the last one.
        let unit = if (vector.norm() - 1.0).abs() < 4.0 * f64::EPSILON {
            Some(vector)
        } else {
            // First to a length whose square is a number.
            let scaled = vector / vector.amax().max(f64::MIN_POSITIVE);
            scaled.try_normalize(0.0)
        };
        match unit {
            Some(unit) => Some(Self(unit.into())),
            None => wrong(node, expected, Some("its length must be above zero".into()), problems),
        }
    }
}

impl JsonSchema for Direction {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Direction".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "anyOf": [
            { "enum": AXES.map(|(name, _)| name) },
            { "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 },
        ]})
    }
}

/// A name that stands for a whole table, or the table.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum NameOr<T> {
    /// The name.
    Name(Name),
    /// The table.
    Table(T),
}

impl<T: Decode> Decode for NameOr<T> {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        match &node.value {
            Value::Text(text) => Some(Self::Name(Spanned { value: text.clone(), span: node.span })),
            _ => T::decode(node, problems).map(Self::Table),
        }
    }
}

/// A number that stands for a whole table, or the table.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum NumberOr<T> {
    /// The number.
    Number(NotNegative),
    /// The table.
    Table(T),
}

impl<T: Decode> Decode for NumberOr<T> {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        match &node.value {
            Value::Table(_) => T::decode(node, problems).map(Self::Table),
            _ => NotNegative::decode(node, problems).map(Self::Number),
        }
    }
}

/// A list; a list of one may be written without its brackets.
#[derive(Clone, Debug)]
pub struct OneOrMore<T>(pub Vec<T>);

impl<T: Decode> Decode for OneOrMore<T> {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let Value::Array(items) = &node.value else {
            return T::decode(node, problems).map(|item| Self(vec![item]));
        };
        // Items that fail are left out, so that the others can be looked at further.
        Some(Self(items.iter().filter_map(|item| T::decode(item, problems)).collect()))
    }
}

impl<T: Serialize> Serialize for OneOrMore<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] => one.serialize(serializer),
            items => serializer.collect_seq(items),
        }
    }
}

impl<T: JsonSchema> JsonSchema for OneOrMore<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("one or more of {}", T::schema_name()).into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let item = generator.subschema_for::<T>();
        schemars::json_schema!({ "anyOf": [item, { "type": "array", "items": item }] })
    }
}
