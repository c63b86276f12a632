//! A small renderer for the pictures in the docs: surfaces to SVG, farthest cell first.
//!
//! The painter's algorithm needs no pixels and no dependencies; it is right as long as cells are small
//! against the gaps between them. Light is added up linearly and encoded as sRGB at the end.

#![allow(dead_code, reason = "not every example draws everything")]

use std::fmt::Write as _;

use stiction::math::Vector3;

/// Linear red, green and blue, 0 to 1.
pub(crate) type Colour = Vector3;

/// Corners of a cell to paint, counter-clockwise from outside; the last two are equal for a triangle.
pub(crate) type Cell = [u32; 4];

/// From where a scene is seen, and where on the page it lands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// Where the eye is [m].
    pub(crate) eye: Vector3,
    /// What lands on `centre` [m].
    pub(crate) target: Vector3,
    /// Place on the page.
    pub(crate) centre: [f64; 2],
    /// Page units per metre at the distance of the target.
    pub(crate) scale: f64,
}

/// How a surface looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Closed and faceted, with the edges of its cells.
    Solid,
    /// Thin and curved, seen from both sides.
    Sheet,
}

/// Something to paint.
pub(crate) struct Surface<'a> {
    /// Positions of the vertices [m].
    pub(crate) positions: &'a [Vector3],
    /// What is between them.
    pub(crate) cells: &'a [Cell],
    /// Colour of a cell; `true` asks for the outer side.
    pub(crate) colour: &'a dyn Fn(usize, bool) -> Colour,
    /// How it looks.
    pub(crate) look: Look,
}

/// A page that fills up from back to front.
pub(crate) struct Page {
    size: [f64; 2],
    body: String,
}

impl View {
    /// Unit vectors to the right, up, and towards the eye.
    fn axes(&self) -> [Vector3; 3] {
        let back = (self.eye - self.target).normalize();
        let right = Vector3::y().cross(&back).normalize();
        [right, back.cross(&right), back]
    }

    /// Place on the page.
    fn project(&self, x: &Vector3) -> [f64; 2] {
        let [right, up, back] = self.axes();
        let arm = x - self.eye;
        let scale = self.scale * (self.eye - self.target).norm() / -arm.dot(&back);
        let [cx, cy] = self.centre;
        [cx + scale * arm.dot(&right), cy - scale * arm.dot(&up)]
    }
}

impl Page {
    /// An empty page with a soft background; sizes are in pixels.
    pub(crate) fn new(size: [f64; 2]) -> Self {
        Self { size, body: String::new() }
    }

    /// Paints a surface over what is there.
    pub(crate) fn surface(&mut self, view: &View, surface: &Surface<'_>) {
        let mut patches = match surface.look {
            Look::Solid => flat_patches(surface),
            Look::Sheet => curved_patches(surface),
        };
        for patch in &mut patches {
            let arm = view.eye - patch.corners.iter().sum::<Vector3>() / 4.0;
            (patch.distance, patch.to_eye) = (arm.norm(), arm.normalize());
        }
        if surface.look == Look::Solid {
            // Bent cells on the silhouette turn away on average, but still show a corner.
            patches.retain(|patch| patch.normal.dot(&patch.to_eye) > -0.3);
        }
        patches.sort_by(|a, b| b.distance.total_cmp(&a.distance));

        let class = if surface.look == Look::Solid { "solid" } else { "sheet" };
        let _ = writeln!(self.body, "<g class=\"{class}\">");
        for patch in &patches {
            // The facet decides on the side: averaged normals err at silhouettes.
            let outside = twice_area(&patch.corners).dot(&patch.to_eye) > 0.0;
            let normal = if outside { patch.normal } else { -patch.normal };
            let fill = lit(&(surface.colour)(patch.cell, outside), &normal, &patch.to_eye);
            let points = grown(patch.corners.map(|corner| view.project(&corner)));
            let (fill, d) = (encode(&fill), outline(&points));
            let _ = writeln!(self.body, "<path color=\"{fill}\" d=\"{d}\"/>");
        }
        self.body.push_str("</g>\n");
    }

