//! Fuzz targets: one for each reader of bytes that others send.
//!
//! A target gives any bytes to a reader, and panics when the reader breaks a promise. `cargo xtask fuzz` looks for such bytes.
//! Every test run gives the committed seeds to each target.
#![expect(clippy::unwrap_used, reason = "a target panics to report what it found")]

mod body;
mod campaigns;
mod csv;
mod cursors;
mod fields;
mod forwarded;
mod html;
mod json;
mod multipart;
mod ndjson;
mod pictures;
mod query_string;

/// A reader under test.
pub struct Target {
    /// Also the name of its folder in `seeds`.
    pub name: &'static str,
    run: fn(&[u8]),
}

/// All targets. A new one is a module, a line here, and a folder with seeds.
pub const TARGETS: &[Target] = &[
    Target { name: "campaigns", run: campaigns::read },
    Target { name: "csv", run: csv::read },
    Target { name: "cursors", run: cursors::read },
    Target { name: "fields", run: fields::read },
    Target { name: "forwarded", run: forwarded::read },
    Target { name: "html", run: html::read },
    Target { name: "json", run: json::read },
    Target { name: "multipart", run: multipart::read },
    Target { name: "ndjson", run: ndjson::read },
    Target { name: "pictures", run: pictures::read },
    Target { name: "query-string", run: query_string::read },
];

impl Target {
    pub fn named(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// # Panics
    /// When the reader breaks a promise.
    pub fn run(&self, bytes: &[u8]) {
        (self.run)(bytes);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_target_reads_its_seeds() {
        let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
        let mut folders: BTreeSet<_> =
            fs::read_dir(&seeds).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        for target in TARGETS {
            assert!(folders.remove(std::ffi::OsStr::new(target.name)), "{} has no seeds", target.name);
            for seed in fs::read_dir(seeds.join(target.name)).unwrap() {
                let seed = seed.unwrap().path();
                println!("{}", seed.display());
                target.run(&fs::read(seed).unwrap());
            }
        }
        assert!(folders.is_empty(), "no target has the seeds of {folders:?}");
    }
}
