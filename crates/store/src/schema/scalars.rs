//! The types that are stored in one column.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

use pointbook_domain::expiry::{Lots, Moves};
use pointbook_domain::{
    ActivityType, Attributes, BaseUrl, BonusOrigin, Bonuses, CategoryId, ClockOffset, Day, DisabledBecause,
    EarnedCounts, Email, Environment, EventTypes, FeedEntry, Locale, Networks, OperatorId, OperatorName,
    OrderId, OrderStatus, PictureFormat, PictureId, Points, Price, ProductId, Quantity, Role, Scopes, Slug,
    SourceId, TenantId, TenantSettings, Timestamp, TokenHash, TokenId, TokenLabel, TransactionId, UserId,
    WebhookMode, WebhookSecret, WebhookState,
};

use crate::schema::bonuses::{bonuses_from_bytes, bonuses_to_json};
use crate::schema::feed_entries::{feed_entries_from_json, feed_entries_to_json};
use crate::schema::packed_id::{pack, unpack};
use crate::schema::settings::{UnknownSettings, settings_from_json, settings_to_json};
use crate::schema::{
    Cell, CellRef, Column, Columns, Corrupt, Kind, Read, Record, Row, Scalar, Source, Write,
};

/// Declares, for each type, its kind, the getter that reads the column, and the conversions from and to a cell.
macro_rules! stored {
    ($($kind:ident by $get:ident { $($type:ty: $read:expr, $write:expr;)* })*) => {$($(
        impl Columns for $type {
            const WIDTH: usize = 1;

            fn columns(name: &'static str, columns: &mut Vec<Column>) {
                columns.push(Column { name, kind: Self::KIND });
            }
        }

        impl Scalar for $type {
            const KIND: Kind = Kind::$kind;
        }

        impl<'r> Read<'r> for $type {
            #[inline]
            fn read<S: Source + ?Sized>(row: &Record<'r, S>, at: usize) -> Result<Self, Corrupt> {
                row.parse(at, S::$get, $read)
            }
        }

        impl Write for $type {
            fn write<'w>(&'w self, cells: &mut Vec<CellRef<'w>>) {
                let write: fn(&'w $type) -> CellRef<'w> = $write;
                cells.push(write(self));
            }
        }
    )*)*};
}

