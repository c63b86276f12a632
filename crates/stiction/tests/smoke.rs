#![allow(missing_docs, clippy::print_stdout, reason = "temporary")]
use stiction::body::*;
use stiction::mesh::*;
use stiction::step::*;
use stiction::*;
#[test]
fn smoke() {
    let mut scene = Scene::new();
    let beam = scene.add(Solid::cuboid([1.0, 0.1, 0.1], [20, 2, 2]).unwrap());
    scene.pin(
        beam,
        Selection::HalfSpace { point: [-0.5, 0.0, 0.0].into(), normal: [-1.0, 0.0, 0.0].into() },
    );
    for integ in [
        Integrator::BackwardEuler,
        Integrator::Bdf2,
        Integrator::Trapezoid,
        Integrator::TR_BDF2,
        Integrator::Sdirk2,
    ] {
        let mut sim =
            Simulation::with_settings(&scene, Settings { integrator: integ, ..Default::default() })
                .unwrap();
        let e0 = sim.energies().total();
        for k in 0..100 {
            let r = sim.step();
            if k % 25 == 0 {
                println!(
                    "{:?} it={} res={:e} sub={} {:?} E={}",
                    r.status,
                    r.iterations(),
                    r.residual(),
                    r.sub_steps,
                    r.stages[0].residuals,
                    sim.energies().total() - e0
                );
            }
        }
        println!("{integ} {:?}", sim.positions(beam).iter().map(|x| x.y).fold(0.0, f64::min));
    }
    let mut sim = Simulation::new(&scene).unwrap();
    let r = sim.settle().unwrap();
    println!("{:?}", r);
    println!("{:?}", sim.positions(beam).iter().map(|x| x.y).fold(0.0, f64::min));
    let rep: math::Vector3 = sim.reactions(beam).iter().sum();
    println!("{rep}");
    let r = sim.step();
    println!("{:?} {:e}", r, sim.energies().kinetic);
}
