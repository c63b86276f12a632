//! How surfaces are smoothed: from tables to wishes, and back to tables with what was chosen.

use stiction::Simulation;
use stiction::body::Surface;
use stiction::geometry::implicit::{
    Edges, NormalWeights, Robust, SampleKind, Sharp, SurfaceSettings,
};
use stiction::geometry::kernel::Kernel;

use super::super::decode::Spanned;
use super::super::format::{
    BodyTable, EdgesWord, KernelWord, NormalsWord, ObstacleShape, SamplesWord, SurfaceTable,
};
use super::super::leaves::Positive;
use super::super::problem::Problems;
use super::super::source::Span;

/// What a body wishes of its surface.
pub(super) fn surface(table: &BodyTable, problems: &mut Problems) -> Surface {
    let Some(Spanned { value: wished, span }) = &table.surface else { return Surface::default() };
    let mut refuse = |given: bool, key: &str, why: &str| {
        if given {
            problems.add(*span, format!("`{key}` {why}"), "leave it out".to_owned());
        }
    };
    let shape = table.obstacle.as_ref().map(|shape| &shape.value);
    let exact = shape.is_some_and(|shape| {
        use ObstacleShape::{Faceted, Mesh, Points};
        !matches!(shape, Faceted(_) | Mesh(_) | Points(_))
    });
    refuse(exact, "surface", "means nothing for an exact shape: there is nothing to smooth");
    let cloud = matches!(shape, Some(ObstacleShape::Points(_)));
    refuse(cloud && wished.samples.is_some(), "samples", "means nothing for a cloud of points");
    let by_vertices = wished.samples == Some(SamplesWord::Vertices);
    refuse(wished.normals.is_some() && !by_vertices, "normals", "is for `samples = \"vertices\"`");
    let sharpened = matches!(wished.kernel, Some(KernelWord::Rational | KernelWord::Interpolating));
    let kernels = "is for the kernels `rational` and `interpolating`";
    refuse(wished.epsilon.is_some() && !sharpened, "epsilon", kernels);
    let robust = wished.edges == Some(EdgesWord::Robust);
    refuse(wished.range.is_some() && !robust, "range", "is for `edges = \"robust\"`");
    refuse(wished.normal_range.is_some() && !robust, "normal_range", "is for `edges = \"robust\"`");
    let sharp = wished.edges == Some(EdgesWord::Sharp);
    refuse(wished.degrees.is_some() && !sharp, "degrees", "is for `edges = \"sharp\"`");
    refuse(wished.rounding.is_some() && !sharp, "rounding", "is for `edges = \"sharp\"`");
    if let Some(degrees) = wished.degrees.as_ref().filter(|degrees| degrees.value.0 >= 180.0) {
        let help = "give an angle below 180, such as 45".to_owned();
        problems.add(degrees.span, "no faces turn by so many `degrees`", help);
    }
    Surface {
        samples: wished.samples.map(|word| samples(word, wished.normals)),
        kernel: wished.kernel.map(|word| kernel(word, wished.epsilon)),
        radius: wished.radius.map(|radius| radius.0),
        edges: wished.edges.map(|word| edges(word, wished)),
    }
}

fn samples(word: SamplesWord, normals: Option<NormalsWord>) -> SampleKind {
    match (word, normals) {
        (SamplesWord::Faces, _) => SampleKind::Faces,
        (SamplesWord::Vertices, None | Some(NormalsWord::Area)) => {
            SampleKind::Vertices(NormalWeights::Area)
        }
        (SamplesWord::Vertices, Some(NormalsWord::Angle)) => {
            SampleKind::Vertices(NormalWeights::Angle)
        }
        (SamplesWord::Vertices, Some(NormalsWord::Uniform)) => {
            SampleKind::Vertices(NormalWeights::Uniform)
        }
    }
}

