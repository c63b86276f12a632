//! `stiction mesh`: info, convert, generate, tetrahedralise, quality.

use crate::common::{Folder, TWO_TETS};

/// The lines of a help text that begin with `stiction`, as arguments.
fn examples(help: &str) -> Vec<Vec<String>> {
    let words = |line: &str| line.split_whitespace().skip(1).map(str::to_owned).collect();
    help.lines().filter(|l| l.trim_start().starts_with("stiction mesh ")).map(words).collect()
}

#[test]
fn every_example_in_the_help_runs() {
    let test_files = concat!(env!("CARGO_MANIFEST_DIR"), "/../stiction-scene/tests/mesh_files/");
    let commands: [&[&str]; 7] = [
        &[],
        &["mesh"],
        &["mesh", "info"],
        &["mesh", "convert"],
        &["mesh", "generate"],
        &["mesh", "tetrahedralise"],
        &["mesh", "quality"],
    ];
    let mut count = 0;
    for command in commands {
        let folder = Folder::new();
        // The files that examples speak of.
        folder.done(&["mesh", "generate", "ball", "--radius", "0.1", "--out", "gear.msh"]);
        for (from, to) in [
            ("meshio_ascii.vtu", "gear.vtu"),
            ("trimesh.stl", "gear.stl"),
            ("trimesh.ply", "scan.ply"),
        ] {
            std::fs::copy(format!("{test_files}{from}"), folder.path().join(to))
                .expect("a test file");
        }
        for file in ["bunny.obj", "bunny.stl", "bunny.ply"] {
            folder.done(&["mesh", "convert", "gear.msh", file, "--surface"]);
        }
        let help = folder.done(&[command, &["--help"]].concat()).stdout;
        for example in examples(&help) {
            let arguments: Vec<&str> =
                example.iter().map(|a| if a == "*.stl" { "gear.stl" } else { a }).collect();
            folder.done(&arguments);
            count += 1;
        }
    }
    assert!(count >= 25, "only {count} examples were found");
}

#[test]
fn info_measures_the_unit_tets() {
    let folder = Folder::new();
    folder.write("two.msh", TWO_TETS);
    let events = folder.done(&["mesh", "info", "two.msh", "--json"]).events();
    let info = &events[0];
    assert_eq!(info["event"], "mesh-info");
    assert_eq!(info["format"], "Gmsh");
    assert_eq!((info["vertices"].as_u64(), info["tets"].as_u64()), (Some(6), Some(2)));
    // A corner of the unit cube and the regular tet in it: 1/6 + 1/3.
    let volume = info["solid"]["volume"].as_f64().expect("a volume");
    assert!((volume - 0.5).abs() < 1e-12, "{volume}");
    assert_eq!(info["solid"]["surface_triangles"], 6);
    assert_eq!(info["solid"]["pieces"], 1);
    assert_eq!(info["bounds"]["max"][0], 9.0);
    assert_eq!(info["groups"][0]["name"], "clay");
    let best = info["solid"]["quality"]["mean_ratio"]["max"].as_f64().expect("a number");
    assert!((best - 1.0).abs() < 1e-12, "the tet between cube corners is regular: {best}");
}

#[test]
fn info_names_problems_and_remedies() {
    let folder = Folder::new();
    folder.write("two.msh", TWO_TETS);
    let text = folder.done(&["mesh", "info", "two.msh"]).stdout;
    assert!(text.contains("1 vertex in no tet: 5"), "{text}");
    assert!(text.contains("help: they are left out on reading"), "{text}");

    folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 4\nf 1 2 4\n");
    let text = folder.done(&["mesh", "info", "flat.obj"]).stdout;
    assert!(text.contains("refused: 1 triangle without area: 0"), "{text}");
    assert!(text.contains("refused: 1 duplicate triangle: 2 repeats 1"), "{text}");
    assert!(text.contains("mesh convert flat.obj repaired.msh --repair"), "{text}");
}

