//! What bodies are made of.

use super::super::decode::{Spanned, record};
use super::super::leaves::{Fraction, Name, NotNegative, Number, Positive};

record! {
    /// Numbers of a material. A preset gives all of them; what is written beside it takes precedence. Solids have
    /// `model`, `youngs_modulus` in Pa and `density` in kg/m³; cloth has moduli in N/m and `density` in kg/m².
    MaterialTable, "a material" {
        /// Where to start from: `rubber`, `steel`, …; for cloth `cotton`, `denim`, ….
        preset: Option<Name>,
        /// Law of a solid; `stable-neo-hookean` by default.
        model: Option<Name>,
        /// Mass per volume of a solid [kg/m³], per area of cloth [kg/m²].
        density: Option<Positive>,
        /// Young's modulus of a solid [Pa], of an isotropic sheet [N/m].
        youngs_modulus: Option<Positive>,
        /// Sideways contraction over stretch [-]: below 0.5 for solids, below 1 for sheets.
        poissons_ratio: Option<Spanned<Number>>,
        /// Share of the second invariant in `mooney-rivlin`; 0.2 by default.
        share: Option<Fraction>,
        /// Of a woven sheet along the warp [N/m].
        youngs_modulus_warp: Option<Positive>,
        /// Of a woven sheet along the weft [N/m].
        youngs_modulus_weft: Option<Positive>,
        /// Of a woven sheet [N/m].
        shear_modulus: Option<Positive>,
        /// Resistance of a sheet to bending, moment per width over curvature: `E h³/12(1−ν²)` of a plate [N·m].
        bending_stiffness: Option<NotNegative>,
        /// How curvature is measured: `curvature` of triangles, a plate nearly whatever the mesh, by default; `hinges`,
        /// angles at edges, are cheaper and as stiff on equilateral triangles, up to several times stiffer on others.
        bending_model: Option<Name>,
        /// How much a strip bent one way curls the other [-]; by default 0 of woven cloth, `poissons_ratio` of others.
        /// Hinges do not use it.
        bending_poissons_ratio: Option<Spanned<Number>>,
        /// Rayleigh damping; none by default.
        damping: Option<DampingTable>,
    }
}

record! {
    /// Rayleigh damping: `mass · M + stiffness · K`.
    DampingTable, "damping" {
        /// Drag against standing air [1/s].
        mass: Option<NotNegative>,
        /// Drag against changes of shape [s].
        stiffness: Option<NotNegative>,
    }
}
