//! Reader of protobuf messages, with the wire types that networks use.
//!
//! A message is a sequence of fields. Each begins with a varint: the number of the field times
//! eight, plus the wire type. 0 is a varint, 1 is eight bytes, 2 is a length as a varint and as many
//! bytes, 5 is four bytes (Protocol Buffers, "Encoding"). Nothing here allocates by a length of the
//! file.

use super::error::NetworkError;

/// Bytes of a message, with its place in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message<'a> {
    bytes: &'a [u8],
    offset: usize,
}

/// Value of a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'a> {
    Varint(u64),
    Four([u8; 4]),
    Eight,
    Bytes(Message<'a>),
}

/// Fault of a message, and its place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    reason: &'static str,
    offset: usize,
}

impl Fault {
    pub(super) fn of(self, part: &str) -> NetworkError {
        NetworkError::Damaged { part: part.to_owned(), reason: self.reason, offset: self.offset }
    }
}

impl<'a> Message<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Message<'a> {
        Message { bytes, offset: 0 }
    }

    pub(super) fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    pub(super) fn fault(self, reason: &'static str) -> Fault {
        Fault { reason, offset: self.offset }
    }

    /// Fields in the order of the file: numbers and values.
    pub(super) fn fields(self) -> Fields<'a> {
        Fields(self)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let Some((taken, rest)) = self.bytes.split_at_checked(count) else {
            return Err(self.fault("a field reaches beyond its end"));
        };
        self.bytes = rest;
        self.offset += count;
        Ok(taken)
    }

    fn varint(&mut self) -> Result<u64, Fault> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(self.fault("a number has more than ten bytes"))
    }

    fn field(&mut self) -> Result<(u64, Value<'a>), Fault> {
        let key = self.varint()?;
        let value = match key & 7 {
            0 => Value::Varint(self.varint()?),
            1 => {
                self.take(8)?;
                Value::Eight
            }
            2 => {
                let length = usize::try_from(self.varint()?).unwrap_or(usize::MAX);
                let offset = self.offset;
                Value::Bytes(Message { bytes: self.take(length)?, offset })
            }
            5 => {
                let mut four = [0; 4];
                four.copy_from_slice(self.take(4)?);
                Value::Four(four)
            }
            _ => return Err(self.fault("a field has an unknown wire type")),
        };
        Ok((key >> 3, value))
    }
}

/// Iterator over the fields of a message. It ends after a fault.
pub(super) struct Fields<'a>(Message<'a>);

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Value<'a>), Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.bytes.is_empty() {
            return None;
        }
        let field = self.0.field();
        if field.is_err() {
            self.0.bytes = &[];
        }
        Some(field)
    }
}