    /// Paints the shadow that points cast straight down on the plane `y = height`: their convex hull, blurred.
    pub(crate) fn shadow(&mut self, view: &View, positions: &[Vector3], height: f64) {
        let points = positions.iter().map(|x| view.project(&Vector3::new(x.x, height, x.z)));
        let d = outline(&convex_hull(points.collect()));
        let _ = writeln!(self.body, "<path class=\"shadow\" d=\"{d}\"/>");
    }

    /// Draws a line of text; `anchor` is start, middle or end.
    pub(crate) fn text(&mut self, [x, y]: [f64; 2], size: f64, anchor: &str, text: &str) {
        let _ = writeln!(
            self.body,
            "<text x=\"{:.0}\" y=\"{:.0}\" font-size=\"{:.0}\" text-anchor=\"{anchor}\">{text}</text>",
            10.0 * x,
            10.0 * y,
            10.0 * size,
        );
    }

    /// Draws the scale of a colour ramp, with what its ends mean.
    pub(crate) fn legend(
        &mut self,
        [x, y]: [f64; 2],
        [width, height]: [f64; 2],
        colours: &[u32],
        ends: [&str; 2],
    ) {
        const STEPS: usize = 40;
        let step = 10.0 * width / STEPS as f64;
        for k in 0..STEPS {
            // A hair too wide, so that no gap shows.
            let fill = encode(&ramp(colours, (k as f64 + 0.5) / STEPS as f64));
            let _ = writeln!(
                self.body,
                "<rect x=\"{:.0}\" y=\"{:.0}\" width=\"{:.0}\" height=\"{:.0}\" fill=\"{fill}\"/>",
                10.0 * x + step * k as f64,
                10.0 * y,
                step + 5.0,
                10.0 * height,
            );
        }
        let below = y + height + 14.0;
        self.text([x, below], 12.0, "middle", ends[0]);
        self.text([x + width, below], 12.0, "middle", ends[1]);
    }

    /// The finished picture.
    pub(crate) fn finish(self) -> String {
        let [w, h] = self.size;
        // Ten units a pixel: coordinates are whole numbers, which keeps files small.
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {W} {H}\">\n\
             <defs>\n\
             <linearGradient id=\"sky\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">\
             <stop offset=\"0\" stop-color=\"#eef2f6\"/><stop offset=\".62\" stop-color=\"#f8fafb\"/>\
             <stop offset=\"1\" stop-color=\"#dde3ea\"/></linearGradient>\n\
             <filter id=\"blur\" x=\"-30%\" y=\"-60%\" width=\"160%\" height=\"220%\">\
             <feGaussianBlur stdDeviation=\"90\"/></filter>\n\
             <style>path{{fill:currentColor;stroke-linejoin:round}}\
             .solid path{{stroke:#1b2733;stroke-opacity:.15;stroke-width:4}}\
             .shadow{{color:#3a4757;opacity:.28;stroke:none;filter:url(#blur)}}\
             text{{fill:#3c4654;font-family:Helvetica,Arial,'Liberation Sans',sans-serif}}</style>\n\
             </defs>\n\
             <rect width=\"{W}\" height=\"{H}\" fill=\"url(#sky)\"/>\n{body}</svg>\n",
            W = 10.0 * w,
            H = 10.0 * h,
            body = self.body,
        )
    }
}

