//! Shapes and numbers for tests.

use std::f32::consts::{PI, TAU};

use stiction_render::{
    Bounds, Camera, Colour, Ground, Paint, Settings, Stage, Studio, Surface, Vec3, View,
};

/// Numbers from −1 to 1, the same every time.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u32 << 23) as f32 - 1.0
    }

    pub(crate) fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}

/// A surface of one colour.
pub(crate) fn surface(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>, colour: Colour) -> Surface {
    Surface {
        vertices,
        triangles,
        paint: Paint::Plain(colour),
        smooth: true,
        wires: false,
        casts: true,
        through: false,
    }
}

/// A ball, cut finely enough to be round.
pub(crate) fn ball(centre: Vec3, radius: f32, colour: Colour) -> Surface {
    const N: u32 = 96;
    let vertices = (0..=N)
        .flat_map(|i| (0..N).map(move |j| (i, j)))
        .map(|(i, j)| {
            let (lat, lon) = (PI * i as f32 / N as f32, TAU * j as f32 / N as f32);
            centre + Vec3::new(lat.sin() * lon.cos(), lat.cos(), lat.sin() * lon.sin()) * radius
        })
        .collect();
    let at = |i: u32, j: u32| i * N + j % N;
    let triangles = (0..N)
        .flat_map(|i| (0..N).map(move |j| (i, j)))
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)];
            [[a, b, d], [a, d, c]]
        })
        .collect();
    surface(vertices, triangles, colour)
}

/// A level square of two triangles.
pub(crate) fn square(centre: Vec3, half: f32, colour: Colour) -> Surface {
    let corner = |x: f32, z: f32| centre + Vec3::new(x, 0.0, z) * half;
    let vertices = vec![corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)];
    surface(vertices, vec![[0, 1, 2], [0, 2, 3]], colour)
}

pub(crate) const FLOOR: Ground = Ground { normal: Vec3::new(0.0, 1.0, 0.0), offset: 0.0 };

/// Looks at a point from the front.
pub(crate) fn settings(size: [usize; 2], target: Vec3, distance: f32, elevation: f32) -> Settings {
    let view = View { azimuth: 0.0, elevation, field_of_view: 30.0, up: Vec3::y() };
    Settings {
        size,
        camera: Camera::look_at(&view, &target, distance, size[0] as f32 / size[1] as f32),
        up: Vec3::y(),
        focus: Bounds::of(&[Vec3::repeat(-1.0), Vec3::repeat(1.0)]),
        studio: Studio::LIGHT,
    }
}

/// A ball over a floor.
pub(crate) fn ball_on_floor() -> Stage {
    Stage {
        surfaces: vec![ball(Vec3::new(0.0, 0.6, 0.0), 0.5, [0.7, 0.2, 0.1])],
        grounds: vec![FLOOR],
    }
}

/// Brightness of a pixel, 0 to 1.
pub(crate) fn brightness([r, g, b, _]: [u8; 4]) -> f32 {
    (f32::from(r) + f32::from(g) + f32::from(b)) / 765.0
}
