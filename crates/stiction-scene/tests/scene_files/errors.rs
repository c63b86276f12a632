//! Every kind of mistake in a scene file gives its message, at its line and column, with its remedy, and nothing else.

use std::path::PathBuf;

use stiction_scene::scene_file::{Notation, SceneFile, SceneFileError, Wishes};

/// A sound body, for mistakes elsewhere. In scenes below `@` stands for it, and `«` for where the mistake must be seen.
const BAR: &str =
    "[[body]]\nname = \"bar\"\nsolid = { box = { size = [1, 1, 1], cells = [1, 1, 1] } }\n";

/// A probe, for mistakes in expectations: `%`.
const PROBE: &str = "[[probe]]\nname = \"mass\"\nquantity = \"volume\"\nbody = \"bar\"\n";

fn errors(text: &str, notation: Notation, wishes: &Wishes) -> SceneFileError {
    let read = SceneFile::parse("scene", text, notation, Some(PathBuf::from("/")), wishes);
    read.and_then(|scene| scene.build()).map(drop).expect_err(text)
}

/// File, line, column, message and help of every problem.
fn found(error: &SceneFileError) -> Vec<(String, String, String)> {
    let one = |problem: &stiction_scene::scene_file::Problem| {
        let place = error.place(problem);
        let place = place.map(|(file, line, column)| format!("{file}:{line}:{column}"));
        let help = problem.help.clone().unwrap_or_default();
        (place.unwrap_or_default(), problem.message.clone(), help)
    };
    error.problems().iter().map(one).collect()
}

/// The text without its mark, and where the mark was.
fn marked(text: &str) -> (String, String) {
    let text = text.replace('@', BAR).replace('%', PROBE);
    let (before, after) = text.split_once('«').expect("a mark");
    let line = before.matches('\n').count() + 1;
    let column = before.lines().last().filter(|_| !before.ends_with('\n')).unwrap_or_default();
    (format!("{before}{after}"), format!("scene:{line}:{}", column.chars().count() + 1))
}

#[track_caller]
fn assert_one(text: &str, notation: Notation, message: &str, help: &str) {
    let (text, place) = marked(text);
    let error = errors(&text, notation, &Wishes::default());
    let found = found(&error);
    assert_eq!(found.len(), 1, "{text}\n{error}");
    assert_eq!(found[0].0, place, "{text}\n{error}");
    assert!(found[0].1.contains(message), "{text}\n{error}\nnot: {message}");
    assert!(found[0].2.contains(help), "{text}\n{error}\nnot: {help}");
}

#[test]
fn what_means_nothing_for_a_surface_is_seen() {
    let cases = [
        ("@surface = «{ normals = \"angle\" }", "`normals` is for `samples = \"vertices\"`"),
        ("@surface = «{ epsilon = 0.1 }", "`epsilon` is for the kernels"),
        ("@surface = «{ range = 0.1 }", "`range` is for `edges = \"robust\"`"),
        ("@surface = «{ normal_range = 0.1 }", "`normal_range` is for `edges = \"robust\"`"),
        ("@surface = «{ edges = \"round\", degrees = 3 }", "`degrees` is for `edges = \"sharp\"`"),
        ("@surface = «{ rounding = 0.1 }", "`rounding` is for `edges = \"sharp\"`"),
        (
            "@[[body]]\nobstacle = { plane = {} }\nsurface = «{ radius = 1 }",
            "`surface` means nothing for an exact shape",
        ),
    ];
    for (text, message) in cases {
        assert_one(text, Notation::Toml, message, "leave it out");
    }
    let degrees = "@surface = { edges = \"sharp\", degrees = «180 }";
    assert_one(degrees, Notation::Toml, "no faces turn by so many", "such as 45");
}