/// Pairs triangles across the edge that is longest in both where the rest shape is flat, so that a picture
/// shows the cells of a grid and not their diagonals.
pub(crate) fn cells(rest: &[Vector3], triangles: &[[u32; 3]]) -> Vec<Cell> {
    let at = |v: u32| rest[v as usize];
    let normal = |t: &[u32; 3]| (at(t[1]) - at(t[0])).cross(&(at(t[2]) - at(t[0]))).normalize();
    // Each triangle as (longest edge, corners from its one end to the other).
    let mut sides: Vec<([u32; 2], [u32; 3])> = Vec::with_capacity(triangles.len());
    for t in triangles {
        let rotations = [[t[0], t[1], t[2]], [t[1], t[2], t[0]], [t[2], t[0], t[1]]];
        let length = |t: &[u32; 3]| (at(t[2]) - at(t[0])).norm();
        let longest = rotations.iter().max_by(|a, b| length(a).total_cmp(&length(b)));
        let t = *longest.expect("a triangle has three rotations");
        sides.push(([t[0].min(t[2]), t[0].max(t[2])], t));
    }
    sides.sort_unstable();
    let mut cells = Vec::new();
    let mut left = &sides[..];
    while let [(edge, t), tail @ ..] = left {
        left = match tail {
            [(other, u), tail @ ..] if edge == other && normal(t).dot(&normal(u)) > 0.999 => {
                cells.push([t[0], t[1], t[2], u[1]]);
                tail
            }
            _ => {
                cells.push([t[0], t[1], t[2], t[2]]);
                tail
            }
        };
    }
    cells
}

