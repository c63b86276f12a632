//! What is too near in the material to touch, and what is near otherwise: kin, offenders, sheets.

use std::f64::consts::{PI, SQRT_2};

use stiction::contact::kin::{ContactSurface, Kin, Offender, RestShape};
use stiction::contact::sheets::{Sheet, holding, sheets};
use stiction::geometry::features::Surface;
use stiction::math::Vector3;
use stiction::mesh::generate::{
    CuboidSplit, Diagonals, ball, cuboid, cylinder, sheet, sleeve, unstructured_sheet,
};
use stiction::mesh::{Mesh, TetMesh, TriMesh, TriSoup};

/// A mesh at rest, and what of it can touch.
struct Shape {
    edges: Vec<[u32; 2]>,
    rest: Vec<Vector3>,
    nodes: Vec<u32>,
    /// Vertices of the surface.
    own: Vec<u32>,
    surface: Surface,
    is_solid: bool,
}

impl Shape {
    fn cloth(mesh: &TriMesh) -> Self {
        let own: Vec<u32> = (0..mesh.vertex_count() as u32).collect();
        Self {
            edges: mesh.edges(),
            rest: mesh.vertices().to_vec(),
            nodes: own.clone(),
            own,
            surface: Surface::new(mesh),
            is_solid: false,
        }
    }

    fn solid(mesh: &TetMesh) -> Self {
        let boundary = mesh.boundary();
        Self {
            edges: mesh.edges(),
            rest: mesh.vertices().to_vec(),
            nodes: (0..mesh.vertex_count() as u32).collect(),
            own: boundary.vertices.clone(),
            surface: Surface::new(&boundary.surface),
            is_solid: true,
        }
    }

    fn at_rest(&self, radius: f64) -> RestShape<'_> {
        RestShape {
            edges: &self.edges,
            positions: &self.rest,
            nodes: &self.nodes,
            surface: &self.own,
            radius,
        }
    }

    fn kin(&self, radius: f64) -> Kin {
        Kin::new(&[self.at_rest(radius)], self.nodes.len())
    }

    /// What is nearer than the layer, with kin of twice that.
    fn offenders(&self, layer: f64) -> Vec<Offender> {
        self.offenders_of(&self.kin(2.0 * layer), layer)
    }

    fn offenders_of(&self, kin: &Kin, layer: f64) -> Vec<Offender> {
        let nodes: Vec<u32> = self.own.iter().map(|&v| self.nodes[v as usize]).collect();
        let x: Vec<Vector3> = self.own.iter().map(|&v| self.rest[v as usize]).collect();
        let (surface, has_inside) = (&self.surface, self.is_solid);
        let surface = ContactSurface { surface, positions: &x, nodes: &nodes, has_inside };
        kin.offenders(&surface, layer).unwrap()
    }
}

/// A strip of `length` and `width` wound up: radius grows by `pitch` each turn.
fn rolled(length: f64, width: f64, cells: [usize; 2], inner: f64, pitch: f64) -> TriMesh {
    let flat = sheet([length, width], cells, Diagonals::Alternating).unwrap();
    let grow = pitch / (2.0 * PI);
    let wound = |x: &Vector3| {
        let along = x.x + 0.5 * length;
        // Arc length of an Archimedean spiral, to first order in its growth.
        let angle = ((inner * inner + 2.0 * grow * along).sqrt() - inner) / grow;
        let r = inner + grow * angle;
        Vector3::new(r * angle.cos(), r * angle.sin(), x.y)
    };
    let vertices = flat.vertices().iter().map(wound).collect();
    TriSoup::new(vertices, flat.triangles().to_vec()).build_cloth().unwrap()
}

