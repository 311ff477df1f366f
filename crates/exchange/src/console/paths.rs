//! Where the section is, and what it takes from whom.

use pointbook_access::console_kit::Access;
use pointbook_domain::Scope;
use pointbook_http::pages::FormLimits;

use crate::import::Kind;

/// The path of the section.
pub(crate) const SECTION: &str = "/imports";

pub(crate) const PRODUCTS: Access = Access::Scope(Scope::ProductsWrite);
pub(crate) const ACTIVITIES: Access = Access::Scope(Scope::ActivitiesWrite);

pub(crate) const USERS: Access = Access::Scope(Scope::UsersWrite);
pub(crate) const CATEGORIES: Access = Access::Scope(Scope::CategoriesWrite);

/// The kinds of files that the section imports, and who may import them.
pub(crate) const KINDS: [(Kind, Access); 4] = [
    (Kind::Products, PRODUCTS),
    (Kind::Activities, ACTIVITIES),
    (Kind::Users, USERS),
    (Kind::Categories, CATEGORIES),
];

/// The largest file, in bytes. It is in memory while it is imported.
pub(crate) const MAX_FILE_BYTES: usize = 8 << 20;

/// The largest file with a tree, in bytes: the largest body of `PUT /v1/manage/categories`. JSON takes many times its size in memory.
const MAX_TREE_BYTES: usize = 1 << 20;

/// The largest file of this kind, in bytes.
pub(crate) fn max_bytes(kind: Kind) -> usize {
    if kind == Kind::Categories { MAX_TREE_BYTES } else { MAX_FILE_BYTES }
}

/// A file, and the fields around it. A file that is a little too large still gets the page that says so.
pub(crate) const UPLOAD: FormLimits =
    FormLimits { bytes: MAX_FILE_BYTES + (1 << 20), fields: 8, files: 1, too_large: "import-too-large" };

/// The field with the file, and that of the two buttons.
pub(crate) const FILE: &str = "file";
pub(crate) const BUTTON: &str = "do";
pub(crate) const TRY: &str = "try";
pub(crate) const IMPORT: &str = "import";
