//! Random damage of valid inputs.

use rand_xoshiro::Xoshiro256PlusPlus;
use treegauge_core::uniform_below;

/// Greatest length of an input, in bytes.
const LEN_MAX: usize = 1 << 16;

/// Numbers of changes to draw from. One is the most frequent: after many changes nothing valid is
/// left.
const CHANGES: [u32; 6] = [1, 1, 1, 2, 3, 6];

/// Numbers at which arithmetic and allocation go wrong.
const EDGES: [u64; 9] = [0, 1, 0x7f, 0xff, 0xffff, 0x7fff_ffff, 0xffff_ffff, 1 << 63, u64::MAX];

/// Tokens of the texts that the readers parse.
const TOKENS: [&str; 20] = [
    "(",
    ")",
    "=",
    ",",
    " ",
    "/",
    "-",
    ".",
    "é",
    "\u{0}",
    "\n",
    "{",
    "}",
    "\"",
    "null",
    "1e999",
    "-1",
    "18446744073709551616",
    "true",
    ":",
];

/// Uniform random number below `len`, which must not be 0.
fn place(rng: &mut Xoshiro256PlusPlus, len: usize) -> usize {
    uniform_below(rng, u32::try_from(len).expect("inputs are short")) as usize
}

/// One random item of a non-empty slice.
pub(crate) fn pick<'a, T>(rng: &mut Xoshiro256PlusPlus, of: &'a [T]) -> &'a T {
    &of[place(rng, of.len())]
}

/// Makes an input: in 1 of 16 cases random bytes, otherwise a sample with one to six changes.
pub(crate) fn input(rng: &mut Xoshiro256PlusPlus, samples: &[Vec<u8>]) -> Vec<u8> {
    if uniform_below(rng, 16) == 0 {
        let len = uniform_below(rng, 200) as usize;
        return (0..len).map(|_| uniform_below(rng, 256) as u8).collect();
    }
    let mut bytes = pick(rng, samples).clone();
    for _ in 0..*pick(rng, &CHANGES) {
        let other = pick(rng, samples);
        change(rng, &mut bytes, other);
    }
    bytes.truncate(LEN_MAX);
    bytes
}

/// Makes one change. It may splice in a part of `other`.
fn change(rng: &mut Xoshiro256PlusPlus, bytes: &mut Vec<u8>, other: &[u8]) {
    let at = place(rng, bytes.len() + 1);
    if at == bytes.len() {
        // At the end only an addition is possible.
        let token = pick(rng, &TOKENS);
        bytes.extend(token.bytes());
        return;
    }
    match uniform_below(rng, 9) {
        0 => bytes[at] ^= 1 << uniform_below(rng, 8),
        1 => bytes[at] = uniform_below(rng, 256) as u8,
        2 => bytes.truncate(at),
        3 => {
            let len = 1 + place(rng, (bytes.len() - at).min(64));
            bytes.drain(at..at + len);
        }
        4 => {
            let token = pick(rng, &TOKENS);
            bytes.splice(at..at, token.bytes());
        }
        5 => {
            // Inserts a part of another input, or repeats a part of this one.
            let from = if uniform_below(rng, 2) == 0 { other.to_vec() } else { bytes.clone() };
            let begin = place(rng, from.len() + 1);
            let len = (from.len() - begin).min(1 + uniform_below(rng, 256) as usize);
            bytes.splice(at..at, from[begin..begin + len].iter().copied());
        }
        6 => {
            // Two blocks of equal length change places.
            let other = place(rng, bytes.len());
            let (low, high) = (at.min(other), at.max(other));
            let len = (high - low).min(bytes.len() - high).min(1 + uniform_below(rng, 64) as usize);
            let (front, back) = bytes.split_at_mut(high);
            front[low..low + len].swap_with_slice(&mut back[..len]);
        }
        7 => {
            // A number of 1, 2, 4 or 8 bytes becomes an edge value, or one more or less than it
            // was.
            let width = (1 << uniform_below(rng, 4)).min(bytes.len() - at);
            let edge = pick(rng, &EDGES).to_be_bytes();
            if uniform_below(rng, 3) == 0 {
                let last = at + width - 1;
                let up = uniform_below(rng, 2) == 0;
                bytes[last] =
                    if up { bytes[last].wrapping_add(1) } else { bytes[last].wrapping_sub(1) };
            } else {
                bytes[at..at + width].copy_from_slice(&edge[8 - width..]);
            }
        }
        _ => {
            // The next decimal number becomes an edge value or slightly more.
            let digits = |byte: &u8| byte.is_ascii_digit();
            let Some(begin) = bytes[at..].iter().position(digits).map(|n| at + n) else { return };
            let len = bytes[begin..].iter().take_while(|byte| digits(byte)).count();
            let number = pick(rng, &EDGES).wrapping_add(u64::from(uniform_below(rng, 3)));
            bytes.splice(begin..begin + len, number.to_string().bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn equal_seeds_make_equal_inputs_and_others_make_others() {
        let samples = [b"mnk(rows=3,cols=3)".to_vec(), vec![], vec![7; 100]];
        let inputs = |seed| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            (0..500).map(|_| input(&mut rng, &samples)).collect::<Vec<_>>()
        };
        assert_eq!(inputs(1), inputs(1));
        assert_ne!(inputs(1), inputs(2));
        let mut made = inputs(1);
        made.sort();
        made.dedup();
        assert!(made.len() > 350, "only {} of 500 differ", made.len());
    }
}
