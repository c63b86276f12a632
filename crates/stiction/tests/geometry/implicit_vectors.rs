//! Kernels and implicit surfaces reproduce numbers computed independently.
//!
//! Sources: central-difference-checked scripts in other languages, printed to the digits given here.

use stiction::geometry::implicit::{
    Edges, FieldJet, ImplicitSurface, NormalWeights, Order, Robust, SampleKind, SurfaceSettings,
};
use stiction::geometry::kernel::Kernel;
use stiction::math::{Matrix3, Vector3};

/// Equal to the printed digits, relative to the size of the numbers compared.
#[track_caller]
fn assert_digits(found: &[f64], expected: &[f64], digits: f64) {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(0.0_f64, |scale, e| scale.max(e.abs()));
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() <= digits * scale, "found {found:?}, expected {expected:?}");
    }
}

fn upper(m: &Matrix3) -> [f64; 6] {
    [m.m11, m.m12, m.m13, m.m22, m.m23, m.m33]
}

fn evaluate(surface: &ImplicitSurface, x: &Vector3, order: Order) -> FieldJet {
    let (mut candidates, mut jet) = (Vec::new(), FieldJet::default());
    surface.candidates(x, 0.0, &mut candidates);
    assert!(surface.jet(x, &candidates, order, &mut jet), "samples are near");
    jet
}

const INTERPOLATING: Kernel = Kernel::Interpolating { epsilon: 0.1 };
const SHARP: Kernel = Kernel::Interpolating { epsilon: 1e-5 };
const RATIONAL: Kernel = Kernel::Rational { epsilon: 0.1 };

#[test]
fn kernels_match() {
    let table = [
        (Kernel::Cubic, 0.3, [0.784, -1.26, -2.4]),
        (Kernel::Cubic, 0.7, [0.216, -1.26, 2.4]),
        (INTERPOLATING, 0.3, [0.270983379501385, -1.76410555474559, 10.8322270905431]),
        (INTERPOLATING, 0.7, [0.0206334386670497, -0.137469426442496, 0.782211022130424]),
        (SHARP, 0.3, [1.22429379864946e-8, -1.64554196020904e-7, 2.74220429831672e-6]),
        (SHARP, 0.7, [3.16478128665919e-10, -2.37981502495168e-9, 1.6998262463977e-8]),
        (RATIONAL, 0.3, [0.412631578947368, -1.96620498614958, 6.81148855518297]),
        (RATIONAL, 0.7, [0.0366101694915254, -0.300430910657857, 1.70845120484568]),
    ];
    for (kernel, r, expected) in table {
        let found = kernel.derivatives(r, 1.0);
        for (f, e) in found.iter().zip(expected) {
            assert_digits(&[*f], &[e], 1e-13);
        }
    }
}

#[test]
fn kernels_end_as_documented() {
    let inside = 1.0 - 1e-13;
    let table = [
        (Kernel::Cubic, 0.0, 6.0),
        (INTERPOLATING, -0.0303030303, 0.134986226),
        (SHARP, -3.99988e-10, 1.999916e-9),
        (RATIONAL, 0.0, 0.5454545),
        (Kernel::Quartic, 0.0, 0.0),
    ];
    for (kernel, slope, curvature) in table {
        let [value, first, second, _] = kernel.derivatives(inside, 1.0);
        assert!(value.abs() < 1e-12, "{kernel:?} ends at {value:e}");
        assert!((first - slope).abs() < 1e-6 * slope.abs() + 1e-12, "{kernel:?}: {first:e}");
        assert!((second - curvature).abs() < 1e-6 * curvature + 1e-12, "{kernel:?}: {second:e}");
        assert_digits(&kernel.derivatives(1.0, 1.0), &[0.0; 4], 0.0);
        assert_digits(&[kernel.value(0.0, 1.0)], &[1.0], 1e-15);
    }
}

fn five_samples(kernel: Kernel) -> ImplicitSurface {
    let points = [
        Vector3::zeros(),
        Vector3::new(0.5, 0.1, -0.05),
        Vector3::new(-0.1, 0.45, -0.04),
        Vector3::new(-0.4, -0.3, -0.06),
        Vector3::new(0.3, -0.4, -0.1),
    ];
    let normals = [
        Vector3::z(),
        Vector3::new(0.2, 0.05, 1.0),
        Vector3::new(-0.05, 0.2, 1.0),
        Vector3::new(-0.2, -0.1, 1.0),
        Vector3::new(0.15, -0.2, 1.0),
    ];
    let settings = SurfaceSettings { kernel, radius: Some(1.0), ..SurfaceSettings::default() };
    ImplicitSurface::from_points(&points, &normals, &settings).unwrap()
}