#[test]
fn nothing_touches_on_shapes_at_rest() {
    let plane = Shape::cloth(&sheet([1.0, 1.0], [12, 12], Diagonals::Regular).unwrap());
    let odd = Shape::cloth(&unstructured_sheet([1.0, 1.0], 0.09, 5).unwrap());
    let sphere = Shape::cloth(&ball(0.5, 0.12).unwrap().boundary().surface);
    let hose = Shape::cloth(&sleeve([0.05; 2], 1.0, [12, 40], Diagonals::Alternating).unwrap());
    let rope = Shape::solid(&cylinder(0.05, 1.0, 0.025).unwrap());
    let bead = Shape::solid(&ball(0.5, 0.12).unwrap());
    let cube = Shape::solid(&cuboid([1.0; 3], [8; 3], CuboidSplit::Kuhn).unwrap());
    let plate = Shape::solid(&cuboid([1.0, 1.0, 0.02], [10, 10, 1], CuboidSplit::Five).unwrap());
    // Layers below the size of elements, of their size, and above.
    for (name, shape, edge) in [
        ("plane", &plane, 1.0 / 12.0),
        ("irregular plane", &odd, 0.09),
        ("sphere", &sphere, 0.12),
        ("hose", &hose, 0.026),
        ("rope", &rope, 0.025),
        ("ball", &bead, 0.12),
        ("box", &cube, 0.125),
        ("plate", &plate, 0.1),
    ] {
        for layer in [0.01, 0.1, 0.5, 1.0, 1.6].map(|part| part * edge) {
            let found = shape.offenders(layer);
            let first = found.first();
            assert!(found.is_empty(), "{name}, layer {layer}: {} like {first:?}", found.len());
        }
    }
}

#[test]
fn rolls_touch_themselves_only_where_the_layer_is_too_thick() {
    let roll = Shape::cloth(&rolled(3.0, 0.1, [240, 4], 0.1, 0.03));
    assert_eq!(roll.offenders(0.025), []);
    let found = roll.offenders(0.035);
    assert!(found.len() > 500, "{}", found.len());
    // Turns are one above the other: the distance is their pitch, less what chords cut off.
    for offender in &found {
        let d = offender.distance;
        assert!(!offender.joined && d > 0.028 && d < 0.035, "{offender:?}");
        let along = |v: u32| f64::from(v % 241) * 3.0 / 240.0;
        let apart = (along(offender.vertices[0]) - along(offender.vertices[1])).abs();
        assert!(apart > 2.0 * PI * 0.09, "a turn apart: {apart}");
    }
    // Made kin, they offend no more.
    let kin = roll.kin(0.07).with(&found.iter().map(|o| o.nodes).collect::<Vec<_>>());
    assert_eq!(roll.offenders_of(&kin, 0.035), []);
}

/// A vertex close to the middle of the long edge opposite: far from its ends, but they share a triangle.
#[test]
fn slivers_offend_and_are_known_to_be_joined() {
    let x = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, 1e-3, 0.0], [0.5, -0.5, 0.0]];
    let x = x.map(|x: [f64; 3]| Vector3::from(x)).to_vec();
    let mesh = TriSoup::new(x, vec![[0, 1, 2], [1, 0, 3]]).build_cloth().unwrap();
    let shape = Shape::cloth(&mesh);
    let found = shape.offenders(0.01);
    assert!(!found.is_empty() && found.iter().all(|offender| offender.joined), "{found:?}");
    assert!((found[0].distance - 1e-3).abs() < 1e-12);
    let kin = shape.kin(0.02).with(&found.iter().map(|o| o.nodes).collect::<Vec<_>>());
    assert_eq!(shape.offenders_of(&kin, 0.01), []);
}

