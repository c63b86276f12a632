//! What is kept on the disk between runs: the same bits, and never a damaged one.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::scratch::Scratch;
use crate::surfaces::obj;
use stiction::body::{Body, Shape};
use stiction::mesh::generate;
use stiction_scene::cache::Cache;
use stiction_scene::scene_file::{SceneFile, Setup, Wishes};

/// Just large enough to be kept, both of them.
const SCENE: &str = r#"
[[body]]
name = "bowl"
obstacle = { distance_grid = { mesh = "ball.obj", resolution = 46 } }
[[body]]
name = "ball"
solid = { surface = { mesh = "ball.obj", resolution = 12 } }
place = { move = [0, 1, 0] }
"#;

/// A scene in a folder, and a cache beside it.
fn prepare(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    let mesh = generate::ball(0.1, 0.03).expect("a ball").boundary().surface;
    fs::write(scratch.join("ball.obj"), obj(&mesh, 0)).expect("a mesh");
    fs::write(scratch.join("scene.toml"), SCENE).expect("a scene");
    scratch
}

fn build(scratch: &Scratch, cache: Cache) -> Setup {
    let scene = SceneFile::load(&scratch.join("scene.toml"), &Wishes::default());
    let built = scene.and_then(|scene| scene.cached(cache).build());
    built.unwrap_or_else(|error| panic!("{error}"))
}

/// All numbers of both bodies, by their bits.
fn bits(setup: &Setup) -> Vec<u64> {
    let [Body::Obstacle(bowl), Body::Solid(ball)] = setup.scene.bodies.as_slice() else {
        panic!("an obstacle and a solid")
    };
    let Shape::Grid(gridded) = &bowl.shape else { panic!("a grid") };
    let grid = gridded.grid();
    let mut bits: Vec<u64> = grid.values().iter().map(|value| value.to_bits()).collect();
    bits.extend(grid.origin().iter().chain([&grid.spacing()]).map(|value| value.to_bits()));
    bits.extend(ball.mesh.vertices().iter().flat_map(|x| x.iter()).map(|c| c.to_bits()));
    bits.extend(ball.mesh.tets().iter().flatten().map(|v| u64::from(*v)));
    let surface = ball.mesh.vertex_tags().get("surface").expect("the group of the surface");
    bits.extend(surface.iter().map(|v| u64::from(*v)));
    bits
}

/// Entries with the time they were written or used.
fn entries(folder: &Path) -> Vec<(PathBuf, SystemTime, Vec<u8>)> {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| {
            let modified = fs::metadata(&path).and_then(|data| data.modified()).expect("a time");
            let bytes = fs::read(&path).expect("its bytes");
            (path, modified, bytes)
        })
        .collect();
    entries.sort();
    entries
}

#[test]
fn a_second_run_reads_what_the_first_one_kept_and_gets_the_same_bits() {
    let scratch = prepare("cache_twice");
    let folder = scratch.join("kept");
    let without = bits(&build(&scratch, Cache::off()));
    assert!(!folder.exists());
    let first = build(&scratch, Cache::at(&folder));
    assert!(first.notes.is_empty(), "{:?}", first.notes);
    let kept = entries(&folder);
    assert_eq!(kept.len(), 2, "a grid and a solid");
    let second = build(&scratch, Cache::at(&folder));
    assert_eq!(bits(&first), without);
    assert_eq!(bits(&second), without);
    // Nothing was written anew. That it was read shows below, where a lie is believed.
    let again = entries(&folder);
    assert!(kept.iter().zip(&again).all(|(before, after)| before.2 == after.2));
}

