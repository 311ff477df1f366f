//! How the parameters are read, and the messages of errors.

use super::*;
use crate::query::ReadQuery;
use crate::query_string::QueryString;

mod import_mode {
    use super::*;

    #[test]
    fn a_mode_is_one_of_two() {
        let read = |raw| {
            let read = QueryString::parse(Some(raw)).unwrap().read(import_mode);
            read.map_err(|errors| serde_json::to_string(&errors).unwrap())
        };
        for raw in ["", "mode=", "mode=lines", "lines=1&mode[x]="] {
            assert_eq!(read(raw), Ok(ImportMode::Lines), "{raw}");
        }
        assert_eq!(read("mode=+atomic"), Ok(ImportMode::Atomic));
        for raw in ["mode=Atomic", "mode=both", "mode=lines,atomic"] {
            assert_eq!(read(raw), Err(r#"{"mode":["The selected mode is invalid."]}"#.to_owned()), "{raw}");
        }
        assert_eq!(read("mode[]=atomic"), Err(r#"{"mode":["The mode must be a string."]}"#.to_owned()));
    }
}
