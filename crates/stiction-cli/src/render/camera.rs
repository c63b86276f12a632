//! A camera that shows what moves, all of it, over the whole run.

use stiction_render::{Bounds, Camera, Margins, Vec3, View};
use stiction_scene::frame::{BodyKind, Frame, Frames as _};
use stiction_scene::shown::Shown;

use super::options::CameraOption;
use super::show::{positions, single};

/// Frames that are looked at to know where things go.
pub(super) const SAMPLES: usize = 12;
/// More points than this say nothing new about where the edges are.
const MOST_POINTS: usize = 20_000;

/// What a picture is about, and from where it is best seen.
#[derive(Clone, Debug)]
pub(super) struct Framing {
    points: Vec<Vec3>,
    pub(super) focus: Bounds,
    view: View,
}

impl Framing {
    /// Around bodies that are not hidden, in frames of the run. Obstacles count where they are not much larger than
    /// what moves freely; planes have no end and never do.
    pub(super) fn new(
        shown: &Shown,
        frames: &[Frame],
        hidden: &[bool],
        planes: &[bool],
        up: Vec3,
    ) -> Self {
        let bodies = shown.run().bodies();
        let points = |body: usize| {
            let of_frame = |frame| positions(&bodies[body], frame, body).iter().map(single);
            let count = if bodies[body].moves { frames.len() } else { frames.len().min(1) };
            let all = frames[..count].iter().flat_map(of_frame);
            all.filter(|x| x.iter().all(|c| c.is_finite())).collect::<Vec<_>>()
        };
        let seen = (0..bodies.len()).filter(|&body| !hidden[body] && !planes[body]);
        let (obstacles, free): (Vec<usize>, Vec<usize>) =
            seen.partition(|&body| bodies[body].kind == BodyKind::Obstacle);
        let mut all: Vec<Vec3> = free.into_iter().flat_map(points).collect();
        let size = Bounds::of(&all).diagonal();
        for obstacle in obstacles {
            /// How much larger an obstacle may be.
            const LARGER: f32 = 1.5;
            let around = points(obstacle);
            if all.is_empty() || Bounds::of(&around).diagonal() < LARGER * size {
                all.extend(around);
            }
        }
        if all.is_empty() {
            all = vec![Vec3::repeat(-0.5), Vec3::repeat(0.5)];
        }
        let focus = Bounds::of(&all);
        let stride = all.len().div_ceil(MOST_POINTS);
        let points = all.into_iter().step_by(stride).collect();
        Self { view: View { up, ..best_view(&focus, &up) }, points, focus }
    }

    /// The lowest point along the vertical axis.
    pub(super) fn lowest(&self) -> f32 {
        self.points.iter().map(|x| x.dot(&self.view.up)).fold(f32::INFINITY, f32::min)
    }

    /// The camera for a picture of this shape.
    pub(super) fn camera(&self, option: &CameraOption, margins: &Margins, aspect: f32) -> Camera {
        let or = |given: Option<f64>, chosen: f32| given.map_or(chosen, |x| x as f32);
        let view = View {
            azimuth: or(option.azimuth, self.view.azimuth),
            elevation: or(option.elevation, self.view.elevation),
            field_of_view: or(option.field_of_view, self.view.field_of_view),
            up: self.view.up,
        };
        let fitted = Camera::fit(&view, &self.points, margins, aspect);
        let target = option.at.map(|at| at.cast::<f32>());
        let about = target.unwrap_or_else(|| self.focus.centre());
        let distance = option.distance.map(|x| x as f32);
        let camera = match (target, distance) {
            (None, None) => fitted,
            _ => {
                let fitted = (fitted.eye - self.focus.centre()).norm();
                Camera::look_at(&view, &about, distance.unwrap_or(fitted), aspect)
            }
        };
        option.zoom.map_or(camera, |zoom| camera.zoomed(&about, zoom as f32))
    }
}

/// From a corner, in front of the longer side; flat things more from the side that is not thin.
fn best_view(focus: &Bounds, up: &Vec3) -> View {
    /// Thinner than this share of the next longer side is flat.
    const FLAT: f32 = 0.12;
    let size = focus.max - focus.min;
    let axis = up.iamax();
    let (front, side) = if axis == 2 { (1, 0) } else { (2, if axis == 1 { 0 } else { 1 }) };
    let [height, depth, width] = [size[axis], size[front], size[side]];
    let view = View::default();
    if depth < FLAT * width.min(height) {
        View { azimuth: 20.0, elevation: 12.0, ..view }
    } else if width < FLAT * depth.min(height) {
        View { azimuth: 70.0, elevation: 12.0, ..view }
    } else if height < FLAT * width.min(depth) {
        View { elevation: 38.0, ..view }
    } else if depth > 1.3 * width {
        View { azimuth: 60.0, ..view }
    } else {
        view
    }
}
