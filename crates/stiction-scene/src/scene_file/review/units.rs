//! Numbers that are possible, but of no thing that anybody simulates: most are in other units than the scene's.

use stiction::Scene;
use stiction::body::Body;
use stiction::material::{Fabric, Material};
use stiction::math::Vector3;
use stiction::mesh::BoundingBox;

use super::facts::stiffest;
use super::{first_of, short};

/// Widths of what moves [m]. Ships are longer; nobody lets them rub at 9.81 m/s² in metres of mesh.
const SIZES: [f64; 2] = [1e-4, 100.0];

/// Densities of solids [kg/m³]: from aerogel to osmium.
const DENSITIES: [f64; 2] = [2.0, 25e3];

/// Densities of sheets [kg/m²]: from gossamer to 3 mm of steel.
const SHEETS: [f64; 2] = [1e-3, 25.0];

/// Young's moduli of solids [Pa]: from mucus to diamond.
const MODULI: [f64; 2] = [10.0, 2e12];

/// Young's moduli of sheets, times their thickness [N/m]: from a soap-thin gel to 10 mm of steel.
const STRETCHES: [f64; 2] = [0.1, 2e9];

/// Where a column of it presses more than this share of its modulus, it is squashed flat by its own weight [-].
const SQUASHED: f64 = 3.0;

/// The largest gravity of a planet is a quarter of this [m/s²].
const GRAVITY: f64 = 100.0;

pub(super) fn doubts(scene: &Scene) -> Vec<String> {
    let mut doubts = Vec::new();
    if scene.gravity.norm() > GRAVITY {
        doubts.push(format!(
            "gravity is {} m/s²\n  help: lengths are metres: on Earth it is 9.81",
            short(scene.gravity.norm())
        ));
    }
    for body in &scene.bodies {
        let name = body.name().unwrap_or_default();
        match body {
            Body::Solid(solid) => {
                let size = size(solid.mesh.vertices(), |x| solid.placement.apply(x));
                doubts.extend(of_size(name, &size));
                doubts.extend(of_solid(name, &solid.material, &size, &scene.gravity));
            }
            Body::Cloth(cloth) => {
                let size = size(cloth.mesh.vertices(), |x| cloth.placement.apply(x));
                doubts.extend(of_size(name, &size));
                doubts.extend(of_cloth(name, &cloth.material));
            }
            Body::Rigid(rigid) => {
                let size = size(rigid.mesh.vertices(), |x| rigid.placement.apply(x));
                doubts.extend(of_size(name, &size));
                doubts.extend(of_density(name, rigid.material.density));
            }
            Body::Obstacle(_) => {}
        }
    }
    first_of(doubts, "numbers that look like those of other units")
}

fn size(vertices: &[Vector3], place: impl Fn(&Vector3) -> Vector3) -> Vector3 {
    let placed: Vec<Vector3> = vertices.iter().map(place).collect();
    BoundingBox::of(&placed).size()
}

fn of_size(name: &str, size: &Vector3) -> Option<String> {
    let widest = size.max();
    let scale = match widest {
        w if w > SIZES[1] => "a mesh in millimetres needs `place = { scale = 0.001 }`",
        w if w < SIZES[0] => "a mesh in kilometres needs `place = { scale = 1000 }`",
        _ => return None,
    };
    Some(format!("`{name}` is {} m long\n  help: lengths are metres; {scale}", short(widest)))
}

fn of_density(name: &str, density: f64) -> Option<String> {
    let help = match density {
        d if d < DENSITIES[0] => {
            format!("densities are in kg/m³: {} g/cm³ are {} kg/m³", short(d), short(1e3 * d))
        }
        d if d > DENSITIES[1] => "densities are in kg/m³: steel has 7850, water 1000".to_owned(),
        _ => return None,
    };
    Some(format!("`{name}` is of {} kg/m³\n  help: {help}", short(density)))
}

fn of_solid(name: &str, material: &Material, size: &Vector3, gravity: &Vector3) -> Vec<String> {
    let (density, modulus) = (material.density(), material.youngs_modulus());
    let mut doubts: Vec<String> = of_density(name, density).into_iter().collect();
    if !(MODULI[0]..=MODULI[1]).contains(&modulus) {
        doubts.push(format!(
            "`{name}` has a Young's modulus of {} Pa\n  help: moduli are in pascals: rubber has 2e6, steel 2e11; \
             1 MPa is 1e6",
            short(modulus)
        ));
    }
    let along = gravity.try_normalize(0.0).map_or(0.0, |down| down.abs().dot(size));
    let pressure = density * gravity.norm() * along;
    if doubts.is_empty() && pressure > SQUASHED * modulus {
        doubts.push(format!(
            "`{name}` is squashed by its own weight: {} Pa at its bottom, and a Young's modulus of {} Pa\n  \
             help: look at its size [m], density [kg/m³] and modulus [Pa]",
            short(pressure),
            short(modulus)
        ));
    }
    doubts
}

fn of_cloth(name: &str, fabric: &Fabric) -> Vec<String> {
    let (density, modulus) = (fabric.density(), stiffest(&fabric.stretch()));
    let mut doubts = Vec::new();
    if !(SHEETS[0]..=SHEETS[1]).contains(&density) {
        let help = match density > SHEETS[1] {
            true => format!("{} g/m² are {} kg/m²", short(density), short(1e-3 * density)),
            false => "cotton has 0.22".to_owned(),
        };
        let density = short(density);
        doubts.push(format!(
            "the cloth `{name}` is of {density} kg/m²\n  help: densities of cloth are by area, in kg/m²: {help}"
        ));
    }
    if !(STRETCHES[0]..=STRETCHES[1]).contains(&modulus) {
        doubts.push(format!(
            "the cloth `{name}` has a Young's modulus of {} N/m\n  help: moduli of cloth are those of the material \
             times its thickness, in N/m: cotton has 280, paper 5e5",
            short(modulus)
        ));
    }
    doubts
}