#[test]
fn five_samples_match() {
    let x = Vector3::new(0.12, 0.07, 0.15);
    let table = [
        (
            Kernel::Cubic,
            0.121996731277439,
            [0.0578774999957414, 0.0116758682277964, 0.989867799677416],
            2.68754232316926,
            [
                0.400222116778,
                -0.0530922118086,
                0.000564584908356,
                0.396631209818,
                0.0242851509499,
                0.0285541524175,
            ],
        ),
        (
            INTERPOLATING,
            0.135771088330379,
            [0.00327615499282514, -0.0141709050736984, 0.975973054329902],
            0.768390528279884,
            [
                0.274754816662,
                0.0345254853933,
                0.0685990857737,
                0.0661321326282,
                0.0423847115801,
                -0.112999321112,
            ],
        ),
        (
            SHARP,
            0.146382221919662,
            [-0.0321375663201416, -0.0234819135483995, 0.962842767336309],
            6.30196298037478e-8,
            [
                -0.249174531891,
                -0.0362050665812,
                -0.00636688147127,
                -0.309746293656,
                -0.0468988399254,
                -0.283863107128,
            ],
        ),
        (
            RATIONAL,
            0.132093640030169,
            [0.0259495296405562, -0.00397523248613156, 0.984661555439562],
            1.14604501236187,
            [
                0.392931612281,
                -0.0234671230288,
                0.0317624363261,
                0.248298687906,
                0.0356432816337,
                -0.0407584612261,
            ],
        ),
    ];
    for (kernel, value, gradient, total, hessian) in table {
        let surface = five_samples(kernel);
        let jet = surface.point_jet(&x).unwrap();
        assert_digits(&[jet.value], &[value], 1e-13);
        assert_digits(jet.gradient.as_slice(), &gradient, 1e-13);
        assert_digits(&upper(&jet.hessian), &hessian, 1e-11);
        let weights = surface.sample_points().iter().map(|s| kernel.value((x - s).norm(), 1.0));
        assert_digits(&[weights.sum()], &[total], 1e-13);
    }
}

#[test]
fn five_samples_match_by_sample() {
    let x = Vector3::new(0.12, 0.07, 0.15);
    let table = [
        (
            Kernel::Cubic,
            [0.00596833412983, 0.0034815282424, -0.324326751861],
            [-0.0853491697715, -0.00673809235038, 0.0449206156692],
        ),
        (
            INTERPOLATING,
            [0.0314344850062, 0.0183367829203, -0.602495660685],
            [-0.0571423839528, -0.00451124083838, 0.0300749389225],
        ),
    ];
    for (kernel, by_point_0, by_normal_1) in table {
        let jet = evaluate(&five_samples(kernel), &x, Order::First);
        assert_digits(jet.samples[0].by_point.as_slice(), &by_point_0, 1e-12);
        assert_digits(jet.samples[1].by_normal.as_slice(), &by_normal_1, 1e-12);
        let weights: f64 = jet.samples.iter().map(|sample| sample.weight).sum();
        assert_digits(&[weights], &[1.0], 1e-15);
    }
}

