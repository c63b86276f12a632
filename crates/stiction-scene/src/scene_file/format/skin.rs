//! What surfaces are like where others rub against them.

use super::super::decode::{Decode, List, Spanned, choice, record, word};
use super::super::leaves::{
    Direction, Fraction, Name, NotNegative, Number, Pair, Positive, Vector,
};
use super::super::problem::Problems;
use super::super::tree::{Node, Value};
use super::PicturePath;

record! {
    /// What the surface of a body is like.
    SkinTable, "a skin" {
        /// What it is of, for the table of friction coefficients: `steel`, `rubber`, …
        material: Option<Name>,
        /// What is on it; `dry` by default.
        condition: Option<ConditionWord>,
        /// A coefficient of its own, combined with that of the other body where no table names the pair [-].
        friction: Option<NotNegative>,
        /// Direction of fibres, brush marks or ridges, in the frame of the shape before it is placed.
        grain: Option<Spanned<GrainValue>>,
        /// Its part in friction by tensors.
        tensor: Option<Spanned<TensorTable>>,
        /// Its relief, for friction by textures.
        texture: Option<Spanned<TextureShape>>,
    }
}

word! {
    /// What is on a surface.
    ConditionWord, "a condition" {
        /// Clean and dry.
        "dry" => Dry,
        /// Greasy.
        "greasy" => Greasy,
        /// Castor oil.
        "castor-oil" => CastorOil,
    }
}

word! {
    /// How coefficients of two surfaces become one.
    CombineWord, "a rule of combination" {
        /// Half of the sum.
        "average" => Average,
        /// Root of the product.
        "geometric" => Geometric,
        /// The smaller one.
        "smaller" => Smaller,
        /// The larger one.
        "larger" => Larger,
    }
}

/// A direction, the same everywhere, or a field of them.
#[derive(Clone, Debug, serde::Serialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum GrainValue {
    /// The same everywhere.
    Straight(Direction),
    /// Around or from an axis.
    Field(GrainField),
}

impl Decode for GrainValue {
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        match node.value {
            Value::Table(_) => GrainField::decode(node, problems).map(Self::Field),
            _ => Direction::decode(node, problems).map(Self::Straight),
        }
    }
}

choice! {
    /// A field of directions.
    GrainField, "a grain" {
        /// Circles about an axis: what was turned on a lathe.
        "around" => Around(GrainAxisTable),
        /// Rays from an axis.
        "from" => From(GrainAxisTable),
    }
}

record! {
    /// An axis of a grain.
    GrainAxisTable, "the axis of a grain" {
        /// Its direction.
        axis: Direction,
        /// A point of it [m]; the origin by default.
        through: Option<Vector>,
    }
}

record! {
    /// A friction tensor: what a surface adds along and across its grain.
    TensorTable, "a friction tensor" {
        /// Along the grain [-].
        along: NotNegative,
        /// Across it [-].
        across: NotNegative,
        /// Along it where the other body slides the other way [-]; the same by default.
        back_along: Option<NotNegative>,
        /// Across it where the other body slides the other way [-]; the same by default.
        back_across: Option<NotNegative>,
    }
}

choice! {
    /// The relief of a surface; ridges run along the grain.
    TextureShape, "a texture" {
        /// Saw teeth.
        "sawtooth" => Sawtooth(SawtoothTable),
        /// Round bumps.
        "bumps" => Bumps(BumpsTable),
        /// Heights on a grid.
        "heights" => Heights(HeightsTable),
        /// Heights in a grey picture.
        "height_map" => HeightMap(HeightMapTable),
        /// Normals in a coloured picture.
        "normal_map" => NormalMap(NormalMapTable),
    }
}

record! {
    /// Saw teeth whose ridges run along the grain.
    SawtoothTable, "saw teeth" {
        /// From ridge to ridge [m].
        pitch: Positive,
        /// From valley to ridge [m].
        height: Positive,
        /// Part of the pitch over which they rise, going from the grain to the left, seen from outside [-]; 0.5 by
        /// default.
        rise: Option<Fraction>,
        /// Side of the square that a contact averages over [m]; the pitch by default.
        patch: Option<Positive>,
    }
}

record! {
    /// Round bumps in rows.
    BumpsTable, "bumps" {
        /// From bump to bump [m].
        pitch: Positive,
        /// From lowest to highest [m].
        height: Positive,
        /// Side of the square that a contact averages over [m]; the pitch by default.
        patch: Option<Positive>,
    }
}

record! {
    /// Heights on a grid that repeats itself.
    HeightsTable, "heights of a texture" {
        /// Lengths after which it repeats itself, along the grain and across it [m].
        size: Pair<Positive>,
        /// Heights [m], rows along the grain.
        rows: List<List<Number>>,
        /// Side of the square that a contact averages over [m]; the larger size by default.
        patch: Option<Positive>,
    }
}

record! {
    /// A grey picture of heights that repeats itself: its right is along the grain, its top to the left of it, seen
    /// from outside.
    HeightMapTable, "a height map" {
        /// A PNG, grey with 8 or 16 bits, relative to the scene file.
        image: PicturePath,
        /// Width and height of the picture on the body [m].
        size: Pair<Positive>,
        /// From black to white [m].
        height: Positive,
        /// Side of the square that a contact averages over [m]; the larger size by default.
        patch: Option<Positive>,
    }
}

record! {
    /// A picture of normals that repeats itself: red looks to its right, which is along the grain; green to its top,
    /// to the left of the grain, seen from outside; blue outwards.
    NormalMapTable, "a normal map" {
        /// A PNG, RGB with 8 or 16 bits, relative to the scene file.
        image: PicturePath,
        /// Width and height of the picture on the body [m].
        size: Pair<Positive>,
        /// Side of the square that a contact averages over [m]; the larger size by default.
        patch: Option<Positive>,
    }
}
