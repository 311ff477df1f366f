//! The executable of libFuzzer. Its last argument names the target; `cargo xtask fuzz` builds and runs it.
#![no_main]

use std::sync::LazyLock;

use pointbook_fuzz::Target;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::args().next_back().unwrap_or_default();
    Target::named(&name).unwrap_or_else(|| panic!("there is no target {name:?}"))
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| TARGET.run(bytes));