#[test]
fn a_mesh_of_faces_matches() {
    let vertices = [
        Vector3::new(0.061, -0.077, 0.313),
        Vector3::new(0.983, -0.014, -0.006),
        Vector3::new(0.439, 0.859, -0.026),
        Vector3::new(-0.4, 0.873, -0.011),
        Vector3::new(-1.008, -0.02, -0.032),
        Vector3::new(-0.512, -0.852, -0.007),
        Vector3::new(0.529, -0.872, 0.001),
    ];
    let triangles = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5], [0, 5, 6], [0, 6, 1]];
    let settings = SurfaceSettings { radius: Some(1.2), ..SurfaceSettings::default() };
    let surface = ImplicitSurface::from_mesh(&vertices, &triangles, &settings).unwrap();
    let jet = evaluate(&surface, &Vector3::new(0.15, 0.1, 0.35), Order::Second);
    assert_digits(&[jet.value], &[0.0515352721859624], 1e-13);
    let expected = [
        [0.104841981236771, 0.140801752564819, 0.93904357966817],
        [-0.06117406196052, -0.05688312406655, -0.9067109897859],
        [-0.0145581558784, 0.001834252932743, -0.02778152295426],
        [-0.01735378125827, -0.030306028752, -0.06963056229562],
        [0.008478122182587, -0.007958551332643, -0.01752248739116],
        [-0.0159065986334, 0.0006546326824067, 0.01747300582111],
        [-0.01652878602533, -0.02732853394703, 0.03159474800029],
        [0.01220128033656, -0.02081440008175, 0.0335342289374],
    ];
    assert_eq!(jet.vertices, [0, 1, 2, 3, 4, 5, 6]);
    for (found, expected) in jet.gradient.iter().zip(&expected) {
        assert_digits(found.as_slice(), expected, 1e-11);
    }
    let norm = jet.hessian.iter().map(|block| block.norm_squared()).sum::<f64>().sqrt();
    assert_digits(&[norm], &[2.498608358732], 1e-12);
}

fn four_samples(robust: Option<[f64; 2]>) -> ImplicitSurface {
    let points = [
        Vector3::zeros(),
        Vector3::new(1.0, 0.0, 0.1),
        Vector3::new(0.0, 1.0, -0.1),
        Vector3::new(-0.8, -0.7, 0.05),
    ];
    let normals = [
        Vector3::z(),
        Vector3::new(0.2, 0.0, 1.0),
        Vector3::new(0.0, -0.3, 1.0),
        Vector3::new(-0.1, 0.1, 1.0),
    ];
    let settings = SurfaceSettings {
        kernel: Kernel::Quartic,
        radius: Some(2.0),
        ..SurfaceSettings::default()
    };
    let plain = ImplicitSurface::from_points(&points, &normals, &settings).unwrap();
    // The vectors give the range as a length; settings count in spacings.
    let edges = robust.map_or(Edges::Round, |[range, normal]| {
        Edges::Robust(Robust { range: range / plain.spacing(), normal })
    });
    let settings = SurfaceSettings { edges, ..settings };
    ImplicitSurface::from_points(&points, &normals, &settings).unwrap()
}

#[test]
fn four_samples_match_plain_and_robust() {
    let x = Vector3::new(0.3, 0.2, 0.25);
    let plain = evaluate(&four_samples(None), &x, Order::Second);
    assert_digits(&[plain.value], &[0.241332330178733], 1e-13);
    let gradient = [-0.103828908612748, 0.119782108320213, 0.947973069428005];
    assert_digits(plain.gradient[0].as_slice(), &gradient, 1e-13);
    let hessian = [
        0.0535829804880943,
        -0.0378798508126766,
        -0.0220154067574964,
        -0.0953191392474122,
        -0.00195350930100474,
        -0.0142461481375248,
    ];
    assert_digits(&upper(&plain.hessian[0]), &hessian, 1e-12);
    let by_point = [0.00247608665950524, 0.00165072443967016, -0.451138942489725];
    assert_digits(plain.samples[0].by_point.as_slice(), &by_point, 1e-13);
    let by_normal = [0.135960704411794, 0.0906404696078626, 0.113300587009828];
    assert_digits(plain.samples[0].by_normal.as_slice(), &by_normal, 1e-13);

    let robust = evaluate(&four_samples(Some([0.5, 0.8])), &x, Order::Second);
    assert_digits(&[robust.value], &[0.225625084396169], 1e-13);
    let gradient = [-0.125506784864892, 0.153318721158812, 0.958323440874595];
    assert_digits(robust.gradient[0].as_slice(), &gradient, 1e-13);
    let hessian = [
        0.0557457465014358,
        -0.0874052498244086,
        -0.0256835252939645,
        0.066354823634669,
        -0.0318873596489315,
        -0.0086309447881479,
    ];
    assert_digits(&upper(&robust.hessian[0]), &hessian, 1e-12);
    let by_point_0 = [0.00927231794676375, 0.0060273131927482, -0.668500026341823];
    assert_digits(robust.samples[0].by_point.as_slice(), &by_point_0, 1e-13);
    let by_point_1 = [0.0821453100985432, -0.0271792312902851, -0.238720703748787];
    assert_digits(robust.samples[1].by_point.as_slice(), &by_point_1, 1e-13);
    let by_normal = [0.18271066571752, 0.121366959966631, 0.165765484039245];
    assert_digits(robust.samples[0].by_normal.as_slice(), &by_normal, 1e-13);

    for (sigmas, value, gradient) in [
        ([0.5, 0.5], 0.221064525723739, [-0.108720506413681, 0.130384011127319, 0.966902788738356]),
        ([1.0, 1.5], 0.236192283810634, [-0.110725597739313, 0.133053651118424, 0.950775294124975]),
    ] {
        let jet = evaluate(&four_samples(Some(sigmas)), &x, Order::First);
        assert_digits(&[jet.value], &[value], 1e-13);
        assert_digits(jet.gradient[0].as_slice(), &gradient, 1e-13);
    }
}

