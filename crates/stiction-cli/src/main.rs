//! The command `stiction`; see the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    stiction_cli::main()
}