/// The only way to see that a file is read is to change it so that everything else is right.
#[test]
fn what_is_kept_is_what_is_used() {
    let scratch = prepare("cache_lie");
    let folder = scratch.join("kept");
    let truth = bits(&build(&scratch, Cache::at(&folder)));
    for (path, _, mut bytes) in entries(&folder) {
        // The last byte of the last number, with a checksum to match.
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        let sum = crc32(&bytes[16..]).to_le_bytes();
        bytes[12..16].copy_from_slice(&sum);
        fs::write(path, bytes).expect("a lie");
    }
    let lied = bits(&build(&scratch, Cache::at(&folder)));
    assert_ne!(lied, truth);
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

#[test]
fn damaged_entries_are_made_anew_and_replaced() {
    let scratch = prepare("cache_damage");
    let folder = scratch.join("kept");
    let truth = bits(&build(&scratch, Cache::at(&folder)));
    let sound = entries(&folder);
    type Damage = fn(&[u8]) -> Vec<u8>;
    let damages: [(&str, Damage); 6] = [
        ("a bit", |bytes| {
            let mut bytes = bytes.to_vec();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 4;
            bytes
        }),
        ("cut short", |bytes| bytes[..bytes.len() - 9].to_vec()),
        ("empty", |_| Vec::new()),
        ("another layout", |bytes| {
            let mut bytes = bytes.to_vec();
            bytes[8] += 1;
            bytes
        }),
        ("longer", |bytes| [bytes, b"and more"].concat()),
        ("another file", |_| b"no entry at all, but a text that somebody put there".to_vec()),
    ];
    for (name, damage) in damages {
        for (path, _, bytes) in &sound {
            fs::write(path, damage(bytes)).expect("a damaged file");
        }
        assert_eq!(bits(&build(&scratch, Cache::at(&folder))), truth, "{name}");
        let mended = entries(&folder);
        assert!(sound.iter().zip(&mended).all(|(before, after)| before.2 == after.2), "{name}");
    }
    // An entry under the name of another, as if their names had the same hash.
    fs::write(&sound[0].0, &sound[1].2).expect("a swap");
    assert_eq!(bits(&build(&scratch, Cache::at(&folder))), truth);
}

#[test]
fn other_settings_and_other_meshes_have_entries_of_their_own() {
    let scratch = prepare("cache_settings");
    let folder = scratch.join("kept");
    build(&scratch, Cache::at(&folder));
    let linear = SCENE.replace("resolution = 46", "resolution = 46, interpolation = \"linear\"");
    fs::write(scratch.join("scene.toml"), linear).expect("a scene");
    build(&scratch, Cache::at(&folder));
    assert_eq!(entries(&folder).len(), 3);
    let other = generate::ball(0.1001, 0.03).expect("a ball").boundary().surface;
    fs::write(scratch.join("ball.obj"), obj(&other, 0)).expect("a mesh");
    build(&scratch, Cache::at(&folder));
    assert_eq!(entries(&folder).len(), 5);
}

#[test]
fn a_folder_that_cannot_be_written_is_worth_a_note_and_no_more() {
    let scratch = prepare("cache_unwritable");
    // A file where the folder should be: refused whoever asks, root too.
    let folder = scratch.join("kept");
    fs::write(&folder, "no folder").expect("a file");
    let setup = build(&scratch, Cache::at(&folder));
    assert_eq!(bits(&setup), bits(&build(&scratch, Cache::off())));
    assert_eq!(setup.notes.len(), 2, "{:?}", setup.notes);
    assert!(
        setup.notes.iter().all(|note| note.contains("STICTION_CACHE_DIR")),
        "{:?}",
        setup.notes
    );
    assert_eq!(fs::read_to_string(&folder).expect("the file"), "no folder");
}

#[test]
fn entries_unused_for_longest_make_room() {
    let scratch = prepare("cache_limit");
    let folder = scratch.join("kept");
    build(&scratch, Cache::at(&folder));
    let [old, older] = <[_; 2]>::try_from(entries(&folder)).expect("two entries");
    let age = |path: &Path, hours: u64| {
        let file = fs::File::options().append(true).open(path).expect("an entry");
        let then = SystemTime::now() - Duration::from_secs(3600 * hours);
        file.set_modified(then).expect("an older entry");
    };
    age(&old.0, 1);
    age(&older.0, 2);
    fs::write(folder.join("notes.txt"), "not ours").expect("a file");
    // Room for all but a byte: the next entry pushes the oldest out, unless it was used.
    let (largest, all) = (old.2.len().max(older.2.len()), old.2.len() + older.2.len());
    let linear = SCENE.replace("resolution = 46", "resolution = 46, interpolation = \"linear\"");
    fs::write(scratch.join("scene.toml"), linear).expect("a scene");
    build(&scratch, Cache::at(&folder).limited_to((all + largest - 1) as u64));
    // The solid was used just now, so the other grid is gone.
    let left = entries(&folder);
    let solid = if old.2.len() < older.2.len() { &old.0 } else { &older.0 };
    assert_eq!(left.len(), 3, "{left:?}");
    assert!(left.iter().any(|entry| &entry.0 == solid));
    assert!(folder.join("notes.txt").exists());
    let small = scratch.join("small");
    build(&scratch, Cache::at(&small).limited_to(1000));
    assert!(!small.exists(), "nothing fits, so nothing is written");
}