#[test]
fn an_octahedron_of_vertices_matches_for_every_normal() {
    let vertices = [
        Vector3::x(),
        -Vector3::x(),
        Vector3::y(),
        -Vector3::y(),
        Vector3::new(0.1, -0.05, 1.1),
        -Vector3::z(),
    ];
    let triangles =
        [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let x = Vector3::new(0.5, 0.45, 0.4);
    let table = [
        (
            NormalWeights::Area,
            [0.0, 0.0, 1.0],
            false,
            -0.611448699627438,
            [0.54025174164436, 0.48512357219085, 0.280587964233573],
            [-0.0874709767248223, -0.0917909541936112, -0.216491405907834],
        ),
        (
            NormalWeights::Area,
            [0.0, 0.0, 1.0],
            true,
            -0.55470046216573,
            [0.593869300605767, 0.42662318646409, -0.0327276522909844],
            [-0.134710615880632, -0.125208328104907, -0.00968404156817524],
        ),
        (
            NormalWeights::Angle,
            [0.0593062956863934, -0.0296855724639512, 0.997798341389404],
            false,
            -0.612886128724563,
            [0.560623284700933, 0.466509939417202, 0.280661784039647],
            [-0.0134916842851213, 0.010280041926036, -0.273766156067206],
        ),
        (
            NormalWeights::Angle,
            [0.0593062956863934, -0.0296855724639512, 0.997798341389404],
            true,
            -0.557033634660137,
            [0.656015477702046, 0.348675741516357, -0.0238038582659113],
            [-0.0967371384116685, -0.0949238192573939, -0.0858786911249025],
        ),
        (
            NormalWeights::Uniform,
            [0.032140898002258, -0.016016028486917, 0.999355016751862],
            false,
            -0.616752083457785,
            [0.551342217742393, 0.474730672079659, 0.267168228598275],
            [-0.015956213770788, 0.0060481815094199, -0.302967798816156],
        ),
        (
            NormalWeights::Uniform,
            [0.032140898002258, -0.016016028486917, 0.999355016751862],
            true,
            -0.561582821691984,
            [0.602453741383556, 0.406375623160529, -0.0436345670712164],
            [-0.0722536869384102, -0.0457253220445945, -0.114156207121003],
        ),
    ];
    for (weights, normal_4, robust, value, by_x, by_4) in table {
        let mut settings = SurfaceSettings {
            samples: SampleKind::Vertices(weights),
            kernel: Kernel::Quartic,
            radius: Some(2.0),
            edges: Edges::Round,
        };
        let plain = ImplicitSurface::from_mesh(&vertices, &triangles, &settings).unwrap();
        if robust {
            settings.edges = Edges::Robust(Robust { range: 0.5 / plain.spacing(), normal: 0.8 });
        }
        let surface = ImplicitSurface::from_mesh(&vertices, &triangles, &settings).unwrap();
        assert_digits(surface.sample_normals()[4].as_slice(), &normal_4, 1e-14);
        if weights == NormalWeights::Area {
            let normal_0 = [0.998868137724438, 0.0, -0.0475651494154494];
            assert_digits(surface.sample_normals()[0].as_slice(), &normal_0, 1e-14);
        }

        let jet = evaluate(&surface, &x, Order::First);
        assert_digits(&[jet.value], &[value], 1e-13);
        assert_digits(jet.gradient[0].as_slice(), &by_x, 1e-13);
        let four = jet.vertices.iter().position(|&v| v == 4).unwrap();
        assert_digits(jet.gradient[1 + four].as_slice(), &by_4, 1e-12);
        let sum: Vector3 = jet.gradient.iter().sum();
        assert!(sum.norm() < 1e-14, "{sum}");
    }
}