fn kernel(word: KernelWord, epsilon: Option<Positive>) -> Kernel {
    let or = |default: f64| epsilon.map_or(default, |epsilon| epsilon.0);
    match word {
        KernelWord::Cubic => Kernel::Cubic,
        KernelWord::Quartic => Kernel::Quartic,
        KernelWord::Rational => Kernel::Rational { epsilon: or(0.1) },
        KernelWord::Interpolating => Kernel::Interpolating { epsilon: or(1e-5) },
    }
}

fn edges(word: EdgesWord, table: &SurfaceTable) -> Edges {
    match word {
        EdgesWord::Round => Edges::Round,
        EdgesWord::Robust => {
            let Robust { range, normal } = Robust::default();
            Edges::Robust(Robust {
                range: table.range.map_or(range, |given| given.0),
                normal: table.normal_range.map_or(normal, |given| given.0),
            })
        }
        EdgesWord::Sharp => {
            let Sharp { angle, rounding } = Sharp::default();
            let given = table.degrees.as_ref().map(|degrees| degrees.value.0.to_radians());
            Edges::Sharp(Sharp {
                angle: given.unwrap_or(angle),
                rounding: table.rounding.map_or(rounding, |given| given.0),
            })
        }
    }
}

/// Writes into the tables how the surfaces came out that others may touch.
pub(super) fn write_chosen(bodies: &mut [Spanned<BodyTable>], simulation: &Simulation) {
    for (body, smooth) in simulation.contact_surfaces() {
        let table = &mut bodies[body.index()].value;
        let cloud = table
            .obstacle
            .as_ref()
            .is_some_and(|shape| matches!(shape.value, ObstacleShape::Points(_)));
        let given = table.surface.take();
        let span = given.as_ref().map_or_else(Span::default, |given| given.span);
        let degrees = given.and_then(|given| given.value.degrees);
        let value = chosen(smooth.surface.settings(), cloud, degrees);
        table.surface = Some(Spanned { value, span });
    }
}

fn chosen(
    settings: &SurfaceSettings,
    cloud: bool,
    degrees: Option<Spanned<Positive>>,
) -> SurfaceTable {
    let (samples, normals) = match settings.samples {
        _ if cloud => (None, None),
        SampleKind::Faces => (Some(SamplesWord::Faces), None),
        SampleKind::Vertices(weights) => {
            let normals = match weights {
                NormalWeights::Area => NormalsWord::Area,
                NormalWeights::Angle => NormalsWord::Angle,
                NormalWeights::Uniform => NormalsWord::Uniform,
            };
            (Some(SamplesWord::Vertices), Some(normals))
        }
    };
    let kernel = match settings.kernel {
        Kernel::Cubic => KernelWord::Cubic,
        Kernel::Quartic => KernelWord::Quartic,
        Kernel::Rational { .. } => KernelWord::Rational,
        Kernel::Interpolating { .. } => KernelWord::Interpolating,
    };
    let mut table = SurfaceTable {
        samples,
        normals,
        kernel: Some(kernel),
        epsilon: settings.kernel.epsilon().map(Positive),
        radius: settings.radius.map(Positive),
        edges: Some(EdgesWord::Round),
        range: None,
        normal_range: None,
        degrees: None,
        rounding: None,
    };
    match settings.edges {
        Edges::Round => {}
        Edges::Robust(Robust { range, normal }) => {
            table.edges = Some(EdgesWord::Robust);
            (table.range, table.normal_range) = (Some(Positive(range)), Some(Positive(normal)));
        }
        Edges::Sharp(Sharp { rounding, .. }) => {
            // As it was written: an angle in degrees need not survive the way to radians and back.
            let default = Spanned { value: Positive(DEGREES), span: Span::default() };
            table.edges = Some(EdgesWord::Sharp);
            table.degrees = Some(degrees.unwrap_or(default));
            table.rounding = Some(Positive(rounding));
        }
    }
    table
}

/// Of the default of [`Sharp`].
const DEGREES: f64 = 45.5;

#[test]
fn the_default_angle_is_the_one_of_the_library() {
    assert_eq!(DEGREES.to_radians().to_bits(), Sharp::default().angle.to_bits());
}