stored! {
    Integer by integer {
        i64: as_is, |number| CellRef::Integer(*number);
        u64: count, |number| CellRef::Integer(number.cast_signed());
        u32: count, |number| CellRef::Integer(i64::from(*number));
        Points: Points::new, |points| CellRef::Integer(points.get());
        Price: Price::new, |price| CellRef::Integer(price.get());
        Quantity: Quantity::new, |quantity| CellRef::Integer(quantity.get().into());
        Timestamp: timestamp, |time| CellRef::Integer(time.as_micros());
        ClockOffset: clock_offset, |offset| CellRef::Integer(offset.as_micros());
        Day: day, |day| CellRef::Integer(day.as_days().into());
    }
    Truth by truth {
        bool: as_is, |is_true| CellRef::Integer((*is_true).into());
    }
    Text by text {
        String: owned, |text| borrowed(text);
        Arc<str>: owned, |text| borrowed(text);
        Box<str>: owned, |text| borrowed(text);
        TenantId: |id: &str| TenantId::new(id), |id| borrowed(id.as_str());
        UserId: |id: &str| UserId::new(id), |id| borrowed(id.as_str());
        ProductId: |id: &str| ProductId::new(id), |id| borrowed(id.as_str());
        CategoryId: |id: &str| CategoryId::new(id), |id| borrowed(id.as_str());
        SourceId: |id: &str| SourceId::new(id), |id| borrowed(id.as_str());
        OrderId: |id: &str| OrderId::new(id), |id| borrowed(id.as_str());
        BonusOrigin: BonusOrigin::parse, |origin| made(origin.to_string());
        Lots: Lots::parse, |lots| made(lots.to_string());
        Moves: Moves::parse, |moves| made(moves.to_string());
        EarnedCounts: EarnedCounts::parse, |counts| made(counts.to_string());
        Attributes: attributes, |attributes| attributes_to_json(attributes);
        ActivityType: ActivityType::new, |kind| borrowed(kind.as_str());
        OrderStatus: OrderStatus::parse, |status| borrowed(status.as_str());
        Scopes: Scopes::parse, |scopes| made(scopes.to_string());
        Networks: Networks::parse, |networks| made(networks.to_string());
        TokenLabel: |label: &str| TokenLabel::new(label), |label| borrowed(label.as_str());
        EventTypes: EventTypes::parse, |types| made(types.to_string());
        WebhookMode: |text: &str| WebhookMode::parse(text).ok_or("not a mode of webhooks"), |mode| borrowed(mode.as_str());
        WebhookState: |text: &str| WebhookState::parse(text).ok_or("not a state of webhooks"), |state| borrowed(state.as_str());
        DisabledBecause: |text: &str| DisabledBecause::parse(text).ok_or("not a reason"), |reason| borrowed(reason.as_str());
        WebhookSecret: WebhookSecret::parse, |secret| borrowed(secret.reveal());
        Email: Email::parse, |email| borrowed(email.as_str());
        OperatorId: |id: &str| OperatorId::new(id), |id| borrowed(id.as_str());
        TokenId: |id: &str| TokenId::parse(id), |id| made(id.to_string());
        OperatorName: |name: &str| OperatorName::new(name), |name| borrowed(name.as_str());
        PictureFormat: PictureFormat::parse, |format| borrowed(format.content_type());
        Role: Role::parse, |role| borrowed(role.as_str());
        Slug: Slug::new, |slug| borrowed(slug.as_str());
        Environment: Environment::parse, |environment| borrowed(environment.as_str());
        BaseUrl: BaseUrl::parse, |url| borrowed(url.as_str());
        Locale: Locale::new, |locale| borrowed(locale.as_str());
        TenantSettings: settings, |settings| made(settings_to_json(settings, &UnknownSettings::default()));
        Vec<String>: |json: &str| serde_json::from_str(json), |texts| json(texts.iter().map(String::as_str));
        Vec<FeedEntry>: feed_entries_from_json, |entries| made(feed_entries_to_json(entries));
        Vec<CategoryId>: categories, |ids| json(ids.iter().map(CategoryId::as_str));
    }
    Text by raw_text {
        Bonuses: bonuses_from_bytes, |bonuses| CellRef::Text(bonuses_to_json(bonuses));
    }
    Bytes by bytes {
        [u8; 32]: hash, |hash| CellRef::Bytes(hash.into());
        TokenHash: |bytes: &[u8]| hash(bytes).map(TokenHash), |hash| CellRef::Bytes((&hash.0).into());
        PictureId: |bytes: &[u8]| hash(bytes).map(PictureId), |id| CellRef::Bytes((&id.0).into());
        Vec<u8>: |bytes: &[u8]| as_is(bytes.to_vec()), |bytes| CellRef::Bytes(bytes.into());
        TransactionId: transaction_id, |id| CellRef::Bytes(pack(id.as_str()).into());
    }
}

#[expect(clippy::unnecessary_wraps, reason = "other columns are parsed")]
fn as_is<T>(value: T) -> Result<T, Infallible> {
    Ok(value)
}

#[expect(clippy::unnecessary_wraps, reason = "other columns are parsed")]
fn owned<T: for<'t> From<&'t str>>(text: &str) -> Result<T, Infallible> {
    Ok(T::from(text))
}

fn count<T: TryFrom<i64>>(number: i64) -> Result<T, &'static str> {
    T::try_from(number).map_err(|_| "a count out of range")
}

/// Converts from microseconds since the Unix epoch.
pub(super) fn timestamp(micros: i64) -> Result<Timestamp, &'static str> {
    Timestamp::from_micros(micros).ok_or("a time outside the years 1 to 9999")
}

/// Converts from microseconds.
fn clock_offset(micros: i64) -> Result<ClockOffset, &'static str> {
    ClockOffset::from_micros(micros).ok_or("a clock that is behind, or more than 100 years ahead")
}