#[test]
fn an_unknown_key_is_seen_at_every_level_and_a_known_one_proposed() {
    let cases = [
        ("«duratoin = 1\n@", "a scene has no key `duratoin`", "did you mean `duration`?"),
        ("@«materail = \"rubber\"", "a body has no key `materail`", "did you mean `material`?"),
        ("@material = { «densty = 3 }", "a material has no key `densty`", "`density`"),
        ("@material = { damping = { «mas = 3 } }", "damping has no key `mas`", "`mass`"),
        (
            "@place = { «mvoe = [0, 0, 0] }",
            "a placement has no key `mvoe`",
            "known: scale, rotate, move",
        ),
        (
            "@place = { rotate = { axis = \"x\", degrees = 1, «center = 1 } }",
            "a rotation has no key",
            "known: axis, degrees",
        ),
        (
            "[[body]]\nsolid = { «bx = { size = [1, 1, 1] } }",
            "the shape of a solid has no key `bx`",
            "did you mean `box`?",
        ),
        (
            "[[body]]\nsolid = { box = { «sizes = [1, 1, 1], size = [1, 1, 1] } }",
            "a box has no key `sizes`",
            "`size`",
        ),
        (
            "@[[pin]]\nbody = \"bar\"\n«were = \"x-min\"",
            "a pin has no key `were`",
            "did you mean `where`?",
        ),
        (
            "@[[pin]]\nbody = \"bar\"\nwhere = { «sphre = { center = [0, 0, 0], radius = 1 } }",
            "a selection of vertices has no key `sphre`",
            "`sphere`",
        ),
        (
            "@[[pin]]\nbody = \"bar\"\nmotion = { «velocty = [0, 0, 0] }",
            "a motion has no key `velocty`",
            "`velocity`",
        ),
        (
            "@[[pin]]\nbody = \"bar\"\nmotion = { keyframes = { frames = [{ «tme = 1, time = 0 }] } }",
            "a keyframe has no key `tme`",
            "`time`",
        ),
        (
            "@[[load]]\nbody = \"bar\"\nforce = [0, 0, 0]\n«wher = \"all\"",
            "a load has no key `wher`",
            "`where`",
        ),
        (
            "@[[zone]]\nbody = \"bar\"\n«modle = \"quadratic\"",
            "a zone has no key `modle`",
            "did you mean `model`?",
        ),
        (
            "@[[spring]]\nfrom = { «piont = 1, point = [0, 0, 0] }\nto = { point = [0, 0, 1] }\nstiffness = 1",
            "an end of a spring has no key `piont`",
            "`point`",
        ),
        ("@[[weld]]\nbody = \"bar\"\nto = \"bar\"\n«tol = 1", "a weld has no key `tol`", "known: "),
        ("@[[friction]]\ncoefficient = 1\n«mu = 1", "friction has no key `mu`", "known: "),
        (
            "@[[body]]\nname = \"sky\"\nobstacle = { plane = { normal = \"y\" } }\n[[contact]]\nbetween = [\"bar\", \
             \"sky\"]\n«thikness = 1",
            "a contact has no key `thikness`",
            "did you mean `thickness`?",
        ),
        (
            "@[method.smooth.contact]\n«lwa = \"exact\"",
            "contact of the smooth method has no key `lwa`",
            "did you mean `law`?",
        ),
        ("@[method.«smoth]\ntime_step = 1", "a method has no key `smoth`", "`smooth`"),
        (
            "@[method.smooth]\n«timestep = 1",
            "the smooth method has no key `timestep`",
            "`time_step`",
        ),
        ("@[output]\n«rate = 1", "output has no key `rate`", "frame_rate"),
        (
            "@%[[probe]]\nname = \"a\"\nquantity = \"momentum\"\n«abuot = [0, 0, 0]",
            "a probe has no key `abuot`",
            "`about`",
        ),
        (
            "@%[[expect]]\nprobe = \"mass\"\nvalue = 1\ntolerance = 1\nkind = \"theory\"\nsource = \"\"\n«wehn = 1",
            "an expectation has no key `wehn`",
            "known: ",
        ),
        (
            "@[[variant]]\nname = \"a\"\n«sets = {}\nset = {}",
            "a variant has no key `sets`",
            "`set`",
        ),
    ];
    for (text, message, help) in cases {
        assert_one(text, Notation::Toml, message, help);
    }
}

#[test]
fn values_of_the_wrong_kind_or_range_are_refused_where_they_stand() {
    let cases = [
        ("duration = «\"long\"\n@", "expected a number above zero, found the text \"long\"", ""),
        ("duration = «\"2.0\"\n@", "found the text \"2.0\"", "leave out the quotes: 2.0"),
        (
            "duration = «-1\n@",
            "expected a number above zero, found the number -1",
            "above zero, in SI",
        ),
        ("duration = «0\n@", "found the number 0", "above zero"),
        ("duration = «inf\n@", "found the number inf", "finite"),
        ("duration = «nan\n@", "found the number NaN", "finite"),
        ("duration = «2026-11-16\n@", "found a date", ""),
        ("duration = «99999999999999999999\n@", "found a number beyond 64 bits", ""),
        ("title = «3\n@", "expected a text in quotes, found the number 3", ""),
        ("settle = «\"yes\"\n@", "expected true or false", ""),
        ("gravity = «[0, 1]\n@", "expected three numbers, [x, y, z], found a list of 2", ""),
        ("gravity = [0, «\"a\", 1]\n@", "expected a number, found the text \"a\"", ""),
        ("gravity = «-9.81\n@", "expected three numbers", ""),
        ("body = «3", "expected a body, found the number 3", "known keys: name"),
        ("body = [«3]", "expected a body, found the number 3", "known keys: name"),
        (
            "[[body]]\nsolid = «\"box\"",
            "expected the shape of a solid, found the text \"box\"",
            "known keys: box",
        ),
        ("[[body]]\nsolid = «{}", "the shape of a solid is empty", "give one of: box, ball"),
        (
            "[[body]]\nsolid = { box = { size = [1, 1, 1] }, «ball = { radius = 1 } }",
            "either `box` or `ball`, but both",
            "leave one out",
        ),
        ("[[body]]\nsolid = { box = «{ cells = [1, 1, 1] } }", "a box needs `size`", ""),
        (
            "[[body]]\nsolid = { box = { size = [1, «0, 1] } }",
            "a number above zero, found the number 0",
            "",
        ),
        (
            "[[body]]\nsolid = { box = { size = [1, 1, 1], cells = [1, 1, «0.5] } }",
            "a whole number of at least 1, found the number 0.5",
            "",
        ),
        (
            "[[body]]\nsolid = { box = { size = [1, 1, 1], cells = «[1, 1] } }",
            "expected a list of 3, found a list of 2",
            "",
        ),
        (
            "[[body]]\nsolid = { box = { size = [1, 1, 1], split = «\"six\" } }",
            "`six` is not a way to cut cells",
            "known: kuhn",
        ),
        (
            "[[body]]\nsolid = { box = { size = [1, 1, 1], split = «6 } }",
            "expected a way to cut cells",
            "known: kuhn",
        ),
        ("@place = { scale = «-1 }", "a number above zero", ""),
        ("@place = { rotate = { axis = «[0, 0, 0], degrees = 3 } }", "a direction", "above zero"),
        ("@place = { rotate = { axis = «\"w\", degrees = 3 } }", "a direction", "known: x, y, z"),
        ("@[[pin]]\nbody = \"bar\"\nrelease = «-1", "not negative", "zero or more"),
        (
            "@%[[expect]]\nprobe = \"mass\"\nat = «\"start\"\nvalue = 1\ntolerance = 1\n\
             kind = \"theory\"\nsource = \"\"",
            "a time in seconds, or \"end\"",
            "",
        ),
        (
            "@[coarse]\n«duration.x = 3",
            "`duration` is a table, not a value",
            "write the whole path in quotes",
        ),
        ("@[output]\nevery = «0", "a whole number of at least 1", ""),
    ];
    for (text, message, help) in cases {
        assert_one(text, Notation::Toml, message, help);
    }
}

