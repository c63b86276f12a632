//! The frames to export, read one by one and checked against the bodies, so that no writer has to doubt them.

use crate::frame::{BodyFrame, BodyInfo, Frame, Frames};

use super::{ExportError, ExportOptions};

/// Frames of a run that were asked for.
pub(super) struct Selection<'a> {
    run: &'a dyn Frames,
    /// Their indices in the run.
    indices: Vec<usize>,
    progress: &'a mut dyn FnMut(usize, usize),
}

impl<'a> Selection<'a> {
    pub(super) fn new(
        run: &'a dyn Frames,
        options: &ExportOptions,
        progress: &'a mut dyn FnMut(usize, usize),
    ) -> Result<Self, ExportError> {
        let frame_count = run.times().len();
        if frame_count == 0 {
            return Err(ExportError::Empty { what: "frames" });
        }
        if run.bodies().is_empty() {
            return Err(ExportError::Empty { what: "bodies" });
        }
        run.bodies().iter().try_for_each(check_corners)?;
        let end = options.last.map_or(frame_count, |last| frame_count.min(last.saturating_add(1)));
        if options.first >= end || options.stride == 0 {
            return Err(ExportError::NoneSelected { first: options.first, frame_count });
        }
        let indices = (options.first..end).step_by(options.stride).collect();
        Ok(Self { run, indices, progress })
    }

    pub(super) fn bodies(&self) -> &'a [BodyInfo] {
        self.run.bodies()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.run.bodies().iter().map(|body| body.name.as_str())
    }

    pub(super) fn len(&self) -> usize {
        self.indices.len()
    }

    /// Indices of the frames in the run.
    pub(super) fn indices(&self) -> &[usize] {
        &self.indices
    }

    /// Times of the frames [s].
    pub(super) fn times(&self) -> Vec<f64> {
        self.indices.iter().map(|&index| self.run.times()[index]).collect()
    }

    /// Hands over the frames in order: place in the selection, index in the run, frame.
    pub(super) fn for_each(
        &mut self,
        mut handle: impl FnMut(usize, usize, &Frame) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        for (place, &index) in self.indices.iter().enumerate() {
            let frame = self.run.frame(index);
            let frame = frame.map_err(|source| ExportError::Frame { frame: index, source })?;
            check(self.run.bodies(), index, &frame)?;
            handle(place, index, &frame)?;
            (self.progress)(place + 1, self.indices.len());
        }
        Ok(())
    }
}

/// Positions at a frame: where it starts, for a body that never moves.
pub(super) fn positions<'a>(body: &'a BodyInfo, frame: &'a BodyFrame) -> &'a [[f64; 3]] {
    if body.moves { &frame.positions } else { &body.start }
}

/// Refuses positions that a format of single precision cannot hold.
pub(super) fn check_finite(
    body: &BodyInfo,
    index: usize,
    positions: &[[f64; 3]],
) -> Result<(), ExportError> {
    if positions.iter().flatten().all(|&c| (c as f32).is_finite()) {
        return Ok(());
    }
    Err(ExportError::NotFinite { frame: index, body: body.name.clone() })
}

fn check_corners(body: &BodyInfo) -> Result<(), ExportError> {
    let corners = body.tets.iter().flatten().chain(body.triangles.iter().flatten());
    let vertex_count = body.start.len();
    match corners.copied().find(|&v| v as usize >= vertex_count) {
        None => Ok(()),
        Some(corner) => Err(ExportError::Corner { body: body.name.clone(), corner, vertex_count }),
    }
}

fn check(bodies: &[BodyInfo], index: usize, frame: &Frame) -> Result<(), ExportError> {
    if frame.bodies.len() != bodies.len() {
        return Err(ExportError::Mismatch {
            frame: index,
            body: bodies[0].name.clone(),
            what: "bodies".to_owned(),
            found: frame.bodies.len(),
            expected: bodies.len(),
        });
    }
    for (body, state) in bodies.iter().zip(&frame.bodies).filter(|(body, _)| body.moves) {
        let count = |what: &str, found, expected| {
            if found == expected {
                return Ok(());
            }
            let (body, what) = (body.name.clone(), what.to_owned());
            Err(ExportError::Mismatch { frame: index, body, what, found, expected })
        };
        count("positions", state.positions.len(), body.start.len())?;
        count("velocities", state.velocities.len(), body.start.len())?;
        count("fields", state.fields.len(), body.fields.len())?;
        for (info, values) in body.fields.iter().zip(&state.fields) {
            count(&format!("values of `{}`", info.name), values.len(), body.field_len(info))?;
        }
    }
    Ok(())
}
