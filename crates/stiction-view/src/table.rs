//! Tables of a run as columns, thinned out where there are more rows than a plot has pixels.

use serde_json::{Value, json};

/// Rows that a plot gets at most.
const MOST_ROWS: usize = 4000;

/// Columns of numbers out of CSV. A last line without its end is still being written and left out, as are columns that
/// hold text. Of long tables, every so many rows become two: the least and the largest of each column.
pub(crate) fn columns(csv: &str) -> Value {
    let complete = csv.rfind('\n').map_or("", |end| &csv[..end]);
    let mut lines = complete.lines();
    let names = cells(lines.next().unwrap_or_default());
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    for line in lines {
        let row = cells(line);
        for (k, column) in columns.iter_mut().enumerate() {
            column.push(row.get(k).and_then(|cell| cell.parse().ok()).unwrap_or(f64::NAN));
        }
    }
    let rows = columns.first().map_or(0, Vec::len);
    let bundle = rows.div_ceil(MOST_ROWS / 2);
    let thin = |column: &Vec<f64>| match rows > MOST_ROWS {
        true => column.chunks(bundle).flat_map(extremes).collect(),
        false => column.clone(),
    };
    let listed: Vec<Value> = names
        .iter()
        .zip(&columns)
        .filter(|(_, column)| rows == 0 || column.iter().any(|value| !value.is_nan()))
        .map(|(name, column)| {
            let (name, unit) = split_unit(name);
            // JSON has no NaN and no infinity; serde_json writes null.
            json!({ "name": name, "unit": unit, "values": thin(column) })
        })
        .collect();
    let bundle = if rows > MOST_ROWS { bundle } else { 1 };
    json!({ "rows": rows, "bundle": bundle, "columns": listed })
}

fn extremes(values: &[f64]) -> [f64; 2] {
    // These leave out NaN where there is another number.
    let min = values.iter().copied().fold(f64::NAN, f64::min);
    [min, values.iter().copied().fold(f64::NAN, f64::max)]
}

/// `height [m]` as name and unit.
fn split_unit(name: &str) -> (&str, &str) {
    match name.strip_suffix(']').and_then(|name| name.rsplit_once(" [")) {
        Some((name, unit)) => (name, unit),
        None => (name, ""),
    }
}

/// Cells of a line; quotes are doubled inside of quotes.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(std::mem::take(&mut cell)),
            _ => cell.push(letter),
        }
    }
    cells.push(cell);
    cells
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::columns;

    #[test]
    fn columns_have_names_units_and_numbers() {
        let csv = "step,\"a, \"\"b\"\" [m]\",word\n0,1.5,\"x,y\"\n1,NaN,z\n2,3";
        let expected = json!({ "rows": 2, "bundle": 1, "columns": [
            { "name": "step", "unit": "", "values": [0.0, 1.0] },
            { "name": "a, \"b\"", "unit": "m", "values": [1.5, null] },
        ]});
        assert_eq!(columns(csv), expected);
        assert_eq!(columns("")["rows"], 0);
    }

    #[test]
    fn a_long_table_keeps_its_peaks() {
        let rows: String =
            (0..100_000).map(|k| format!("{k},{}\n", if k == 77_777 { 9 } else { 0 })).collect();
        let table = columns(&format!("step,peak\n{rows}"));
        let values = table["columns"][1]["values"].as_array().expect("values");
        assert!(values.len() <= 4000 && values.contains(&json!(9.0)), "{}", values.len());
        assert_eq!(table["columns"][0]["values"][3999], 99_999.0);
    }
}
