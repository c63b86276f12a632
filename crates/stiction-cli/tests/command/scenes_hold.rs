//! Every scene that comes with us proves itself, in its quick version; `stiction verify` runs them in full.

use crate::common::Folder;

#[test]
fn scenes_that_come_with_us_hold() {
    let ran = Folder::new().run(&["verify", "--coarse"]);
    assert_eq!(ran.code, 0, "{}\n{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("all hold: "), "{}", ran.stdout);
}
