//! Any bytes as TetGen's two files, parted by a byte of zero, which neither holds.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.splitn(2, |&byte| byte == 0);
    let (nodes, elements) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let file = stiction_scene::mesh_file::read_tetgen_bytes(("a.node", nodes), ("a.ele", elements));
    stiction_fuzz::use_all(file);
});