/// A colour from the usual notation, such as `0x2a788e`.
pub(crate) fn colour(hex: u32) -> Colour {
    let channel = |shift: u32| {
        let c = f64::from((hex >> shift) & 255) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    Colour::new(channel(16), channel(8), channel(0))
}

/// Straight lines between colours that are equally far apart, for `s` from 0 to 1.
pub(crate) fn ramp(colours: &[u32], s: f64) -> Colour {
    let place = s.clamp(0.0, 1.0) * (colours.len() - 1) as f64;
    let k = (place as usize).min(colours.len() - 2);
    colour(colours[k]).lerp(&colour(colours[k + 1]), place - k as f64)
}

/// Sky light, a key light over the left shoulder, a little gloss and a bright rim.
fn lit(colour: &Colour, normal: &Vector3, to_eye: &Vector3) -> Colour {
    let key = Vector3::new(-0.45, 0.8, 0.55).normalize();
    let sky = 0.36 + 0.14 * normal.y;
    let diffuse = 0.72 * normal.dot(&key).max(0.0);
    let half = (key + to_eye).normalize();
    let gloss = 0.10 * normal.dot(&half).max(0.0).powi(24);
    let rim = (1.0 - normal.dot(to_eye).max(0.0)).powi(3);
    colour * (sky + diffuse + 0.3 * rim) + Vector3::repeat(gloss + 0.02 * rim)
}

/// sRGB, as in `#2a788e`.
fn encode(colour: &Colour) -> String {
    let channel = |c: f64| {
        let c = c.clamp(0.0, 1.0);
        let c = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
        (255.0 * c).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", channel(colour.x), channel(colour.y), channel(colour.z))
}

/// A piece of a surface to be painted in one colour.
struct Patch {
    cell: usize,
    corners: [Vector3; 4],
    /// Outward, of length one.
    normal: Vector3,
    to_eye: Vector3,
    distance: f64,
}

impl Patch {
    fn new(cell: usize, corners: [Vector3; 4], normal: Vector3) -> Self {
        let normal = normal.try_normalize(0.0).unwrap_or_else(Vector3::y);
        Self { cell, corners, normal, to_eye: normal, distance: 0.0 }
    }
}

/// A patch a cell, with its own normal.
fn flat_patches(surface: &Surface<'_>) -> Vec<Patch> {
    let corners = |cell: &Cell| cell.map(|v| surface.positions[v as usize]);
    let patch =
        |(c, cell): (usize, &Cell)| Patch::new(c, corners(cell), twice_area(&corners(cell)));
    surface.cells.iter().enumerate().map(patch).collect()
}

/// Patches lit as if the surface were smooth: cells where it bends are cut in four.
fn curved_patches(surface: &Surface<'_>) -> Vec<Patch> {
    const CUTS: usize = 2;
    const FLAT: f64 = 0.970; // cosine of fourteen degrees: smaller steps of light are hardly seen
    let x = surface.positions;
    let mut normals = vec![Vector3::zeros(); x.len()];
    for cell in surface.cells {
        let normal = twice_area(&cell.map(|v| x[v as usize]));
        cell.iter().for_each(|&v| normals[v as usize] += normal);
    }
    normals.iter_mut().for_each(|n| *n = n.try_normalize(0.0).unwrap_or_else(Vector3::y));

    let mut patches = Vec::with_capacity(surface.cells.len());
    for (c, cell) in surface.cells.iter().enumerate() {
        let (corners, normals) = (cell.map(|v| x[v as usize]), cell.map(|v| normals[v as usize]));
        let bent = normals.iter().any(|n| n.dot(&normals[0]) < FLAT || n.dot(&normals[1]) < FLAT);
        let cuts = if bent { CUTS } else { 1 };
        let blend = |values: &[Vector3; 4], i: f64, j: f64| {
            let (s, t) = (i / cuts as f64, j / cuts as f64);
            values[0].lerp(&values[1], s).lerp(&values[3].lerp(&values[2], s), t)
        };
        for k in 0..cuts * cuts {
            let (i, j) = ((k % cuts) as f64, (k / cuts) as f64);
            let places = [(i, j), (i + 1.0, j), (i + 1.0, j + 1.0), (i, j + 1.0)];
            let normal = blend(&normals, i + 0.5, j + 0.5);
            patches.push(Patch::new(c, places.map(|(i, j)| blend(&corners, i, j)), normal));
        }
    }
    patches
}

/// Twice the area of a cell, along its mean normal.
fn twice_area([a, b, c, d]: &[Vector3; 4]) -> Vector3 {
    (c - a).cross(&(d - b))
}

/// A little larger, so that the page does not shine through between neighbours.
fn grown(points: [[f64; 2]; 4]) -> [[f64; 2]; 4] {
    let mean = |axis: usize| points.iter().map(|p| p[axis]).sum::<f64>() / 4.0;
    let centre = [mean(0), mean(1)];
    points.map(|[x, y]| {
        let arm = [x - centre[0], y - centre[1]];
        let by = 1.0 + 0.5 / arm[0].hypot(arm[1]).max(0.5);
        [centre[0] + by * arm[0], centre[1] + by * arm[1]]
    })
}

/// A closed path in tenths of a pixel: from the first point on, only differences.
fn outline(points: &[[f64; 2]]) -> String {
    let mut places: Vec<[i64; 2]> =
        points.iter().map(|point| point.map(|c| (10.0 * c).round() as i64)).collect();
    places.dedup();
    let mut path = format!("M{} {}", places[0][0], places[0][1]);
    for (k, pair) in places.windows(2).enumerate() {
        let [dx, dy] = [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]];
        let [before_x, before_y] = [dx, dy].map(|d| if d < 0 { "" } else { " " });
        let _ = write!(path, "{}{dx}{before_y}{dy}", if k == 0 { "l" } else { before_x });
    }
    path.push('z');
    path
}

/// Corners of the smallest convex polygon around points.
fn convex_hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let mut hull: Vec<[f64; 2]> = Vec::new();
    let mut half = |points: &mut dyn Iterator<Item = &[f64; 2]>| {
        let start = hull.len();
        for &p in points {
            while let [.., a, b] = hull[start..] {
                if (b[0] - a[0]) * (p[1] - a[1]) > (b[1] - a[1]) * (p[0] - a[0]) {
                    break;
                }
                hull.pop();
            }
            hull.push(p);
        }
        hull.pop();
    };
    half(&mut points.iter());
    half(&mut points.iter().rev());
    hull
}