/// Converts from days since the Unix epoch.
fn day(days: i64) -> Result<Day, &'static str> {
    let day = i32::try_from(days).ok().and_then(Day::from_days);
    day.ok_or("a day outside the years 1 to 9999")
}

fn hash(bytes: &[u8]) -> Result<[u8; 32], &'static str> {
    bytes.try_into().map_err(|_| "a hash must have 32 bytes")
}

fn transaction_id(bytes: &[u8]) -> Result<TransactionId, String> {
    let id = unpack(bytes).map_err(|error| error.to_string())?;
    TransactionId::new(id).map_err(|error| error.to_string())
}

fn settings(json: &str) -> Result<TenantSettings, String> {
    settings_from_json(json).map(|(settings, _)| settings)
}

fn categories(json: &str) -> Result<Vec<CategoryId>, String> {
    let ids: Vec<Box<str>> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    ids.into_iter().map(|id| CategoryId::new(id).map_err(|error| error.to_string())).collect()
}

/// The stored form without attributes, which most activities have.
const NO_ATTRIBUTES: &str = "{}";

fn attributes(json: &str) -> Result<Attributes, String> {
    if json == NO_ATTRIBUTES {
        return Ok(Attributes::NONE);
    }
    let pairs: BTreeMap<String, String> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    Attributes::new(pairs).map_err(|error| error.to_string())
}

fn attributes_to_json(attributes: &Attributes) -> CellRef<'_> {
    if attributes.is_empty() {
        return borrowed(NO_ATTRIBUTES);
    }
    let pairs = attributes.iter().map(|(name, value)| (name.to_owned(), value.into()));
    made(serde_json::Value::Object(pairs.collect()).to_string())
}

fn borrowed(text: &str) -> CellRef<'_> {
    CellRef::Text(Cow::Borrowed(text))
}

fn made<'v>(text: String) -> CellRef<'v> {
    CellRef::Text(Cow::Owned(text))
}

/// Encodes a list of strings as a JSON array.
fn json<'t, 'v>(texts: impl Iterator<Item = &'t str>) -> CellRef<'v> {
    made(texts.collect::<serde_json::Value>().to_string())
}

columns_of! {
    () str as String;
    () RawText<'_> as String;
    () ColumnAt as String;
    () [u8] as Vec<u8>;
}

impl Write for str {
    fn write<'w>(&'w self, cells: &mut Vec<CellRef<'w>>) {
        cells.push(borrowed(self));
    }
}

impl<'r> Read<'r> for &'r str {
    #[inline]
    fn read<S: Source + ?Sized>(row: &Record<'r, S>, at: usize) -> Result<Self, Corrupt> {
        row.parse(at, S::text, as_is)
    }
}

impl Write for [u8] {
    fn write<'w>(&'w self, cells: &mut Vec<CellRef<'w>>) {
        cells.push(CellRef::Bytes(self.into()));
    }
}

impl<'r> Read<'r> for &'r [u8] {
    #[inline]
    fn read<S: Source + ?Sized>(row: &Record<'r, S>, at: usize) -> Result<Self, Corrupt> {
        row.parse(at, S::bytes, as_is)
    }
}

/// The bytes of a string in the database. They may be invalid UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawText<'r>(pub &'r [u8]);

impl<'r> Read<'r> for RawText<'r> {
    #[inline]
    fn read<S: Source + ?Sized>(row: &Record<'r, S>, at: usize) -> Result<Self, Corrupt> {
        row.parse(at, S::raw_text, |text| as_is(Self(text)))
    }
}

/// The index of a column that is read only when needed, or that only errors name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnAt(pub usize);

impl<'r> Read<'r> for ColumnAt {
    #[inline]
    fn read<S: Source + ?Sized>(_: &Record<'r, S>, at: usize) -> Result<Self, Corrupt> {
        Ok(Self(at))
    }
}

/// A row has a variable number of columns, which the caller knows.
impl Columns for Row {
    const WIDTH: usize = 0;

    fn columns(_: &'static str, _: &mut Vec<Column>) {}
}

impl Write for Row {
    fn write<'w>(&'w self, cells: &mut Vec<CellRef<'w>>) {
        cells.extend(self.iter().map(|cell: &Cell| cell.into()));
    }
}
