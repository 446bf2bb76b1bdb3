//! Tables as Arrow arrays.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int64Array, RecordBatch,
    RecordBatchOptions, StringArray,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use treegauge::{Column, ColumnType, Table, Values};

/// Key of the header of the run in the metadata of a schema.
const RUN: &str = "treegauge";

/// The columns of a table: counts are `int64`, and names that repeat are dictionaries.
pub(crate) fn batch_of(table: &Table) -> Result<RecordBatch, ArrowError> {
    let columns: Vec<ArrayRef> = table.columns.iter().map(array).collect();
    let fields: Vec<Field> =
        table.columns.iter().zip(&columns).map(|(column, array)| field(column, array)).collect();
    let run = HashMap::from([(RUN.to_owned(), table.run.to_string())]);
    let schema = Arc::new(Schema::new(fields).with_metadata(run));
    let rows = RecordBatchOptions::new().with_row_count(Some(table.len()));
    RecordBatch::try_new_with_options(schema, columns, &rows)
}

fn field(column: &Column, array: &ArrayRef) -> Field {
    let field = Field::new(&column.name, array.data_type().clone(), column.values.has_gaps());
    if column.definition.is_empty() {
        return field;
    }
    let about = [("unit", &column.unit), ("definition", &column.definition)];
    let about = about.map(|(key, value)| (key.to_owned(), value.to_string()));
    field.with_metadata(HashMap::from(about))
}

fn array(column: &Column) -> ArrayRef {
    match &column.values {
        Values::Whole(cells) => Arc::new(Int64Array::from(cells.clone())),
        Values::Real(cells) => Arc::new(Float64Array::from(cells.clone())),
        Values::Flag(cells) => Arc::new(BooleanArray::from(cells.clone())),
        Values::Text(cells) if column.repeats => {
            let texts = cells.iter().map(Option::as_deref);
            Arc::new(texts.collect::<DictionaryArray<Int32Type>>())
        }
        Values::Text(cells) => {
            Arc::new(cells.iter().map(Option::as_deref).collect::<StringArray>())
        }
    }
}

/// A column without cells of a type that [`type_words`] names.
pub(crate) fn column_of(name: String, kind: &str, unit: String, definition: String) -> Column {
    let values = Values::new(match kind {
        "int64" => ColumnType::Whole,
        "double" => ColumnType::Real,
        "bool" => ColumnType::Flag,
        _ => ColumnType::Text,
    });
    let (unit, definition) = (unit.into(), definition.into());
    Column { name, unit, definition, repeats: kind.starts_with("dictionary"), values }
}

/// Name of a type of Arrow that tables have.
pub(crate) fn type_words(kind: &DataType) -> &'static str {
    match kind {
        DataType::Int64 => "int64",
        DataType::Float64 => "double",
        DataType::Boolean => "bool",
        DataType::Dictionary(..) => "dictionary<int32, string>",
        _ => "string",
    }
}