#[test]
fn info_tells_open_from_closed_and_outward_from_inward() {
    let folder = Folder::new();
    let tet = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    folder.write("outward.obj", &format!("{tet}f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"));
    folder.write("inward.obj", &format!("{tet}f 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n"));
    folder.write("clash.obj", &format!("{tet}f 1 2 3\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"));
    folder.write("open.obj", &format!("{tet}f 1 3 2\nf 1 2 4\nf 2 3 4\n"));
    let text = |name: &str| folder.done(&["mesh", "info", name]).stdout;
    assert!(text("outward.obj").contains("normals outward"));
    assert!(text("inward.obj").contains("normals inward"));
    assert!(text("clash.obj").contains("neighbours disagree"));
    assert!(text("open.obj").contains("3 edges: the surface is open"));
    assert!(text("outward.obj").contains("No problems found"));
}

#[test]
fn info_reads_on_after_a_file_that_fails() {
    let folder = Folder::new();
    folder.write("two.msh", TWO_TETS);
    folder.write("cut.msh", &TWO_TETS[..120]);
    let ran = folder.run(&["mesh", "info", "cut.msh", "two.msh"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("error: cut.msh:"), "{}", ran.stderr);
    assert!(ran.stdout.contains("two.msh"), "{}", ran.stdout);
}

#[test]
fn every_shape_comes_out_with_its_volume_or_area() {
    use std::f64::consts::PI;
    let folder = Folder::new();
    let shapes: [(&[&str], &str, f64); 15] = [
        (&["box", "--size", "0.2,0.1,0.1"], "volume", 0.002),
        (&["ball", "--radius", "1"], "volume", 4.0 / 3.0 * PI),
        (
            &["hollow-ball", "--inner-radius", "0.5", "--outer-radius", "1"],
            "volume",
            3.5 / 3.0 * PI,
        ),
        (&["cylinder", "--radius", "1", "--length", "2"], "volume", 2.0 * PI),
        (
            &["tube", "--inner-radius", "0.5", "--outer-radius", "1", "--length", "2"],
            "volume",
            1.5 * PI,
        ),
        (&["capsule", "--radius", "1", "--length", "2"], "volume", 10.0 / 3.0 * PI),
        (&["torus", "--ring-radius", "2", "--tube-radius", "0.5"], "volume", PI * PI),
        (&["layered-ball", "--radii", "0.5,0.7,1", "--cells", "8"], "volume", 3.5 / 3.0 * PI),
        (&["bowl", "--inner-radius", "0.5", "--outer-radius", "1"], "volume", 1.75 / 3.0 * PI),
        (
            &[
                "belt",
                "--radii",
                "1",
                "--distance",
                "4",
                "--thickness",
                "0.1",
                "--width",
                "1",
                "--cells",
                "48,1,4",
            ],
            "volume",
            0.1 * (8.0 + 2.1 * PI),
        ),
        (&["sleeve", "--radii", "1", "--length", "2", "--cells", "24,8"], "area", 4.0 * PI),
        (
            // Pappus: the length of the section, which has round ends, times the way of its middle.
            &[
                "tyre",
                "--rim-radius",
                "0.5",
                "--outer-radius",
                "1",
                "--width",
                "0.4",
                "--rounding",
                "0.2",
                "--cells",
                "32,16",
            ],
            "area",
            2.0 * PI * 0.75 * (0.4 * PI + 0.2),
        ),
        (&["sheet", "--size", "2,3"], "area", 6.0),
        (&["unstructured-sheet", "--size", "2"], "area", 4.0),
        (&["disk", "--radius", "1"], "area", PI),
    ];
    for (shape, measure, exact) in shapes {
        folder.done(&[&["mesh", "generate"], shape, &["--force", "--out", "shape.msh"]].concat());
        let info = folder.done(&["mesh", "info", "shape.msh", "--json"]).events().remove(0);
        let part = if measure == "volume" { "solid" } else { "surface" };
        let value = info[part][measure].as_f64().expect("a measure");
        // Flat facets cut a little off round shapes: a tenth at these coarse defaults.
        assert!((value / exact - 1.0).abs() < 0.1, "{shape:?}: {value} instead of {exact}");
        assert_eq!(
            info["problems"].as_array().map(Vec::len),
            Some(0),
            "{shape:?}: {}",
            info["problems"]
        );
        assert!(
            info["groups"].as_array().is_some_and(|g| !g.is_empty()),
            "{shape:?} lost its groups"
        );
    }
    let top = ["--radii", "0.2", "--length", "0.5", "--cells", "32,12", "--strap-cells", "3"];
    folder.done(&[&["mesh", "generate", "tank-top"][..], &top, &["--out", "top.obj"]].concat());
    let info = folder.done(&["mesh", "info", "top.obj", "--json"]).events().remove(0);
    let area = info["surface"]["area"].as_f64().expect("an area");
    assert!(area > 0.99 * 0.2 * PI && area < 1.5 * 0.2 * PI, "straps more than a sleeve: {area}");
}

#[test]
fn generating_refuses_what_makes_no_sense() {
    let folder = Folder::new();
    let refused = |arguments: &[&str], wanted: &str| {
        let ran = folder.run(&[&["mesh", "generate"], arguments, &["--out", "a.msh"]].concat());
        assert_eq!(ran.code, 1, "{arguments:?}");
        assert!(ran.stderr.contains(wanted), "{}", ran.stderr);
        assert!(ran.stderr.contains("\n  help: "), "{}", ran.stderr);
    };
    refused(&["ball", "--radius=-1"], "--radius is -1");
    refused(&["ball", "--radius", "1", "--edge-length", "1e-9"], "--edge-length");
    refused(&["box", "--size", "1,2"], "--size has 2 values");
    refused(&["box", "--size", "1", "--cells", "0"], "--cells");
    refused(&["box", "--size", "1", "--edge-length", "nan"], "--edge-length is NaN");
    refused(
        &["tube", "--inner-radius", "2", "--outer-radius", "1", "--length", "1", "-e", "0.1"],
        "--inner-radius",
    );
    assert!(!folder.path().join("a.msh").exists());
}

#[test]
fn converting_scales_skins_and_repairs() {
    let folder = Folder::new();
    folder.write("two.msh", TWO_TETS);
    let info = |name: &str| folder.done(&["mesh", "info", name, "--json"]).events().remove(0);

    folder.done(&["mesh", "convert", "two.msh", "scaled.msh", "--scale", "0.1"]);
    let volume = info("scaled.msh")["solid"]["volume"].as_f64().expect("a volume");
    assert!((volume - 0.5e-3).abs() < 1e-15, "{volume}");
    assert_eq!(info("scaled.msh")["groups"][0]["name"], "clay");

    folder.done(&["mesh", "convert", "two.msh", "skin.msh", "--surface"]);
    let skin = info("skin.msh");
    assert_eq!((skin["tets"].as_u64(), skin["triangles"].as_u64()), (Some(0), Some(6)));
    assert_eq!(skin["surface"]["closed"], true);

    folder.done(&["mesh", "convert", "two.msh", "repaired.msh", "--repair"]);
    assert_eq!(info("repaired.msh")["problems"].as_array().map(Vec::len), Some(0));

    // Two triangles that share an edge only after welding, and one that welding flattens.
    folder.write(
        "apart.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 1e-9\nv 0 1 1e-9\nv 1 1 0\nf 1 2 3\nf 4 6 5\nf 2 4 6\n",
    );
    let ran =
        folder.done(&["mesh", "convert", "apart.obj", "welded.msh", "--weld", "1e-6", "--repair"]);
    assert!(ran.stderr.contains("merged 2 vertices"), "{}", ran.stderr);
    assert!(ran.stderr.contains("dropped 1 element "), "{}", ran.stderr);
    let welded = info("welded.msh");
    assert_eq!((welded["vertices"].as_u64(), welded["triangles"].as_u64()), (Some(4), Some(2)));
    assert_eq!(welded["problems"].as_array().map(Vec::len), Some(0), "{}", welded["problems"]);
}

#[test]
fn every_format_is_written_and_read_back() {
    let folder = Folder::new();
    folder.write("two.msh", TWO_TETS);
    let info = |name: &str| folder.done(&["mesh", "info", name, "--json"]).events().remove(0);
    for solid in ["a.msh", "a.vtk", "a.vtu", "a.node"] {
        folder.done(&["mesh", "convert", "two.msh", solid]);
        let volume = info(solid)["solid"]["volume"].as_f64().expect("a volume");
        assert!((volume - 0.5).abs() < 1e-12, "{solid}: {volume}");
    }
    for surface in ["a.obj", "a.stl", "a.ply"] {
        let ran = folder.done(&["mesh", "convert", "two.msh", surface]);
        assert!(ran.stdout.contains("wrote 5 vertices, 6 triangles"), "{}", ran.stdout);
        assert!(ran.stderr.contains("tet group `clay`"), "what is lost is told: {}", ran.stderr);
        let volume = info(surface)["surface"]["enclosed_volume"].as_f64().expect("a volume");
        assert!((volume - 0.5).abs() < 1e-6, "{surface}: {volume}");
    }
    let head = |name: &str| String::from_utf8_lossy(&folder.read(name)[..40]).into_owned();
    for (format, wanted) in [
        ("msh", "4.1 1 8"),
        ("msh-text", "4.1 0 8"),
        ("msh22", "2.2 1 8"),
        ("msh22-text", "2.2 0 8"),
    ] {
        folder.done(&["mesh", "convert", "two.msh", "b", "--force", "--format", format]);
        assert!(head("b").contains(wanted), "{format}: {}", head("b"));
    }
}

#[test]
fn converting_says_why_it_cannot() {
    let folder = Folder::new();
    folder.write("two.msh", TWO_TETS);
    let refused = |arguments: &[&str], wanted: &str| {
        let ran = folder.run(&[&["mesh", "convert"], arguments].concat());
        assert_eq!(ran.code, 1, "{arguments:?}");
        assert!(ran.stderr.contains(wanted), "{}", ran.stderr);
    };
    refused(&["two.msh", "out.xyz"], "not a format we write");
    refused(&["two.msh", "two.msh/out.msh"], "cannot write");
    refused(&["two.msh", "two.msh"], "two.msh exists\n  help: ");
    assert_eq!(folder.read("two.msh"), TWO_TETS.as_bytes(), "still the same");
    refused(&["two.msh", "out.msh", "--scale", "0"], "--scale is 0");
    refused(&["two.msh", "out.msh", "--weld", "nan"], "--weld is NaN");
    refused(&["absent.obj", "out.msh"], "absent.obj: cannot read");
}

/// A box of 2 × 1 × 1 m, without its first `missing` triangles.
fn box_surface(missing: usize) -> String {
    let mut text = String::new();
    for [x, y, z] in
        [[0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0], [0, 0, 1], [2, 0, 1], [2, 1, 1], [0, 1, 1]]
    {
        text += &format!("v {x} {y} {z}\n");
    }
    let sides = ["1 4 3 2", "5 6 7 8", "1 2 6 5", "2 3 7 6", "3 4 8 7", "4 1 5 8"];
    let quads = sides.iter().map(|side| side.split(' ').collect::<Vec<_>>());
    let triangles =
        quads.flat_map(|q| [[q[0], q[1], q[2]].join(" "), [q[0], q[2], q[3]].join(" ")]);
    triangles.skip(missing).for_each(|corners| text += &format!("f {corners}\n"));
    text
}

#[test]
fn a_surface_is_filled_with_tets_and_judged() {
    let folder = Folder::new();
    folder.write("box.obj", &box_surface(0));
    let fill = ["mesh", "tetrahedralise", "box.obj", "--resolution", "10", "--out", "box.msh"];
    let text = folder.done(&fill).stdout;
    for words in ["tets", "smallest angle", "% of that inside the surface", "edges", "filled in"] {
        assert!(text.contains(words), "no `{words}` in:\n{text}");
    }
    let events = folder.done(&[&fill[..], &["--force", "--json"]].concat()).events();
    let filled = events.iter().find(|event| event["event"] == "mesh-filled").expect("an event");
    assert!(filled["volume_error"].as_f64().expect("a number").abs() < 0.01, "{filled}");
    assert!(filled["smallest_angle"].as_f64().expect("a number") > 10.0, "{filled}");
    // A quarter of an edge: some of the sharp edge is still cut off.
    assert!(filled["hausdorff"].as_f64().expect("a number") < 0.05, "{filled}");
    let info = folder.done(&["mesh", "info", "box.msh", "--json"]).events();
    assert!((info[0]["solid"]["volume"].as_f64().expect("a volume") - 2.0).abs() < 0.02);
    // Lengths, not counts, when asked for.
    folder.write("small.obj", &box_surface(0));
    let long =
        ["mesh", "tetrahedralise", "small.obj", "--edge-length", "0.5", "--out", "small.msh"];
    folder.done(&long);
}

#[test]
fn filling_says_why_it_cannot_and_what_it_repaired() {
    let folder = Folder::new();
    folder.write("open.obj", &box_surface(2));
    folder.write("box.obj", &box_surface(0));
    let fill = |file: &str, more: &[&str]| {
        folder
            .run(&[&["mesh", "tetrahedralise", file, "--out", "out.msh", "--force"], more].concat())
    };
    let open = fill("open.obj", &[]).stderr;
    assert!(open.contains("open.obj: the surface is open") && open.contains("help:"), "{open}");
    assert!(open.contains("near (1.0"), "{open}");
    let coarse = fill("box.obj", &["--edge-length", "9"]).stderr;
    assert!(coarse.contains("too long for any tet") && coarse.contains("help:"), "{coarse}");
    for wrong in [["--resolution", "0"], ["--scale", "0"], ["--sharp", "0"], ["--edge-length", "0"]]
    {
        let text = fill("box.obj", &wrong).stderr;
        assert!(text.contains("help:"), "{text}");
    }
    let whole = box_surface(0);
    let inside_out = whole.lines().map(|line| match line.strip_prefix("f ") {
        Some(corners) => format!("f {}\n", corners.split(' ').rev().collect::<Vec<_>>().join(" ")),
        None => format!("{line}\n"),
    });
    folder.write("inside-out.obj", &inside_out.collect::<String>());
    let repaired = fill("inside-out.obj", &["--resolution", "6"]).stderr;
    assert!(repaired.contains("inside-out.obj: turned inside out"), "{repaired}");
}

#[test]
fn pictures_are_whole_and_show_the_mesh() {
    let folder = Folder::new();
    folder.done(&[
        "mesh",
        "generate",
        "torus",
        "--ring-radius",
        "0.1",
        "--tube-radius",
        "0.03",
        "--out",
        "a <&> b.msh",
    ]);
    folder.done(&["mesh", "quality", "a <&> b.msh", "--picture", "torus.svg"]);
    let svg = String::from_utf8(folder.read("torus.svg")).expect("SVG is text");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("a &lt;&amp;&gt; b.msh"), "names are escaped");
    for wanted in ["Mean ratio", "dihedral angle", "Edge length", "data:image/png;base64,"] {
        assert!(svg.contains(wanted), "no `{wanted}`");
    }

    folder.done(&["mesh", "quality", "a <&> b.msh", "--picture", "torus.png"]);
    let picture = tiny_skia::Pixmap::decode_png(&folder.read("torus.png")).expect("a PNG");
    assert_eq!((picture.width(), picture.height()), (2400, 1440));
    let color = |x: u32, y: u32| {
        let c = picture.pixel(x, y).expect("inside").demultiply();
        [c.red(), c.green(), c.blue()]
    };
    assert_eq!(color(2, 2), [255, 255, 255], "paper in the corner");
    let panel = color(70, 180);
    let covered = (0..1380 * 1112_u32)
        .filter(|k| color(60 + k % 1380, 168 + k / 1380) != panel)
        .count() as f64
        / (1380.0 * 1112.0);
    assert!((0.2..0.8).contains(&covered), "the torus covers {covered:.2} of its panel");
}

#[test]
fn quality_is_the_same_for_any_number_of_threads() {
    let folder = Folder::new();
    folder.done(&["mesh", "generate", "ball", "--radius", "1", "--out", "ball.msh"]);
    let json = |threads: &str| {
        folder.done(&["mesh", "quality", "ball.msh", "--json", "--threads", threads]).stdout
    };
    assert_eq!(json("1"), json("2"));
    assert!(json("1").contains("\"event\":\"mesh-quality\""));
}

#[test]
fn a_broken_mesh_is_sent_to_info() {
    let folder = Folder::new();
    folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    let ran = folder.run(&["mesh", "quality", "flat.obj"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("help: `stiction mesh info flat.obj`"), "{}", ran.stderr);
}

#[test]
fn quiet_leaves_notes_out_but_not_the_answer() {
    let folder = Folder::new();
    folder.write("two.msh", TWO_TETS);
    let ran = folder.done(&["mesh", "quality", "two.msh", "--picture", "a.svg", "--quiet"]);
    assert_eq!(ran.stderr, "");
    assert!(ran.stdout.contains("mean ratio"), "{}", ran.stdout);
}