/// A bar bent into a horseshoe: its ends face each other; the two sides of a thin one do not.
#[test]
fn solids_are_near_themselves_from_outside_only() {
    let bar = cuboid([1.0, 0.1, 0.1], [40, 4, 4], CuboidSplit::Kuhn).unwrap();
    let gap = 0.04;
    let angle = 2.0 * PI * (1.0 - gap);
    let bent = |x: &Vector3| {
        let (phi, r) = (angle * x.x, 1.0 / (2.0 * PI) + x.y);
        Vector3::new(r * phi.sin(), r * phi.cos(), x.z)
    };
    let mut shape = Shape::solid(&bar);
    shape.rest = bar.vertices().iter().map(bent).collect();
    let kin = shape.kin(0.1);
    let layer = 0.06;
    let found = shape.offenders_of(&kin, layer);
    assert!(!found.is_empty());
    let x = |v: u32| bar.vertices()[shape.own[v as usize] as usize].x;
    for offender in &found {
        let [a, b] = offender.vertices.map(x);
        assert!(a.abs() > 0.44 && b.abs() > 0.44 && a * b < 0.0, "{offender:?}");
    }
    // The same surface without an inside would be near itself through it as well.
    let thin = cuboid([1.0, 1.0, 0.02], [10, 10, 1], CuboidSplit::Five).unwrap();
    let mut thin = Shape::solid(&thin);
    let alone = thin.kin(0.0);
    assert_eq!(thin.offenders_of(&alone, 0.03), []);
    thin.is_solid = false;
    assert!(!thin.offenders_of(&alone, 0.03).is_empty());
}

/// All pairs, by the shortest of all ways.
fn slow_kin<const N: usize>(mesh: &Mesh<N>, touches: &[bool], radius: f64) -> Vec<Vec<u32>> {
    let n = mesh.vertex_count();
    let mut d = vec![vec![f64::INFINITY; n]; n];
    for [a, b] in mesh.edges().into_iter().map(|edge| edge.map(|v| v as usize)) {
        d[a][b] = (mesh.vertices()[a] - mesh.vertices()[b]).norm();
        d[b][a] = d[a][b];
    }
    for k in 0..n {
        let by = d[k].clone();
        for row in &mut d {
            let to = row[k];
            row.iter_mut().zip(&by).for_each(|(x, from)| *x = x.min(to + from));
        }
    }
    let is_kin =
        |a: usize, b: usize| a == b || (touches[a] && touches[b] && d[a][b] < SQRT_2 * radius);
    (0..n).map(|a| (0..n).filter(|&b| is_kin(a, b)).map(|b| b as u32).collect()).collect()
}

#[test]
fn kin_are_those_of_the_slow_twin_both_ways_and_oneself() {
    let odd = unstructured_sheet([1.0, 1.0], 0.12, 9).unwrap();
    let solid = ball(0.5, 0.2).unwrap();
    let inner = Shape::solid(&solid);
    let mut touches = vec![false; solid.vertex_count()];
    inner.own.iter().for_each(|&v| touches[v as usize] = true);
    assert!(touches.contains(&false), "some are inside");
    let all = vec![true; odd.vertex_count()];
    for (kin, slow) in [
        (Shape::cloth(&odd).kin(0.3), slow_kin(&odd, &all, 0.3)),
        (inner.kin(0.33), slow_kin(&solid, &touches, 0.33)),
        (inner.kin(0.0), slow_kin(&solid, &touches, 0.0)),
    ] {
        assert_eq!(kin.node_count(), slow.len());
        for a in 0..slow.len() as u32 {
            assert_eq!(kin.of(a), slow[a as usize]);
            for b in 0..slow.len() as u32 {
                let known = slow[a as usize].contains(&b);
                assert_eq!([kin.are_kin(a, b), kin.are_kin(b, a)], [known; 2]);
            }
        }
    }
    let kin = Shape::cloth(&odd).kin(0.3);
    let (a, far) = (kin.of(0), (0..kin.node_count() as u32).find(|&b| !kin.are_kin(0, b)).unwrap());
    assert!(kin.any_kin(&[far, a[1]], &[0]) && !kin.any_kin(&[far], &[0]));
}