#[test]
fn what_makes_no_physical_or_logical_sense_is_refused() {
    let cases = [
        ("«", "the scene has no bodies", "[[body]]"),
        ("@material = { poissons_ratio = «0.5 }", "0.5", ""),
        ("@material = { poissons_ratio = «-1 }", "-1", ""),
        ("@material = { density = «-3 }", "above zero, found the number -3", "SI units"),
        ("@material = «\"ruber\"", "ruber", "rubber"),
        ("@material = { preset = «\"cotton\" }", "cotton", ""),
        ("@material = { model = «\"hooke\" }", "hooke", ""),
        (
            "@material = «{ share = 0.3 }",
            "`share` is for the mooney-rivlin model only",
            "mooney-rivlin",
        ),
        (
            "@material = «{ bending_stiffness = 0.3 }",
            "`bending_stiffness` is for cloth only",
            "youngs_modulus",
        ),
        (
            "@material = «{ bending_model = \"hinges\" }",
            "`bending_model` is for cloth only",
            "youngs_modulus",
        ),
        (
            "[[body]]\ncloth = { disk = { radius = 1 } }\nmaterial = { bending_model = «\"hinge\" }",
            "hinge",
            "hinges",
        ),
        (
            "[[body]]\ncloth = { disk = { radius = 1 } }\nmaterial = { bending_poissons_ratio = «1 }",
            "Poisson's ratio of bending is 1",
            "0 for woven cloth",
        ),
        (
            "[[body]]\ncloth = { sheet = { size = [1, 1], cells = [1, 1] } }\nmaterial = «\"steel\"",
            "steel",
            "",
        ),
        (
            "[[body]]\ncloth = { sheet = { size = [1, 1], cells = [1, 1] } }\nmaterial = «{ model = \"linear\" }",
            "`model` is for solids only",
            "leave it out",
        ),
        (
            "[[body]]\ncloth = { sheet = { size = [1, 1], cells = [1, 1] } }\nmaterial = «{ youngs_modulus = 1, \
             shear_modulus = 2 }",
            "either isotropic",
            "leave out",
        ),
        (
            "[[body]]\ncloth = { sheet = { size = [1, 1], cells = [1, 1] } }\nmaterial = { youngs_modulus = 1, \
             poissons_ratio = «1 }",
            "1",
            "",
        ),
        ("«[[body]]\nname = \"a\"", "body `a` has no shape", "solid = "),
        (
            "«[[body]]\nname = \"a\"\nsolid = { ball = { radius = 1, edge_length = 1 } }\nobstacle = { sphere = { \
             radius = 1 } }",
            "body `a` has several shapes",
            "keep one",
        ),
        (
            "«[[body]]\nobstacle = { sphere = { radius = 1 } }\nmaterial = \"steel\"\n@",
            "`material` means nothing for an obstacle",
            "leave it out",
        ),
        (
            "«@motion = { velocity = [1, 0, 0] }",
            "`motion` means nothing for what deforms; use a pin",
            "",
        ),
        ("«@warp = \"x\"", "`warp` means nothing for anything but cloth", ""),
        (
            "[[body]]\nobstacle = «{ torus = { ring_radius = 1, tube_radius = 2 } }\n",
            "this is no shape",
            "thinner than its ring",
        ),
        (
            "[[body]]\nsolid = «{ hollow_ball = { inner_radius = 2, outer_radius = 1 } }",
            "inner_radius",
            "",
        ),
        (
            "[[body]]\nsolid = «{ box = { size = [1, 1, 1], cells = [9999, 9999, 9999] } }",
            "GB of memory",
            "make the mesh coarser",
        ),
        (
            "[[body]]\nsolid = { mesh = «\"nowhere/bar.msh\" }",
            "there is no file /nowhere/bar.msh",
            "relative to the folder of the scene",
        ),
        ("@@«", "two bodies are called `bar`", "its own name"),
        ("@[[pin]]\nbody = «\"baar\"", "there is no body `baar`", "did you mean `bar`?"),
        (
            "@[[load]]\nbody = «\"baar\"\nforce = [0, 0, 0]",
            "there is no body `baar`",
            "did you mean `bar`?",
        ),
        (
            "@[[weld]]\nbody = \"bar\"\nto = «\"baar\"",
            "there is no body `baar`",
            "did you mean `bar`?",
        ),
        (
            "@[[friction]]\nbetween = [\"bar\", «\"baar\"]\ncoefficient = 1",
            "there is no body `baar`",
            "did you mean `bar`?",
        ),
        (
            "@[[contact]]\nbetween = [«\"baar\", \"bar\"]\nfriction = 0.5",
            "there is no body `baar`",
            "did you mean `bar`?",
        ),
        (
            "@[[contact]]\nbetween = [\"floor\", «\"floor\"]\n[[body]]\nname = \"floor\"\nobstacle = { sphere = { \
             radius = 1 } }",
            "`floor` is named twice",
            "solids and cloth touch themselves",
        ),
        (
            "@[[probe]]\nname = \"a\"\nquantity = \"volume\"\nbody = «\"baar\"",
            "there is no body `baar`",
            "did you mean `bar`?",
        ),
        (
            "@[[spring]]\nfrom = { point = [0, 0, 0] }\nto = { body = «\"baar\", vertex = 0 }\nstiffness = 1",
            "there is no body `baar`",
            "did you mean `bar`?",
        ),
        (
            "@[[spring]]\nfrom = { point = [0, 0, 0] }\nto = «{ body = \"bar\" }\nstiffness = 1",
            "an end of a spring is a `point`",
            "for example",
        ),
        (
            "@[[body]]\nname = \"floor\"\nobstacle = { plane = {} }\n[[pin]]\nbody = «\"floor\"",
            "`floor` is an obstacle",
            "its own `motion`",
        ),
        ("@[[pin]]\nbody = \"bar\"\nwhere = «\"x-mni\"", "x-mni", "x-min"),
        (
            "@[[pin]]\nbody = \"bar\"\nwhere = «{ sphere = { center = [9, 9, 9], radius = 1 } }",
            "no",
            "",
        ),
        ("@[[pin]]\nbody = \"bar\"\nwhere = «{ ids = [99] }", "99", ""),
        ("@[[pin]]\nbody = \"bar\"\naxes = «\"xw\"", "`xw` names no axes", "\"xyz\""),
        (
            "@[[pin]]\nbody = \"bar\"\nmotion = «{ keyframes = { frames = [{ time = 1 }, { time = 0 }] } }",
            "do not ascend in time",
            "times that grow",
        ),
        (
            "@[[pin]]\nbody = \"bar\"\nmotion = «{ keyframes = { frames = [] } }",
            "keyframes",
            "at least one",
        ),
        (
            "@[[pin]]\nbody = \"bar\"\nmotion = «{ keyframes = { frames = [{ time = 0, degrees = 9 }] } }",
            "needs an `axis`",
            "axis = \"y\"",
        ),
        ("@[[zone]]\nbody = «\"baar\"", "there is no body `baar`", "did you mean `bar`?"),
        (
            "@[[body]]\nname = \"floor\"\nobstacle = { plane = {} }\n[[zone]]\nbody = «\"floor\"",
            "`floor` is an obstacle",
            "motion",
        ),
        (
            "@[[zone]]\nbody = \"bar\"\ncompressibility = «1",
            "an ideal gas has no `compressibility`",
            "nearly-incompressible",
        ),
        (
            "@«[[zone]]\nbody = \"bar\"\nmodel = \"quadratic\"",
            "needs a `compressibility`",
            "4.6e-5",
        ),
        (
            "@[[zone]]\nbody = \"bar\"\ngauge_pressure = 1\npressure = «1",
            "`pressure` and `gauge_pressure` are both given",
            "keep one",
        ),
        (
            "@[[zone]]\nbody = \"bar\"\ncavity = true\nwhere = «\"all\"",
            "`where` and `cavity` are both given",
            "keep one",
        ),
        (
            "@[[zone]]\nname = \"air\"\nbody = \"bar\"\n[[zone]]\nname = «\"air\"\nbody = \"bar\"",
            "two zones are called `air`",
            "its own name",
        ),
        (
            "@[[body]]\nname = \"flag\"\ncloth = { sheet = { size = [1, 1], cells = [1, 1] } }\n«[[zone]]\nname = \
             \"air\"\nbody = \"flag\"",
            "zone 'air' is not enclosed: the surface has 4 open edges (holes: 1)",
            "close it",
        ),
        ("@«[[zone]]\nbody = \"bar\"\ncavity = true", "which has none", "hollow"),
        (
            "@«[[zone]]\nbody = \"bar\"\npressure = -1",
            "gauge pressure of zone #0 is -202650",
            "vacuum",
        ),
        (
            "@[[zone]]\nname = \"air\"\nbody = \"bar\"\n[[probe]]\nname = \"p\"\nquantity = \"pressure\"\nzone = \
             «\"aire\"",
            "there is no zone `aire`",
            "did you mean `air`?",
        ),
        (
            "@[[zone]]\nname = \"air\"\nbody = \"bar\"\n«[[probe]]\nname = \"p\"\nquantity = \"stress\"\nzone = \
             \"air\"",
            "a probe of `stress` has no use for `zone`",
            "`volume`, `pressure` or `energy`",
        ),
        (
            "@«[[load]]\nbody = \"bar\"\n",
            "exactly one of `force`, `traction` and `pressure`",
            "force = ",
        ),
        (
            "@[[load]]\nbody = \"bar\"\nforce = [0, 0, 0]\nprofile = «[[1, 1], [0, 1]]",
            "does not ascend in time",
            "times that grow",
        ),
        (
            "@[method.smooth]\nintegrator = «\"rk4\"",
            "there is no integrator `rk4`",
            "known: backward-euler",
        ),
        ("@[method.smooth]\nintegrator = «{ tr-bdf2 = { split = 2 } }", "split", ""),
        (
            "@[method.impulse]\noperator = «\"splittin\"",
            "`splittin` is not an operator",
            "did you mean `splitting`?",
        ),
        (
            "@[method.impulse]\noperator = «\"inverse\"",
            "`inverse` is not an operator",
            "known: assembled, factored, splitting, mass",
        ),
        ("@[method.impulse]\noperator = «3", "an operator", "known: assembled, factored"),
        (
            "@[method.impulse]\n«operater = \"mass\"",
            "no key `operater`",
            "did you mean `operator`?",
        ),
        (
            "@[method.smooth]\nsolver = «\"newtn\"",
            "`newtn` is not a solver",
            "did you mean `newton`?",
        ),
        ("@[output]\nfields = [«\"von_misses\"]", "von_misses", "von_mises"),
        (
            "@[output]\nframe_rate = 20\nevery = «3",
            "`frame_rate` and `every` are both given",
            "leave one out",
        ),
        (
            "@[[probe]]\nname = \"a\"\nquantity = «\"positon\"\nbody = \"bar\"",
            "positon",
            "position",
        ),
        (
            "@%[[probe]]\nname = «\"mass\"\nquantity = \"volume\"\nbody = \"bar\"",
            "two probes are called `mass`",
            "its own name",
        ),
        (
            "@[[probe]]\nname = «\"a,b\"\nquantity = \"volume\"\nbody = \"bar\"",
            "no name for a probe",
            "commas",
        ),
        (
            "@«[[probe]]\nname = \"a\"\nquantity = \"momentum\"\nwhere = \"all\"",
            "`where` selects vertices of a body",
            "body = ",
        ),
        (
            "@[[probe]]\nname = \"a\"\nquantity = \"length\"\nbody = \"bar\"\nto_body = «\"bar\"",
            "`to_body` without `to`",
            "to = ",
        ),
        (
            "@%[[expect]]\nprobe = «\"mas\"\nvalue = 1\ntolerance = 1\nkind = \"theory\"\nsource = \"\"",
            "there is no probe `mas`",
            "did you mean `mass`?",
        ),
        (
            "@%«[[expect]]\nprobe = \"mass\"\nvalue = 1\nkind = \"theory\"\nsource = \"\"",
            "a `value` with a `tolerance`",
            "relative = 0.01",
        ),
        (
            "@%«[[expect]]\nprobe = \"mass\"\ntolerance = 1\nkind = \"theory\"\nsource = \"\"",
            "a `value` with a `tolerance`",
            "",
        ),
        (
            "@%«[[expect]]\nprobe = \"mass\"\nvalue = 1\ntolerance = 1\nrelative = 1\nkind = \"theory\"\nsource = \"\"",
            "`tolerance` and `relative` are both given",
            "",
        ),
        (
            "@%«[[expect]]\nprobe = \"mass\"\nvalue = 1\ntolerance = 1\nabove = 1\nkind = \"theory\"\nsource = \"\"",
            "a `value` and a bound are both given",
            "two expectations",
        ),
        (
            "@%«[[expect]]\nprobe = \"mass\"\nabove = 2\nbelow = 1\nkind = \"theory\"\nsource = \"\"",
            "nothing is above 2 and below 1",
            "",
        ),
        (
            "@%«[[expect]]\nprobe = \"mass\"\nabove = 2\nkind = \"theory\"",
            "an expectation needs `source`",
            "",
        ),
        (
            "@%«[[expect]]\nprobe = \"mass\"\nabove = 2\nsource = \"\"",
            "an expectation needs `kind`",
            "give one of: theory, spec, peer, recorded",
        ),
        (
            "@%[[expect]]\nprobe = \"mass\"\nabove = 2\nkind = «\"measured\"\nsource = \"\"",
            "`measured` is not what a number rests on",
            "known: theory, spec, peer, recorded",
        ),
        (
            "@%«[[expect]]\nprobe = \"mass\"\nat = 1\nfrom = 1\nabove = 2\nkind = \"theory\"\nsource = \"\"",
            "at a time, or over a range",
            "keep `at`",
        ),
        (
            "@%«[[expect]]\nprobe = \"mass\"\nat = 3\nabove = 2\nkind = \"theory\"\nsource = \"\"",
            "the run ends at 2 s, before 3 s",
            "lengthen `duration`",
        ),
        (
            "@%«[[expect]]\nprobe = \"mass\"\nfrom = 1\nuntil = 0.5\nabove = 2\nkind = \"theory\"\nsource = \"\"",
            "from 1 s to 0.5 s is empty",
            "",
        ),
        (
            "@%[[expect]]\nprobe = \"mass\"\nabove = 2\n\
             kind = \"theory\"\nsource = \"\"\nvariants = [«\"b\"]\n[[variant]]\nname = \
             \"a\"\nset = {}",
            "the scene has no variant `b`",
            "known: a",
        ),
        ("«duration = 1e9\n@[method.smooth]\ntime_step = 1e-9", "steps", "shorten `duration`"),
    ];
    for (text, message, help) in cases {
        // Twins are noted at the name of the second.
        let text = text.replace("@@«", "@[[body]]\nname = «\"bar\"\nobstacle = { plane = {} }");
        assert_one(&text, Notation::Toml, message, help);
    }
}

