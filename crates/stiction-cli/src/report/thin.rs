//! Lines of as many points as a plot has pixels, however many were measured.

/// Points in time.
pub(super) type Points = Vec<[f64; 2]>;

/// The line through points with ascending `x`, broken where `y` is not finite. Of many points between two pixels
/// the least and the largest are kept: peaks stay.
pub(super) fn thinned(x: &[f64], y: &[f64], range: [f64; 2], pixels: usize) -> Vec<Points> {
    let scale = pixels as f64 / (range[1] - range[0]);
    let pixel = |x: f64| ((x - range[0]) * scale) as usize;
    let (mut pieces, mut piece) = (Vec::new(), Points::new());
    // The points of one pixel that are on this piece: first, least, largest, last.
    let mut bundle: Option<(usize, [[f64; 2]; 4])> = None;
    for (&x, &y) in x.iter().zip(y) {
        let point = [x, y];
        if !(x.is_finite() && y.is_finite()) {
            unpack(bundle.take(), &mut piece);
            if !piece.is_empty() {
                pieces.push(std::mem::take(&mut piece));
            }
            continue;
        }
        match &mut bundle {
            Some((at, [_, least, largest, last])) if *at == pixel(x) => {
                *last = point;
                if y < least[1] {
                    *least = point;
                }
                if y > largest[1] {
                    *largest = point;
                }
            }
            _ => {
                unpack(bundle.take(), &mut piece);
                bundle = Some((pixel(x), [point; 4]));
            }
        }
    }
    unpack(bundle, &mut piece);
    if !piece.is_empty() {
        pieces.push(piece);
    }
    pieces
}

fn unpack(bundle: Option<(usize, [[f64; 2]; 4])>, piece: &mut Points) {
    let Some((_, mut points)) = bundle else { return };
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    for point in points {
        if piece.last() != Some(&point) {
            piece.push(point);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::thinned;

    #[test]
    fn a_long_line_keeps_its_peaks_and_its_ends() {
        let x: Vec<f64> = (0..100_000).map(f64::from).collect();
        let y: Vec<f64> =
            (0..100_000).map(|k| if k == 77_777 { 9.0 } else { f64::from(k % 2) }).collect();
        let lines = thinned(&x, &y, [0.0, 99_999.0], 300);
        let [line] = &lines[..] else { panic!("one piece") };
        assert!(line.len() <= 4 * 301, "{}", line.len());
        assert!(line.contains(&[77_777.0, 9.0]));
        assert_eq!((line[0], line[line.len() - 1]), ([0.0, 0.0], [99_999.0, 1.0]));
        assert!(line.is_sorted_by(|a, b| a[0] <= b[0]));
    }

    #[test]
    fn lines_break_where_there_is_no_number() {
        let y = [1.0, 2.0, f64::NAN, f64::INFINITY, 3.0, f64::NAN];
        let x = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
        let lines = thinned(&x, &y, [0.0, 5.0], 100);
        assert_eq!(lines, [vec![[0.0, 1.0], [1.0, 2.0]], vec![[4.0, 3.0]]]);
        assert!(thinned(&[], &[], [0.0, 1.0], 100).is_empty());
    }
}