/// Two halves of a sheet, welded along a seam, are the whole sheet.
#[test]
fn welded_bodies_are_kin_across_their_seam() {
    let whole = sheet([2.0, 1.0], [12, 6], Diagonals::Regular).unwrap();
    let node_at = |x: Vector3| {
        let near = |y: &Vector3| (y - x).norm() < 1e-9;
        whole.vertices().iter().position(near).unwrap() as u32
    };
    let half = |shift: f64| {
        let mesh = sheet([1.0, 1.0], [6, 6], Diagonals::Regular).unwrap();
        let mut shape = Shape::cloth(&mesh);
        shape.rest.iter_mut().for_each(|x| x.x += shift);
        shape.nodes = shape.rest.iter().map(|&x| node_at(x)).collect();
        shape
    };
    let (left, right) = (half(-0.5), half(0.5));
    let count = whole.vertex_count();
    let kin = |radius| Kin::new(&[left.at_rest(radius), right.at_rest(radius)], count);
    let welded = kin(0.4);
    assert_eq!(welded, Shape::cloth(&whole).kin(0.4));
    // Nothing of one half is near the other and not kin; with kin of nodes alone, what is beside the seam is.
    let sides = [&left, &right].map(|half| ContactSurface {
        surface: &half.surface,
        positions: &half.rest,
        nodes: &half.nodes,
        has_inside: false,
    });
    let layer = 0.2;
    assert_eq!(welded.offenders_between(&sides[0], &sides[1], layer).unwrap(), []);
    let alone = kin(0.0);
    let found = alone.offenders_between(&sides[0], &sides[1], layer).unwrap();
    assert!(!found.is_empty() && found.iter().all(|o| o.distance < layer));
}

/// Layers of a sheet that is folded twice, above each other, are apart; within one they hang together.
#[test]
fn what_is_near_falls_into_sheets() {
    let strip = sheet([3.0, 1.0], [30, 10], Diagonals::Alternating).unwrap();
    let surface = Surface::new(&strip);
    let middle = |f: u32| {
        let corners = strip.triangles()[f as usize];
        corners.map(|v| strip.vertices()[v as usize]).iter().sum::<Vector3>() / 3.0
    };
    // In each third, what is near its middle; the thirds lie on each other.
    let near = |f: &u32| {
        let x = middle(*f);
        let folded = (x.x + 1.5).rem_euclid(1.0) - 0.5;
        folded.hypot(x.y) < 0.3
    };
    let mut candidates: Vec<u32> = (0..strip.element_count() as u32).filter(near).collect();
    let found = sheets(&candidates, &surface);
    assert_eq!(found.len(), 3);
    assert!(found.windows(2).all(|pair| pair[0].name() < pair[1].name()));
    for sheet in &found {
        assert!(sheet.faces().windows(2).all(|pair| pair[0] < pair[1]));
        let third = |f: u32| ((middle(f).x + 1.5) / 1.0).floor();
        let first = third(sheet.name());
        assert!(sheet.faces().iter().all(|&f| (third(f) - first).abs() < 1e-9));
    }
    let count: usize = found.iter().map(|sheet| sheet.faces().len()).sum();
    assert_eq!(count, candidates.len());
    // Whatever the order.
    candidates.reverse();
    candidates.extend_from_within(..7);
    assert_eq!(sheets(&candidates, &surface), found);
    // A sheet is found again by the face that held it, or one beside it.
    let face = found[1].faces()[5];
    assert_eq!(holding(&found, face, &surface), Some(1));
    let without: Vec<u32> = candidates.iter().copied().filter(|&f| f != face).collect();
    let moved = sheets(&without, &surface);
    let again = holding(&moved, face, &surface).unwrap();
    assert!(found[1].holds(moved[again].name()));
    let far = (0..strip.element_count() as u32).find(|f| middle(*f).x < -1.4).unwrap();
    assert_eq!(holding(&found, far, &surface), None);
    assert_eq!(holding(&found, u32::MAX, &surface), None);
    assert_eq!(sheets(&[], &surface), Vec::<Sheet>::new());
}

/// Faces that share a vertex alone do not hang together.
#[test]
fn corners_do_not_join_sheets() {
    let grid = sheet([2.0, 2.0], [2, 2], Diagonals::Regular).unwrap();
    let surface = Surface::new(&grid);
    // Lower left and upper right cell: they share the middle.
    let found = sheets(&[0, 1, 6, 7], &surface);
    let faces: Vec<&[u32]> = found.iter().map(Sheet::faces).collect();
    assert_eq!(faces, [&[0, 1][..], &[6, 7][..]]);
}
