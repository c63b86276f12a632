//! Tables of a run as columns, thinned out where there are more rows than a plot has pixels.

use serde_json::{Value, json};
use stiction_scene::run::{Column, Columns};

/// Rows that a plot gets at most.
const MOST_ROWS: usize = 4000;

/// Columns of numbers out of CSV. Columns that hold text are left out. Of long tables, every so many rows become two:
/// the least and the largest of each column.
pub(crate) fn columns(csv: &str) -> Value {
    let table = Columns::parse(csv);
    let rows = table.rows();
    let bundle = rows.div_ceil(MOST_ROWS / 2);
    let thin = |numbers: &Vec<f64>| match rows > MOST_ROWS {
        true => numbers.chunks(bundle).flat_map(extremes).collect(),
        false => numbers.clone(),
    };
    let has_numbers =
        |column: &&Column| rows == 0 || column.numbers.iter().any(|value| !value.is_nan());
    let listed = table.0.iter().filter(has_numbers).map(|column| {
        // JSON has no NaN and no infinity; serde_json writes null.
        json!({ "name": column.name, "unit": column.unit, "values": thin(&column.numbers) })
    });
    let bundle = if rows > MOST_ROWS { bundle } else { 1 };
    json!({ "rows": rows, "bundle": bundle, "columns": listed.collect::<Vec<_>>() })
}

fn extremes(values: &[f64]) -> [f64; 2] {
    // These leave out NaN where there is another number.
    let min = values.iter().copied().fold(f64::NAN, f64::min);
    [min, values.iter().copied().fold(f64::NAN, f64::max)]
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
