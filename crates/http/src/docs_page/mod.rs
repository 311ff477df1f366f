//! The pages at `/docs`: Swagger UI with a few files of ours. This module only has the files; `root` serves them.

/// A file of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageFile {
    /// The path at the root of a server.
    pub path: &'static str,
    /// Its `Content-Type`.
    pub kind: &'static str,
    pub gzip: &'static [u8],
    /// Whether another content would have another path. Then clients may keep it for ever.
    pub is_fixed: bool,
}

/// A file that was packed at build time.
macro_rules! packed {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".gz"))
    };
}

/// The path of a file of Swagger UI, with the version in it.
macro_rules! fixed {
    ($before:literal, $after:literal) => {
        concat!("/docs/", $before, env!("SWAGGER_UI_VERSION"), $after)
    };
}

/// All files, the page first.
pub const FILES: [PageFile; 8] = [
    own("/docs", "text/html; charset=utf-8", packed!("index.html")),
    own("/docs/start.js", "text/javascript; charset=utf-8", packed!("start.js")),
    own("/docs/start.css", "text/css; charset=utf-8", packed!("start.css")),
    own("/docs/icon.svg", "image/svg+xml", packed!("icon.svg")),
    taken(fixed!("swagger-ui-", ".js"), "text/javascript; charset=utf-8", packed!("swagger-ui.js")),
    taken(fixed!("swagger-ui-", ".css"), "text/css; charset=utf-8", packed!("swagger-ui.css")),
    taken(fixed!("swagger-ui-", "-LICENSE.txt"), "text/plain; charset=utf-8", packed!("LICENSE")),
    taken(fixed!("swagger-ui-", "-NOTICE.txt"), "text/plain; charset=utf-8", packed!("NOTICE")),
];

const fn own(path: &'static str, kind: &'static str, gzip: &'static [u8]) -> PageFile {
    PageFile { path, kind, gzip, is_fixed: false }
}

const fn taken(path: &'static str, kind: &'static str, gzip: &'static [u8]) -> PageFile {
    PageFile { path, kind, gzip, is_fixed: true }
}

#[cfg(test)]
mod tests {
    use libdeflater::Decompressor;

    use super::*;

    /// The unpacked content, verified by the checksum of the archive.
    fn unpacked(file: &PageFile) -> String {
        let length = file.gzip.last_chunk().map_or(0, |length| u32::from_le_bytes(*length));
        let mut content = vec![0; usize::try_from(length).unwrap()];
        let read = Decompressor::new().gzip_decompress(file.gzip, &mut content).unwrap();
        assert_eq!(read, content.len(), "{}", file.path);
        String::from_utf8(content).unwrap()
    }

    fn content(path: &str) -> String {
        unpacked(FILES.iter().find(|file| file.path == path).unwrap())
    }

    #[test]
    fn every_file_is_whole() {
        assert!(unpacked(&FILES[4]).contains("SwaggerUIBundle"));
        assert!(unpacked(&FILES[5]).contains(".swagger-ui"));
        assert!(FILES.iter().all(|file| !unpacked(file).is_empty()));
    }

    #[test]
    fn the_page_asks_for_nothing_but_these_files_and_runs_nothing_of_its_own() {
        let page = content("/docs");
        let asked = ["href=\"", "src=\""].iter().flat_map(|attribute| page.split(attribute).skip(1));
        for path in asked.map(|rest| &rest[..rest.find('"').unwrap()]) {
            let is_one = FILES.iter().any(|file| file.path == format!("/{path}"));
            assert!(is_one || path == "openapi.json", "{path}");
        }
        assert_eq!(page.matches("<script").count(), page.matches("<script src=").count());
        assert!(!page.contains("<style") && !page.contains(" style=") && !page.contains("://"));
        for ours in ["/docs/start.js", "/docs/start.css"] {
            assert!(!content(ours).contains("://"), "{ours}");
        }
    }
}
