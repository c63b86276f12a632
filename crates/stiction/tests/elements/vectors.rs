//! The numeric vectors of `docs/theory/reference-values.md`, "Elements", to their printed digits.
//!
//! They were computed in double precision by scripts that share no code with this library.
#![expect(non_snake_case, reason = "F as in the literature")]

use stiction::element::{
    ElementSet, Hessian, HingeAngle, HingeSet, Projection, RestAngles, TetrahedronSet, TriangleSet,
};
use stiction::energy::{
    ElasticDensity, Lame, MembraneDensity, MembraneNeoHookean, NeoHookean, OrthotropicModuli,
    OrthotropicStVenantKirchhoff, OrthotropicStiffness, SingularValues, StableNeoHookean,
    projection::eigen_symmetric,
};
use stiction::math::{Matrix3, Vector2, Vector3};

/// Numbers printed in full agree to eleven digits.
const PRINTED: f64 = 1e-11;

#[track_caller]
fn assert_close(ours: f64, printed: f64, tolerance: f64) {
    let scale = printed.abs().max(f64::MIN_POSITIVE);
    assert!((ours - printed).abs() <= tolerance * scale, "{ours:.15e} instead of {printed:.15e}");
}

/// Components are compared against the length of their vector.
#[track_caller]
fn assert_vectors_close(ours: &[Vector3], printed: &[[f64; 3]]) {
    assert_eq!(ours.len(), printed.len());
    for (ours, printed) in ours.iter().zip(printed) {
        let printed = Vector3::from(*printed);
        let error = (ours - printed).norm();
        assert!(error <= PRINTED * printed.norm(), "{ours:?} instead of {printed:?}");
    }
}

fn entry<const N: usize>(K: &Hessian<N>, i: usize, j: usize) -> f64 {
    K[i / 3][j / 3][(i % 3, j % 3)]
}

fn norm<const N: usize>(K: &Hessian<N>) -> f64 {
    K.iter().flatten().map(|block| block.norm_squared()).sum::<f64>().sqrt()
}

fn lame() -> Lame {
    Lame::new(1e5, 0.4).unwrap()
}

const CORNER: [Vector3; 4] = [
    Vector3::new(0.0, 0.0, 0.0),
    Vector3::new(1.0, 0.0, 0.0),
    Vector3::new(0.0, 1.0, 0.0),
    Vector3::new(0.0, 0.0, 1.0),
];

const DEFORMED: [Vector3; 4] = [
    Vector3::new(0.05, -0.02, 0.01),
    Vector3::new(1.1, 0.08, -0.03),
    Vector3::new(0.12, 0.9, 0.06),
    Vector3::new(-0.04, 0.15, 1.2),
];

fn deformation() -> Matrix3 {
    let x = DEFORMED;
    Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]])
}

/// What §5.5 prints for one model.
struct Printed {
    energy: f64,
    rest_energy: f64,
    gradient: [[f64; 3]; 4],
    K00: f64,
    K37: f64,
    K_norm: f64,
    eigenvalues: (f64, f64),
}

#[track_caller]
fn check_tetrahedron<M: ElasticDensity + Clone>(model: M, printed: &Printed) {
    let set = TetrahedronSet::new(model.clone(), &CORNER, &[[0, 1, 2, 3]]).unwrap();
    assert_close(model.value(&deformation()) / 6.0, printed.energy, PRINTED);
    if printed.rest_energy != 0.0 {
        assert_close(model.value(&Matrix3::identity()) / 6.0, printed.rest_energy, PRINTED);
    }
    // The element reports energy above rest.
    assert_close(set.energy(0, &DEFORMED), printed.energy - printed.rest_energy, 1e-10);
    assert_vectors_close(&set.gradient(0, &DEFORMED), &printed.gradient);

    let K = set.hessian(0, &DEFORMED, Projection::Exact);
    assert_close(entry(&K, 0, 0), printed.K00, PRINTED);
    assert_close(entry(&K, 3, 7), printed.K37, PRINTED);
    assert_close(norm(&K), printed.K_norm, PRINTED);

    let (values, _) = eigen_symmetric(&model.tangent(&deformation()));
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(0.0, f64::max);
    assert_close(least, printed.eigenvalues.0, PRINTED);
    assert_close(greatest, printed.eigenvalues.1, PRINTED);
}

#[test]
fn section_5_5_lame_parameters() {
    assert_close(lame().lambda, 142857.1428571429, PRINTED);
    assert_close(lame().mu, 35714.28571428572, PRINTED);
}

#[test]
fn section_5_5_invariants_and_principal_stretches() {
    let F = deformation();
    assert_close(F.determinant(), 1.128047, PRINTED);
    assert_close(F.norm_squared(), 3.421, PRINTED);
    let sigma = SingularValues::new(&F).sigma;
    assert_close(sigma[0], 1.237947653387772, PRINTED);
    assert_close(sigma[1], 1.091678934361266, PRINTED);
    assert_close(sigma[2], 0.834699174399712, PRINTED);
}