/// A floor and a wall besides the bar.
const ROOM: &str = "@[[body]]\nname = \"floor\"\nobstacle = { plane = { normal = \"y\" } }\n\
    [[body]]\nname = \"wall\"\nobstacle = { plane = { normal = \"x\" } }\n";

#[test]
fn contacts_that_make_no_sense_are_refused() {
    let pair = "[[contact]]\nbetween = [\"bar\", \"floor\"]\n";
    let cases = [
        ("[[contact]]\nbetween = «[\"floor\", \"wall\"]", "are obstacles", "a body that deforms"),
        ("[[friction]]\nbetween = «[\"floor\", \"wall\"]\ncoefficient = 1", "are obstacles", ""),
        ("#surface = «\"wall\"", "`wall` is not the surface", "known: auto, both, bar, floor"),
        ("#surface = «\"bar\"", "`floor` has no points", "`surface = \"floor\"`"),
        ("#thickness = «0", "a number above zero", ""),
        ("#stiffness = «-1", "a number above zero", ""),
        ("#friction = «-0.1", "not negative", ""),
        ("#friction = { coefficient = «-0.1 }", "not negative", ""),
        (
            "#friction = { coefficient = 0.3, static_coefficient = «0.2 }",
            "below the `coefficient` 0.3",
            "at least as much",
        ),
        ("#friction = «\"0.3\"", "not negative", "leave out the quotes: 0.3"),
        ("#«#", "contact of `bar` and `floor` is given twice", "in one table"),
        (
            "#friction = 0.1\n«[[friction]]\nbetween = [\"floor\", \"bar\"]\ncoefficient = 0.2",
            "friction of `floor` and `bar` is given twice",
            "keep one",
        ),
        (
            "[[friction]]\ncoefficient = 0.1\n«[[friction]]\ncoefficient = 0.2",
            "friction of all bodies is given twice",
            "between",
        ),
        ("[method.smooth.contact]\nlaw = «\"exat\"", "is not a friction law", "`exact`?"),
        ("[method.smooth.contact]\nepsilon = «1e-3", "`epsilon` has no meaning", "leave it out"),
        (
            "[method.smooth.contact]\nlaw = \"exact\"\ntangential_ratio = «10",
            "without `law = \"anchored\"`",
            "leave it out",
        ),
        ("[method.smooth.contact]\npasses = «3", "without `coupling = \"lagged\"`", ""),
        ("[method.smooth.contact]\ncoupling = \"lagged\"\npasses = «0", "at least 1", ""),
        ("[method.smooth.contact]\ntangential_ratio = «0", "a number above zero", ""),
        ("[method.smooth.contact]\ncorner = «2", "a number from 0 to 1", ""),
        ("[method.smooth.contact]\nthickness = «0.0", "a number above zero", ""),
    ];
    for (text, message, help) in cases {
        let text = format!("{ROOM}{}", text.replace('#', pair));
        assert_one(&text, Notation::Toml, message, help);
    }
    assert_one(&format!("friction = «-1\n{ROOM}"), Notation::Toml, "not negative", "");
}

