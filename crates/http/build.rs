//! Packs the pages: what the archive of Swagger UI has compressed goes from the frame of zip into that of gzip as it
//! is, and all else is compressed here.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use libdeflater::{CompressionLvl, Compressor};
use rawzip::{CompressionMethod, ZipArchive, ZipArchiveEntryWayfinder, ZipSliceArchive};
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;

/// What is taken from the archive, below its one folder, and what it is called here.
const TAKEN: [(&str, &str); 4] = [
    ("dist/swagger-ui-bundle.js", "swagger-ui.js"),
    ("dist/swagger-ui.css", "swagger-ui.css"),
    ("LICENSE", "LICENSE"),
    ("NOTICE", "NOTICE"),
];

/// What is ours. `{version}` in it is that of Swagger UI.
const OURS: [&str; 4] = ["index.html", "start.js", "start.css", "icon.svg"];

type Archive = ZipSliceArchive<&'static [u8]>;
type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[expect(clippy::disallowed_methods, reason = "cargo tells by the environment where to write")]
fn main() -> Result<()> {
    let into = PathBuf::from(env::var("OUT_DIR")?);
    let write = |name: &str, packed: Vec<u8>| fs::write(into.join(format!("{name}.gz")), packed);
    let archive = ZipArchive::from_slice(SWAGGER_UI_VENDORED)?;
    for (name, target) in TAKEN {
        let (_, entry, method) = find(&archive, name)?;
        write(target, packed(&archive, entry, method)?)?;
    }
    let (folder, ..) = find(&archive, "LICENSE")?;
    let version = folder.strip_prefix("swagger-ui-").ok_or("the archive does not tell its version")?;
    for name in OURS {
        let text = fs::read_to_string(Path::new("page").join(name))?.replace("{version}", version);
        write(name, compressed(text.as_bytes())?)?;
    }
    println!("cargo::rustc-env=SWAGGER_UI_VERSION={version}");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=page");
    Ok(())
}

/// The folder of a file, where it is, and how it is compressed.
fn find(archive: &Archive, name: &str) -> Result<(String, ZipArchiveEntryWayfinder, CompressionMethod)> {
    for entry in archive.entries() {
        let entry = entry?;
        let path = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
        if let Some((folder, file)) = path.split_once('/')
            && file == name
        {
            return Ok((folder.to_owned(), entry.wayfinder(), entry.compression_method()));
        }
    }
    Err(format!("the archive has no {name}").into())
}

/// A file of the archive in gzip.
fn packed(archive: &Archive, entry: ZipArchiveEntryWayfinder, method: CompressionMethod) -> Result<Vec<u8>> {
    /// Deflated, without a name and a time, from no known system: RFC 1952.
    const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let entry = archive.get_entry(entry)?;
    let claims = entry.claim_verifier();
    let length = u32::try_from(claims.uncompressed_size)?;
    match method {
        CompressionMethod::STORE => compressed(entry.data()),
        CompressionMethod::DEFLATE => {
            Ok([&HEADER, entry.data(), &claims.crc.to_le_bytes(), &length.to_le_bytes()].concat())
        }
        other => Err(format!("the archive is compressed by {other:?}").into()),
    }
}

fn compressed(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut compressor = Compressor::new(CompressionLvl::best());
    let mut packed = vec![0; compressor.gzip_compress_bound(bytes.len())];
    let length = compressor.gzip_compress(bytes, &mut packed)?;
    packed.truncate(length);
    Ok(packed)
}
