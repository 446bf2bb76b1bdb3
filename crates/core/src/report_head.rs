//! Header of a report: its kind and the version of its fields.

use std::fmt;
use std::marker::PhantomData;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Type of report with a name and a version.
pub trait ReportKind {
    /// Value of `"kind"` in the JSON.
    const KIND: &'static str;

    /// Value of `"schema"` in the JSON, the version of the fields. Adding a field keeps the
    /// version. Removing a field or changing its meaning requires the next one.
    const SCHEMA: u32 = 1;

    /// Checks that the parts of a parsed report fit together, so that references between them are
    /// valid.
    ///
    /// # Errors
    ///
    /// Description of the inconsistency, in words.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

/// First two fields of a report: `"schema"` and `"kind"`. The value is zero-sized. Both fields are
/// checked when a report is read.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use treegauge_core::{ReportHeader, ReportKind};
///
/// #[derive(Serialize, Deserialize)]
/// struct Count {
///     #[serde(flatten)]
///     head: ReportHeader<Count>,
///     games: u32,
/// }
///
/// impl ReportKind for Count {
///     const KIND: &'static str = "count";
/// }
///
/// let text = serde_json::to_string(&Count { head: ReportHeader::NEW, games: 3 }).unwrap();
/// assert_eq!(text, r#"{"schema":1,"kind":"count","games":3}"#);
/// assert_eq!(serde_json::from_str::<Count>(&text).unwrap().games, 3);
/// assert!(serde_json::from_str::<Count>(r#"{"schema":2,"kind":"count","games":3}"#).is_err());
/// ```
pub struct ReportHeader<R>(PhantomData<fn() -> R>);

impl<R> ReportHeader<R> {
    /// Header of a report of this type.
    pub const NEW: Self = ReportHeader(PhantomData);

    /// Header for a schema and a kind that were read.
    ///
    /// # Errors
    ///
    /// When the kind or the schema is not that of `R`. The error says so in words.
    pub fn of(schema: u32, kind: &str) -> Result<Self, String>
    where
        R: ReportKind,
    {
        if kind != R::KIND {
            return Err(format!("a report of kind {kind:?}, not {:?}", R::KIND));
        }
        if schema != R::SCHEMA {
            return Err(format!(
                "schema {schema} of kind {kind:?}; only schema {} can be read",
                R::SCHEMA
            ));
        }
        Ok(Self::NEW)
    }
}

impl<R> Clone for ReportHeader<R> {
    fn clone(&self) -> Self {
        Self::NEW
    }
}

impl<R: ReportKind> fmt::Debug for ReportHeader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", R::KIND, R::SCHEMA)
    }
}

impl<R> PartialEq for ReportHeader<R> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// JSON form of the header.
#[derive(Serialize, Deserialize)]
struct Fields {
    schema: u32,
    kind: String,
}

impl<R: ReportKind> Serialize for ReportHeader<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Fields { schema: R::SCHEMA, kind: R::KIND.to_owned() }.serialize(serializer)
    }
}

impl<'de, R: ReportKind> Deserialize<'de> for ReportHeader<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Fields { schema, kind } = Fields::deserialize(deserializer)?;
        Self::of(schema, &kind).map_err(D::Error::custom)
    }
}

/// Tests whether a field has its default value and need not be written:
/// `skip_serializing_if = "is_default"`.
#[must_use]
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