/// What the library finds is shown at the table it is about, also where bodies have no names or one name holds another.
#[test]
fn what_the_library_refuses_is_found_by_its_place_not_by_its_name() {
    let pin = "[[pin]]\nbody = \"bar\"\n";
    let two = "@[[body]]\nname = \"bar'\"\nsolid = { box = { size = [1, 1, 1], cells = [1, 1, 1] } }\nplace = { move = \
         [0, 5, 0] }\n";
    let cases = [
        (format!("@{pin}«{pin}"), "held by two pins", "disjoint"),
        (
            format!("{two}«[[weld]]\nbody = \"bar\"\nto = \"bar'\""),
            "have no vertex",
            "raise the tolerance",
        ),
        (
            format!(
                "{two}[[contact]]\nbetween = [\"bar\", \"bar'\"]\n«[[contact]]\nbetween = [\"bar'\", \
                 \"bar'\"]\nrestitution = 0.5"
            ),
            "restitution",
            "impulse",
        ),
        (
            format!("{two}«[[friction]]\ncoefficient = 0.3\nrolling = 0.1"),
            "rolling resistance of friction of all pairs",
            "impulse",
        ),
    ];
    for (text, message, help) in cases {
        assert_one(&text, Notation::Toml, message, help);
    }
}

#[test]
fn syntax_errors_have_a_place_in_both_notations() {
    assert_one("duration = 1\ngravity = «\n@", Notation::Toml, "", "");
    assert_one("duration = 1\n«duration = 2\n@", Notation::Toml, "duplicate key", "");
    assert_one("title = \"open«\n@", Notation::Toml, "", "");
    assert_one("{ \"duration\": 1,\n  \"gravity\": «}", Notation::Json, "", "");
    assert_one(
        "{ \"duration\": 1, «\"duration\": 2 }",
        Notation::Json,
        "`duration` is given twice",
        "",
    );
    assert_one(
        "{ \"duration\": \n «-1, \"body\": [{ \"obstacle\": { \"plane\": {} } }] }",
        Notation::Json,
        "above zero",
        "",
    );
}

