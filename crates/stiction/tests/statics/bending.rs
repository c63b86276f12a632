//! Strips and plates bend as plate theory says, nearly whatever their mesh.

use stiction::Scene;
use stiction::body::{Cloth, LoadKind};
use stiction::material::{BendingModel, Fabric, Stretch};
use stiction::math::Vector3;
use stiction::mesh::generate::{Diagonals, sheet, unstructured_sheet};
use stiction::mesh::{Selection, Transform, TriMesh};
use stiction_check::analytic::Elastica;

use super::cloth::settled;

/// How a rectangle is cut into triangles.
#[derive(Clone, Copy, Debug)]
enum Cut {
    Regular,
    Alternating,
    /// Cells twice as long as wide.
    Long(Diagonals),
    Unstructured(u64),
}

const CUTS: [Cut; 6] = [
    Cut::Regular,
    Cut::Alternating,
    Cut::Long(Diagonals::Regular),
    Cut::Long(Diagonals::Alternating),
    Cut::Unstructured(1),
    Cut::Unstructured(2),
];

/// A rectangle of edges of about `h` around the origin.
fn mesh(cut: Cut, size: [f64; 2], h: f64) -> TriMesh {
    let cells = size.map(|length| (length / h).round() as usize);
    match cut {
        Cut::Regular => sheet(size, cells, Diagonals::Regular),
        Cut::Alternating => sheet(size, cells, Diagonals::Alternating),
        Cut::Long(diagonals) => sheet(size, [cells[0], 2 * cells[1]], diagonals),
        Cut::Unstructured(seed) => unstructured_sheet(size, h, seed),
    }
    .unwrap()
}

const RIGIDITY: f64 = 1e-4;
const LENGTH: f64 = 0.1;

fn fabric(youngs_modulus: f64, poissons_ratio: f64, model: BendingModel) -> Fabric {
    // Ratios of stretch and bending are told apart: a strip that is stretched does not get narrower.
    let stretch = Stretch::Isotropic { youngs_modulus, poissons_ratio: 0.0 };
    let fabric = Fabric::new(stretch, 0.1, RIGIDITY).unwrap().with_bending_model(model);
    fabric.with_bending_poissons_ratio(poissons_ratio).unwrap()
}

/// Where the tip of a strip of `n` cells is, along and down, clamped by a row of cells and under `weight` per area and
/// `load` per width; and where that of the elastica is [m].
///
/// The row of cells that is held lies before `x = 0`. Its triangles bend as far as their neighbours do, so what is held
/// level is its middle: the elastica is half a cell longer.
fn cantilever(cut: Cut, n: usize, weight: f64, load: f64) -> [(f64, f64); 2] {
    let h = LENGTH / n as f64;
    let width = 0.25 * LENGTH;
    let mut scene = Scene::new();
    let fabric = fabric(50.0, 0.0, BendingModel::default());
    scene.gravity = Vector3::new(0.0, 0.0, -weight / fabric.density());
    // Its right side stands at `LENGTH`.
    let at = Transform::identity().with_translation(Vector3::x() * (0.5 * (LENGTH - h)));
    let mesh = mesh(cut, [LENGTH + h, width], h);
    let body = scene.add(Cloth::new(mesh.clone()).material(fabric).placed(at));
    let clamp = Vector3::x() * (1e-6 * LENGTH);
    scene.pin(body, Selection::HalfSpace { point: clamp, normal: -Vector3::x() });
    let tip = Selection::Tag("right".into());
    let force = Vector3::new(0.0, 0.0, -load * width);
    scene.load(body, tip.clone(), LoadKind::Force(force));
    let simulation = settled(&scene, 1e-5 * weight.max(load / LENGTH) / fabric.density());
    let (x, tip) = (simulation.positions(body), tip.vertices(&mesh).unwrap());
    let tip = tip.iter().map(|&v| x[v as usize]).sum::<Vector3>() / tip.len() as f64;
    let strip = Elastica { length: LENGTH + 0.5 * h, rigidity: RIGIDITY, tip_load: load, weight };
    let (along, down) = strip.tip();
    [(tip.x, -tip.z), (along - 0.5 * h, down)]
}