#[test]
fn section_5_5_neo_hookean_tetrahedron() {
    let printed = Printed {
        energy: 708.611964998616,
        rest_energy: 0.0,
        gradient: [
            [-3391.0703602040, -4068.7250399268, -4775.0173679671],
            [3280.4960200150, 835.24771453542, -496.96666118700],
            [760.55288657104, 2070.4047736558, 810.16806377222],
            [-649.97854638203, 1163.0725517355, 4461.8159653819],
        ],
        K00: 39088.741679194,
        K37: 25350.589839050,
        K_norm: 156068.98661630,
        eigenvalues: (15410.00245690851, 474105.60247314547),
    };
    check_tetrahedron(NeoHookean::new(lame()), &printed);
}

#[test]
fn section_5_5_stable_neo_hookean_tetrahedron() {
    let printed = Printed {
        energy: -4138.20784541023,
        rest_energy: -4885.40455288408,
        gradient: [
            [-4051.8571652953, -4806.4858609532, -5404.6236195670],
            [3984.1305630785, 813.30574744738, -460.47887880038],
            [715.26861109015, 2823.7075774881, 732.40790666020],
            [-647.54200887328, 1169.4725360177, 5132.6945917072],
        ],
        K00: 48187.881466008,
        K37: 37022.714913455,
        K_norm: 212988.19313042,
        eigenvalues: (19998.319880773593, 666539.5157880877),
    };
    check_tetrahedron(StableNeoHookean::new(lame()), &printed);
}

const FLAT: [Vector2; 3] = [Vector2::new(0.0, 0.0), Vector2::new(1.0, 0.0), Vector2::new(0.0, 1.0)];

const TRIANGLE: [Vector3; 3] =
    [Vector3::new(0.0, 0.0, 0.0), Vector3::new(1.1, 0.05, -0.02), Vector3::new(0.1, 0.95, 0.2)];

#[test]
fn section_5_6_membrane_triangle() {
    let model = MembraneNeoHookean::new(Lame { mu: 200.0, lambda: 300.0 });
    let set = TriangleSet::from_flat_corners(model, &[FLAT]).unwrap();
    assert_close(set.energy(0, &TRIANGLE), 2.36995539889649, PRINTED);
    let printed = [
        [-41.05505356393743, -16.121996413867034, -2.296621779350284],
        [27.24263565595325, 12.871729153995926, 1.987968690542742],
        [13.812417907984178, 3.250267259871109, 0.308653088807542],
    ];
    assert_vectors_close(&set.gradient(0, &TRIANGLE), &printed);
}

#[test]
fn section_5_6_hinge() {
    let x =
        [Vector3::zeros(), Vector3::x(), Vector3::new(0.3, -0.8, 0.1), Vector3::new(0.4, 0.9, 0.3)];
    let hinge = HingeAngle::new(&x);
    assert_close(hinge.angle, 0.446105548943404, PRINTED);
    let printed = [
        [0.0, 0.092307692307692, -1.461538461538462],
        [0.0, 0.087179487179487, -0.769230769230769],
        [0.0, 0.153846153846154, 1.230769230769231],
        [0.0, -1.0 / 3.0, 1.0],
    ];
    assert_vectors_close(&hinge.gradient(), &printed);

    let flat = x.map(|x| Vector3::new(x.x, x.y, 0.0));
    let energy = |stiffness: f64| {
        HingeSet::new(stiffness, &flat, &[[0, 1, 2, 3]], RestAngles::FromShape)
            .unwrap()
            .energy(0, &x)
    };
    assert_close(energy(0.1), 0.0351194401408404, PRINTED);
    // With k_b = 2/θ² the energy is the factor l̄/h̄ itself.
    assert_close(energy(2.0 / hinge.angle.powi(2)), 3.52941176470588, PRINTED);
}

#[test]
fn section_5_12_orthotropic_energy() {
    let stiffness = OrthotropicStiffness { c00: 1500.0, c11: 2000.0, c01: 400.0, c22: 600.0 };
    let model = OrthotropicStVenantKirchhoff::from_stiffness(stiffness).unwrap();
    let set = TriangleSet::from_flat_corners(model, &[FLAT]).unwrap();
    assert_close(set.energy(0, &TRIANGLE), 7.5600821875, PRINTED);
    let F = set.deformation_gradient(0, &TRIANGLE);
    assert_close(set.model().value(&F) * 0.5, 7.5600821875, PRINTED);
}

#[test]
fn section_5_12_parameter_map() {
    let cotton = OrthotropicModuli {
        youngs_modulus_warp: 1.0e5,
        youngs_modulus_weft: 2.8e5,
        shear_modulus: 4.0e4,
        poissons_ratio: 0.4,
    };
    let S = cotton.stiffness();
    assert_close(S.c00, 181159.42, 1e-8);
    assert_close(S.c11, 507246.38, 1e-8);
    assert_close(S.c01, 202898.55, 1e-8);
    assert_close(S.c22, 40000.0, PRINTED);
    assert_close(S.c01 / S.c00, 1.12, PRINTED);

    let denim = OrthotropicModuli {
        youngs_modulus_warp: 3793.0,
        youngs_modulus_weft: 20590.0,
        shear_modulus: 6968.0,
        poissons_ratio: 0.4286,
    };
    let S = denim.stiffness();
    assert_close(S.c00, 1.34974e6, 4e-6);
    assert_close(S.c11, 7.32694e6, 1e-6);
    assert_close(S.c01, 3.14033e6, 2e-6);
    assert_close(denim.determinant(), 0.00281018, 2e-6);
}
