//! Whether triangles on an integer grid meet, in fractions of `i128` and by another way than the library's.
//!
//! What two triangles share is convex. Its corners are corners of one in the other, places where an edge of one goes
//! through the plane of the other, and places where edges meet. Their mean lies in the relative interior of what is
//! shared; and if relative interiors of two convex sets meet, they share exactly that of the intersection. So the
//! mean tells everything.

use stiction::geometry::intersection::Meeting;

pub(crate) type Point = [i128; 3];
pub(crate) type Triangle = [Point; 3];

/// A point as a fraction: three numerators over one denominator above zero.
#[derive(Clone, Copy)]
struct Fraction {
    top: Point,
    bottom: i128,
}

fn sub(a: Point, b: Point) -> Point {
    [0, 1, 2].map(|k| a[k] - b[k])
}

fn scaled(a: Point, s: i128) -> Point {
    a.map(|x| x * s)
}

fn add(a: Point, b: Point) -> Point {
    [0, 1, 2].map(|k| a[k] + b[k])
}

fn dot(a: Point, b: Point) -> i128 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn normal(t: &Triangle) -> Point {
    cross(sub(t[1], t[0]), sub(t[2], t[0]))
}

fn has_area(t: &Triangle) -> bool {
    normal(t) != [0; 3]
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

impl Fraction {
    fn new(top: Point, bottom: i128) -> Self {
        let (top, bottom) = if bottom < 0 { (scaled(top, -1), -bottom) } else { (top, bottom) };
        let common = top.iter().fold(bottom, |g, &x| gcd(g, x)).max(1);
        Self { top: top.map(|x| x / common), bottom: bottom / common }
    }

    /// Times the denominator: from `p` to here.
    fn from(&self, p: Point) -> Point {
        sub(self.top, scaled(p, self.bottom))
    }

    /// Whether it lies in a triangle, or a segment or point that goes for one: 0 outside, 1 on its rim, 2 in its
    /// relative interior.
    fn place(&self, t: &Triangle) -> u8 {
        let n = normal(t);
        if n != [0; 3] {
            if dot(n, self.from(t[0])) != 0 {
                return 0;
            }
            let sides =
                [0, 1, 2].map(|k| dot(n, cross(sub(t[(k + 1) % 3], t[k]), self.from(t[k]))));
            let least = sides.into_iter().min().expect("three");
            return (1 + least.signum()) as u8;
        }
        let (low, high) = (*t.iter().min().expect("three"), *t.iter().max().expect("three"));
        let (along, here) = (sub(high, low), self.from(low));
        if along == [0; 3] {
            return if here == [0; 3] { 2 } else { 0 };
        }
        let (s, end) = (dot(along, here), dot(along, along) * self.bottom);
        match cross(along, here) == [0; 3] && (0..=end).contains(&s) {
            false => 0,
            true if s == 0 || s == end => 1,
            true => 2,
        }
    }
}

/// All corners of what two triangles share, and maybe other points of it.
fn shared_points(a: &Triangle, b: &Triangle) -> Vec<Fraction> {
    let mut points = Vec::new();
    for (one, other) in [(a, b), (b, a)] {
        points.extend(one.iter().map(|&x| Fraction::new(x, 1)));
        let n = normal(other);
        for k in 0..3 {
            let (p, q) = (one[k], one[(k + 1) % 3]);
            let (high, low) = (dot(n, sub(p, other[0])), dot(n, sub(q, other[0])));
            if high != low {
                points.push(Fraction::new(sub(scaled(q, high), scaled(p, low)), high - low));
            }
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            let (p, r) = (a[i], b[j]);
            let (along, other) = (sub(a[(i + 1) % 3], p), sub(b[(j + 1) % 3], r));
            let c = cross(along, other);
            let size = dot(c, c);
            if size != 0 {
                let s = dot(cross(sub(r, p), other), c);
                points.push(Fraction::new(add(scaled(p, size), scaled(along, s)), size));
            }
        }
    }
    points.retain(|x| x.place(a) > 0 && x.place(b) > 0);
    points
}

fn mean(points: &[Fraction]) -> Option<Fraction> {
    let (first, rest) = points.split_first()?;
    let sum = rest.iter().fold(*first, |sum, x| {
        let top = add(scaled(sum.top, x.bottom), scaled(x.top, sum.bottom));
        Fraction::new(top, sum.bottom * x.bottom)
    });
    Some(Fraction::new(sum.top, sum.bottom * points.len() as i128))
}

fn crosses(a: &Triangle, b: &Triangle) -> bool {
    let Some(mean) = mean(&shared_points(a, b)) else { return false };
    let goes_through = |thin: &Triangle, other: &Triangle| {
        let sides = thin.map(|x| dot(normal(other), sub(x, other[0])));
        sides.iter().any(|&s| s != 0)
    };
    mean.place(a) == 2
        && mean.place(b) == 2
        && match (has_area(a), has_area(b)) {
            (true, true) => true,
            (false, true) => goes_through(a, b),
            (true, false) => goes_through(b, a),
            (false, false) => false,
        }
}

/// How they meet; `names` are numbers of corners.
pub(crate) fn meeting(a: &Triangle, b: &Triangle, names: [[u32; 3]; 2]) -> Meeting {
    let is_shared = |name: u32, side: usize| names[1 - side].contains(&name);
    let count = names[0].iter().filter(|&&name| is_shared(name, 0)).count();
    if count < 3 && crosses(a, b) {
        return Meeting::Crossing;
    }
    // Segments and points as triangles.
    let own_parts = |t: &Triangle, side: usize| -> Vec<Triangle> {
        let own: Vec<Point> =
            (0..3).filter(|&k| !is_shared(names[side][k], side)).map(|k| t[k]).collect();
        match own[..] {
            [p, q, r] => vec![[p, q, r]],
            [p, q] => vec![[p, q, q]],
            [p] => vec![[p, p, p]],
            _ => Vec::new(),
        }
    };
    let touches = own_parts(a, 0).iter().any(|part| !shared_points(part, b).is_empty())
        || own_parts(b, 1).iter().any(|part| !shared_points(part, a).is_empty());
    if touches { Meeting::Touching } else { Meeting::Apart }
}