/// Own weight bends it by 57 %, a load at its tip by 49 % of its length. Predicted by the elastica; measured off by
/// 0.8 % of the deflection with eight cells on every grid. On scattered points it is off by 1 and 5 % with eight cells,
/// when the strip is two triangles wide, and by 2.5 % with sixteen: they bend a few percent too hard (see the page on
/// bending), and where their clamp is level is known to a part of a cell only.
#[test]
fn cantilevers_on_every_mesh_are_the_elastica() {
    let scale = RIGIDITY / LENGTH.powi(2);
    for (weight, load) in [(6.0 * scale / LENGTH, 0.0), (0.0, 2.0 * scale)] {
        for (n, grids, scattered) in [(8, 0.012, 0.06), (16, 0.006, 0.035)] {
            for cut in CUTS {
                let [ours, theirs] = cantilever(cut, n, weight, load);
                let off = (ours.0 - theirs.0).hypot(ours.1 - theirs.1) / theirs.1;
                let tolerance = if matches!(cut, Cut::Unstructured(_)) { scattered } else { grids };
                assert!(off < tolerance, "{n} cells, {cut:?}: {ours:?}, not {theirs:?}, {off} off");
            }
        }
    }
}

/// Energy of a square plate of `n` cells held at its corners on `w = κxy`, over that of a plate, `D (1−ν) κ² A`.
fn twisted(cut: Cut, n: usize, poissons_ratio: f64, model: BendingModel) -> f64 {
    let (curvature, size) = (1e-2 / LENGTH, LENGTH);
    let mesh = mesh(cut, [size; 2], size / n as f64);
    let start = mesh.vertices().iter().map(|x| x + Vector3::z() * (curvature * x.x * x.y));
    let start = start.collect();
    let mut scene = Scene::new();
    scene.gravity = Vector3::zeros();
    let fabric = fabric(1.0, poissons_ratio, model);
    let body = scene.add(Cloth::new(mesh).material(fabric).starting_at(start));
    scene.pin(body, Selection::Tag("corners".into()));
    let plate = RIGIDITY * (1.0 - poissons_ratio) * (curvature * size).powi(2);
    settled(&scene, 1e-7).energies().elastic / plate
}

/// Predicted: 1 on lattices of parallelograms; with hinges 2 on squares and 3.125 on cells twice as long as wide, by
/// the angles of the hinges of `w = κxy`, over `1 − ν`. Recorded: the rest. Scattered points are 7 to 14 % too stiff,
/// and alternating diagonals, whose two triangles lean to the same end of an edge, as much as hinges are.
#[test]
fn twisted_plates_store_what_the_page_on_bending_says() {
    let regular = Cut::Long(Diagonals::Regular);
    let alternating = Cut::Long(Diagonals::Alternating);
    for (cut, ratio, curvature, hinges) in [
        (Cut::Regular, 0.3, 1.0..1.001, 2.857..2.858),
        (regular, 0.3, 1.0..1.001, 4.464..4.465),
        (Cut::Alternating, 0.0, 1.8..2.0, 1.999..2.001),
        (alternating, 0.0, 2.9..3.1, 3.12..3.13),
        (Cut::Unstructured(1), 0.0, 1.0..1.12, 1.3..1.5),
        (Cut::Unstructured(2), 0.0, 1.0..1.12, 1.3..1.5),
        (Cut::Unstructured(2), 0.3, 1.0..1.15, 1.9..2.1),
    ] {
        for (model, expected) in
            [(BendingModel::Curvature, curvature), (BendingModel::Hinges, hinges)]
        {
            let ours = twisted(cut, 8, ratio, model);
            let rounding = 1e-4;
            let fits = ours > expected.start - rounding && ours < expected.end + rounding;
            assert!(fits, "{cut:?}, ν = {ratio}, {model:?}: {ours}, not {expected:?}");
        }
    }
}