#[test]
fn columns_count_characters_and_a_byte_order_mark_is_none() {
    assert_one(
        "title = \"Größe\"\nbody = { name = \"ü\", «\"größe\" = 1, obstacle = { plane = {} } }",
        Notation::Toml,
        "a body has no key `größe`",
        "known",
    );
    let text = format!("\u{feff}duration = -1\n{BAR}");
    let error = errors(&text, Notation::Toml, &Wishes::default());
    assert_eq!(found(&error)[0].0, "scene:1:12", "{error}");
    assert!(
        SceneFile::parse("s", &format!("\u{feff}{BAR}"), Notation::Toml, None, &Wishes::default())
            .is_ok()
    );
    // The lines of Windows.
    let error = errors(
        &format!("title = \"a\"\r\nduration = -1\r\n{BAR}"),
        Notation::Toml,
        &Wishes::default(),
    );
    assert_eq!(found(&error)[0].0, "scene:2:12", "{error}");
}

/// One mistake of every pass: reading tables, then bodies, what acts on them, what is measured, what must come out.
#[test]
fn one_reading_finds_all_mistakes_and_nothing_that_follows_from_them() {
    let text = r#"
duration = -2
gravty = [0, 0, 0]

[[body]]
name = "a"
solid = { box = { size = [1, 1] } }

[[body]]
solid = { box = { size = [1, 1, 1], cells = [1, 1, 1] } }
material = { poissons_ratio = 0.7 }

[[body]]
name = "c"
solid = { box = { size = [1, 1, 1], cells = [1, 1, 1] } }

[[body]]
name = "d"

[[pin]]
body = "a"
where = "x-min"

[[pin]]
body = "body-1"
where = "x-min"

[[pin]]
body = "c"
where = "x-midle"

[[load]]
body = "d"
force = [1, 2, 3]

[[load]]
body = "e"
force = [1, 2, 3]

[method.smooth]
integrator = "euler"

[output]
fields = ["color"]

[[probe]]
name = "p"
quantity = "warmth"
body = "c"

[[probe]]
name = "q"
quantity = "position"
body = "c"
along = "up"

[[expect]]
probe = "p"
value = 3
tolerance = 1
kind = "theory"
source = "of a probe that is wrong"

[[expect]]
probe = "q"
value = 3
kind = "theory"
source = "of another"

[[expect]]
probe = "r"
above = 3
kind = "theory"
source = "of none"

[[expect]]
probe = "p"
above = 3
kind = "theory"
source = "in a variant that is wrong"
variants = ["v"]

[[variant]]
name = "v"
set = 3
"#;
    let error = errors(text, Notation::Toml, &Wishes::default());
    let lines: Vec<String> = found(&error)
        .into_iter()
        .map(|(place, message, _)| format!("{} {message}", place.trim_start_matches("scene:")))
        .collect();
    let expected = [
        "2:12 expected a number above zero, found the number -2",
        "3:1 a scene has no key `gravty`",
        "7:26 expected a list of 3, found a list of 2",
        "11:31 ",
        "17:1 body `d` has no shape",
        "30:9 ",
        "37:8 there is no body `e`",
        "41:14 there is no integrator `euler`",
        "44:11 ",
        "48:12 ",
        "55:9 expected a direction",
        "64:1 an expectation is a `value`",
        "71:9 there is no probe `r`",
        "85:7 expected a table of paths and values, found the number 3",
    ];
    assert_eq!(lines.len(), expected.len(), "{lines:#?}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.starts_with(expected), "{lines:#?}\nnot: {expected}");
    }
}

#[test]
fn mistakes_of_the_command_line_point_into_the_argument() {
    let wishes = |variant: Option<&str>, set: &[&str]| Wishes {
        variant: variant.map(str::to_owned),
        coarse: false,
        set: set.iter().map(|&argument| argument.to_owned()).collect(),
    };
    let scene = format!(
        "{BAR}[[variant]]\nname = \"soft\"\nset = {{ \"body.bar.material\" = \"jelly\" }}\n"
    );
    let cases = [
        (
            wishes(Some("sof"), &[]),
            "--variant:1:1",
            "the scene has no variant `sof`",
            "did you mean `soft`?",
        ),
        (wishes(None, &["duration"]), "--set:1:1", "expected PATH=VALUE", "youngs_modulus=2e6"),
        (wishes(None, &["duration=-1"]), "--set:1:10", "above zero, found the number -1", ""),
        (wishes(None, &["duration=long"]), "--set:1:10", "found the text \"long\"", ""),
        (wishes(None, &["duratoin=1"]), "--set:1:1", "a scene has no key `duratoin`", "`duration`"),
        (wishes(None, &["body..x=1"]), "--set:1:1", "`body..x` is no path", "dots"),
        (wishes(None, &["body.\"bar=1"]), "--set:1:1", "is no path", "quote"),
        (wishes(None, &["=1"]), "--set:1:1", "is no path", ""),
        (
            wishes(None, &["body.baar.material=steel"]),
            "--set:1:1",
            "there is no body `baar` to change",
            "did you mean `bar`?",
        ),
        (
            wishes(None, &["body.7.material=steel"]),
            "--set:1:1",
            "there is no body `7` to change",
            "known: bar",
        ),
        (
            wishes(None, &["body.bar.name.x=steel"]),
            "--set:1:1",
            "`name` is the text \"bar\" and has no `x`",
            "",
        ),
        (
            wishes(None, &["duration=1", "body.bar.material.poissons_ratio = 0.6"]),
            "--set:1:36",
            "0.6",
            "",
        ),
        (wishes(Some("soft"), &["body.bar.material.preset=jely"]), "--set:1:26", "jely", "jelly"),
    ];
    for (wishes, place, message, help) in cases {
        let error = errors(&scene, Notation::Toml, &wishes);
        let found = found(&error);
        assert_eq!(found.len(), 1, "{wishes:?}\n{error}");
        assert_eq!(found[0].0, place, "{wishes:?}\n{error}");
        assert!(found[0].1.contains(message) && found[0].2.contains(help), "{wishes:?}\n{error}");
    }
    // Those of the file come first, wherever in their texts both are.
    let error = errors(
        &format!("{BAR}[[pin]]\nbody = 1\n"),
        Notation::Toml,
        &wishes(None, &["duration=-1"]),
    );
    let places: Vec<String> = found(&error).into_iter().map(|(place, ..)| place).collect();
    assert_eq!(places, ["scene:5:8", "--set:1:10"], "{error}");
}

#[test]
fn files_that_are_no_scenes_are_told_from_scenes() {
    let folder = std::env::temp_dir().join(format!("stiction-no-scenes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.join(name), bytes).expect("a file");
    };
    write("latin.toml", b"title = \"Gr\xf6\xdfe\"\n");
    let long = std::fs::File::create(folder.join("long.toml")).expect("a file");
    long.set_len((64 << 20) + 1).expect("a file with a hole");
    let cases = [
        ("nowhere.toml", "cannot read", "check the path"),
        ("", "is a folder", "name the scene file in it"),
        ("latin.toml", "is not text: byte 11 is not UTF-8", "save the scene as UTF-8"),
        ("long.toml", "longer than 64 MB", "meshes in files of their own"),
    ];
    for (name, message, help) in cases {
        let error = SceneFile::load(&folder.join(name), &Wishes::default()).expect_err(name);
        let found = found(&error);
        assert_eq!((found.len(), found[0].0.as_str()), (1, ""), "{error}");
        assert!(found[0].1.contains(message) && found[0].2.contains(help), "{error}");
    }
    // Its length says nothing, and it never ends.
    #[cfg(unix)]
    {
        let error =
            SceneFile::load("/dev/zero".as_ref(), &Wishes::default()).expect_err("no scene");
        assert!(error.to_string().contains("longer than 64 MB"), "{error}");
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_file_full_of_mistakes_is_read_in_a_moment() {
    let text: String = (0..20_000).map(|key| format!("key{key} = 1\n")).collect();
    let error = errors(&text, Notation::Toml, &Wishes::default());
    assert_eq!(error.problems().len(), 20_001);
    assert!(error.to_string().ends_with("… and 19951 more"));
}

#[test]
fn the_excerpt_shows_the_line_and_the_help() {
    let error = errors(&format!("duration = -1\n{BAR}"), Notation::Toml, &Wishes::default());
    let plain = error.render(false);
    for part in ["scene:1:12", "1 | duration = -1", "^^", "help: give a number above zero"] {
        assert!(plain.contains(part), "{plain}");
    }
    assert!(!plain.contains('\u{1b}') && error.render(true).contains('\u{1b}'));
}
