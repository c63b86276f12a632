//! Scenes that come with `stiction`, embedded so that the command has them wherever it is.

use crate::scene_file::{Notation, SceneFile, SceneFileError, Wishes};

/// A scene that comes with `stiction`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// What it is called on the command line.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

/// The scene to show first.
pub const FIRST: &str = "twisting_bar";

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        /// All scenes in `scenes/`, by name.
        pub const SCENES: &[Shipped] = &[
            $(Shipped { name: $name, text: include_str!(concat!("../../../scenes/", $name, ".toml")) }),*
        ];
    };
}

shipped! {
    "arch",
    "ball_in_box",
    "ball_on_trampoline",
    "ball_spin",
    "ball_squish",
    "belt_drive",
    "belt_pulleys",
    "block_drag",
    "block_slide",
    "bowl_grasp",
    "brick_wall",
    "cannon_ball",
    "cantilever",
    "card_house",
    "catenary",
    "cloth_on_cylinder",
    "domino_run",
    "dragster_tyre",
    "flag",
    "free_fall",
    "garment",
    "glass_lift",
    "gripper",
    "gyroscope",
    "hanging_chain",
    "hanging_cloth",
    "heavy_on_light",
    "hollow_ball",
    "hoop_slide",
    "hopper",
    "logs_on_slope",
    "marble_box",
    "membrane_inflation",
    "packing",
    "pendulum",
    "picture_frame",
    "pressurised_ball",
    "rigid_bowl",
    "rigid_stack",
    "rolling_ball",
    "rolling_resistance",
    "sawtooth_cube",
    "shear_patch",
    "soft_block",
    "spinning_brick",
    "static_sag",
    "stool",
    "stretch_patch",
    "tennis_ball",
    "threshold_block",
    "threshold_cloth",
    "tower",
    "tube_cloth",
    "twisting_bar",
    "tyre",
}

impl Shipped {
    /// The scene of this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        SCENES.iter().find(|scene| scene.name == name)
    }

    /// Reads it.
    ///
    /// # Errors
    /// When what the caller wants changed makes no sense.
    pub fn load(&self, wishes: &Wishes) -> Result<SceneFile, SceneFileError> {
        SceneFile::parse(&format!("{}.toml", self.name), self.text, Notation::Toml, None, wishes)
    }
}
