//! Compressing bytes, with what each thread keeps for it.

use std::cell::RefCell;

use libdeflater::{CompressionLvl, Compressor as Deflater};
use zstd::bulk::Compressor as Zstd;

use super::Coding;

/// JSON that repeats its keys shrinks to a fifth or so by the cheapest level; the next ones take half as long again for
/// a tenth of that.
const ZSTD_LEVEL: i32 = 1;
const GZIP_LEVEL: i32 = 1;

thread_local! {
    static ZSTD: RefCell<Option<Zstd<'static>>> = const { RefCell::new(None) };
    static GZIP: RefCell<Option<Deflater>> = const { RefCell::new(None) };
}

/// None where there is no memory for it.
pub(super) fn compress(bytes: &[u8], coding: Coding) -> Option<Vec<u8>> {
    match coding {
        Coding::Zstd => ZSTD.with_borrow_mut(|kept| {
            let compressor = match kept {
                Some(compressor) => compressor,
                None => kept.insert(Zstd::new(ZSTD_LEVEL).ok()?),
            };
            compressor.compress(bytes).ok()
        }),
        Coding::Gzip => GZIP.with_borrow_mut(|kept| {
            let compressor = match kept {
                Some(compressor) => compressor,
                None => kept.insert(Deflater::new(CompressionLvl::new(GZIP_LEVEL).ok()?)),
            };
            let mut compressed = vec![0; compressor.gzip_compress_bound(bytes.len())];
            let length = compressor.gzip_compress(bytes, &mut compressed).ok()?;
            compressed.truncate(length);
            compressed.shrink_to_fit();
            Some(compressed)
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn what_was_compressed_is_what_it_was() {
        let long: Vec<u8> = (0..300_000_u32).flat_map(u32::to_le_bytes).collect();
        for bytes in [&b""[..], b"{}", &[b'x'; 5_000], &long] {
            let zstd = compress(bytes, Coding::Zstd).unwrap();
            assert_eq!(zstd::bulk::decompress(&zstd, bytes.len()).unwrap(), bytes);
            let mut unpacked = Vec::new();
            GzDecoder::new(&*compress(bytes, Coding::Gzip).unwrap()).read_to_end(&mut unpacked).unwrap();
            assert_eq!(unpacked, bytes);
        }
    }
}
