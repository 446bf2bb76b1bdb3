//! Reader of solution files.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use treegauge_core::{KeyCode, Phase, Progress, Watch, without_path};
use treegauge_store::open;
use xxhash_rust::xxh3::xxh3_64;

use crate::indexed;
use crate::memory::{Memory, list_bytes};
use crate::parallel::{self, Items, piece};
use crate::rules::{Expander, Reduction, Solvable};
use crate::solution::{Solution, TierTable};
use crate::table::Table;
use crate::value::ExactValue;

use super::block::{BLOCK_LEN, Block, block_bytes_max, decode};
use super::directory::{Section, read_at, read_checked, read_directory, read_header};
use super::error::{FileError, Part};
use super::header::Header;
use super::rules_hash::{position_rules_hash, rules_hash};

/// Number of decoded blocks kept in memory.
const CACHE_LEN: usize = 16;

/// Number of blocks that are read before they are decoded together.
const BATCH_LEN: usize = 16;

/// Positions whose tiers one thread computes at a time.
const CHUNK: usize = 1 << 10;

/// Solution file, open for look-ups.
#[derive(Debug)]
pub struct SolutionFile<K> {
    path: PathBuf,
    rules: Solvable<K>,
    start: K,
    reduction: Reduction,
    header: Header,
    /// First key of each block, and the offset of the block.
    index: Vec<(K, u64)>,
    sections: Vec<Section>,
    reader: Mutex<BlockReader<K>>,
}

/// The open file, and the blocks that were used last, the latest at the end.
#[derive(Debug)]
struct BlockReader<K> {
    file: File,
    cache: Vec<(usize, Arc<Block<K>>)>,
}

impl Header {
    /// Reads the header of a solution file, which names the game.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is not a solution file, or its header or length shows damage.
    pub fn of_file(path: &Path) -> Result<Header, FileError> {
        read_header(&mut open(path)?)
    }
}

impl<K: KeyCode> SolutionFile<K> {
    /// Opens a file: reads its header, its index and its directory of sections. `spec` is the
    /// canonical name of the game.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, belongs to another game, was made with other rules or keys, or
    /// is damaged in the parts read.
    pub fn open(path: &Path, rules: Solvable<K>, spec: &str) -> Result<Self, FileError> {
        let mut file = open(path)?;
        let header = read_header(&mut file)?;
        if without_path(&header.spec) != spec {
            let there = header.spec;
            return Err(FileError::OtherGame { there, here: spec.to_owned() });
        }
        let other = || FileError::OtherRules { game: spec.to_owned() };
        // The start is parsed from its text: with other keys, the stored key might not be a valid
        // state.
        let start = rules.parse_position(&header.start).map_err(|_| other())?;
        let mut start_key = vec![0; K::BYTES];
        start.write(&mut start_key);
        if start_key != header.start_key || start_key.len() != header.key_bytes as usize {
            return Err(other());
        }
        let reduction = if header.reduced {
            Reduction::of(&rules, start).map_err(|_| other())?
        } else {
            Reduction::none()
        };
        if rules_hash(&rules, &reduction, spec, start) != header.rules_hash {
            let without_limits = position_rules_hash(&rules, &reduction, spec, start);
            if without_limits == header.rules_hash {
                return Err(FileError::WithoutLimits { game: spec.to_owned() });
            }
            return Err(other());
        }
        let index = read_index(&mut file, &header)?;
        let sections = read_directory(&mut file, &header)?;
        let reader = Mutex::new(BlockReader { file, cache: Vec::new() });
        let path = path.to_owned();
        Ok(SolutionFile { path, rules, start, reduction, header, index, sections, reader })
    }

    /// Reads the whole solution and checks that its values follow from each other.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, a block is damaged or a value is wrong, when it takes more
    /// than `memory_bytes_max`, or when `watch` says stop ([`FileError::Interrupted`]).
    pub fn load(
        &self,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<Solution<K>, FileError> {
        let memory = Memory::new(memory_bytes_max);
        let tables = self.tables(&memory, watch)?;
        let (start, reduction) = (self.start, self.reduction.clone());
        let solution = Solution::watched(self.rules.clone(), start, reduction, tables, watch)
            .map_err(|_| FileError::Interrupted)?;
        let agrees = solution.stored() == self.header.stored
            && solution.reachable() == self.header.reachable
            && solution.index_of(self.start).is_some();
        if !agrees {
            return Err(FileError::Damaged(Part::Header));
        }
        match solution.disagreement(&memory, watch)? {
            None => Ok(solution),
            Some(state) => {
                let position = self.rules.position_text(state);
                Err(FileError::Contradiction { position })
            }
        }
    }

    /// Path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Header of the file.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Rules of the game.
    #[must_use]
    pub fn rules(&self) -> &Solvable<K> {
        &self.rules
    }

    /// Position from which all others are reached.
    #[must_use]
    pub fn start(&self) -> K {
        self.start
    }

    /// Reduction by symmetry that the positions are stored with.
    #[must_use]
    pub fn reduction(&self) -> &Reduction {
        &self.reduction
    }

    /// Value of a state; `None` if it cannot be reached from the start. Reads at most one block.
    ///
    /// # Errors
    ///
    /// When the block cannot be read or is damaged.
    pub fn get(&self, state: K) -> Result<Option<ExactValue>, FileError> {
        let key = Expander::new(&self.rules, &self.reduction).stored_key(state);
        let Some(n) = self.index.partition_point(|&(first, _)| first <= key).checked_sub(1) else {
            return Ok(None);
        };
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let block = match reader.cache.iter().position(|&(cached, _)| cached == n) {
            Some(place) => reader.cache.remove(place).1,
            None => {
                let bytes = self.read_bytes(&mut reader.file, n)?;
                Arc::new(self.decoded(n, &bytes)?)
            }
        };
        if reader.cache.len() == CACHE_LEN {
            reader.cache.remove(0);
        }
        reader.cache.push((n, Arc::clone(&block)));
        drop(reader);
        Ok(block.get(key))
    }

    /// Number of stored positions.
    pub(crate) fn len(&self) -> Result<usize, FileError> {
        let len = usize::try_from(self.header.stored.total());
        len.map_err(|_| FileError::Damaged(Part::Header))
    }

    /// Reads the tables of the solution.
    fn tables(&self, memory: &Memory, watch: &dyn Watch) -> Result<Vec<TierTable<K>>, FileError> {
        let rules = &self.rules;
        let tiers_of = |codes: &[K]| -> Vec<(K, u32)> {
            let with_tiers = parallel::map(codes.len().div_ceil(CHUNK), &|n| {
                let codes = codes[piece(n, CHUNK, codes.len())].iter();
                codes.map(|&code| (code, rules.tier(code))).collect::<Vec<_>>()
            });
            with_tiers.concat()
        };
        if let Some(len) = indexed::len_for(rules, self.header.stored.total()) {
            let mut loading = indexed::Loading::new(len, rules.has_tiers(), memory)?;
            self.for_blocks(watch, |n, block| {
                let fits = loading.add(&tiers_of(&block.keys), block.values, memory)?;
                if fits { Ok(()) } else { Err(FileError::Damaged(Part::Block(n))) }
            })?;
            return Ok(vec![loading.finish()]);
        }
        let mut tiers = BTreeMap::<u32, Vec<(K, ExactValue)>>::new();
        if !rules.has_tiers() {
            // The length of a single list is known, so it need not grow.
            memory.reserve(tiers.entry(0).or_default(), self.len()?)?;
        }
        self.for_blocks(watch, |_, block| {
            for ((key, tier), valued) in tiers_of(&block.keys).into_iter().zip(block.values) {
                let list = tiers.entry(tier).or_default();
                memory.reserve_one(list)?;
                list.push((key, valued));
            }
            Ok(())
        })?;
        let table = |(tier, positions): (u32, Vec<(K, ExactValue)>)| {
            let len = positions.len();
            memory.take(Table::<K>::bytes(len) + (len * size_of::<ExactValue>()) as u64)?;
            let list = list_bytes(&positions);
            let table = TierTable::new(tier, positions);
            memory.give(list);
            Ok(table)
        };
        tiers.into_iter().map(table).collect()
    }

    /// Names of the sections, in the order of the directory.
    pub fn section_names(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(|section| section.name.as_str())
    }

    /// Contents of a section; `None` if no section has this name.
    ///
    /// # Errors
    ///
    /// When it cannot be read or is damaged.
    pub fn section(&self, name: &str) -> Result<Option<Vec<u8>>, FileError> {
        let Some(section) = self.sections.iter().find(|section| section.name == name) else {
            return Ok(None);
        };
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let contents = read_at(&mut reader.file, section.at, section.len, &self.header)?;
        if xxh3_64(&contents) != section.check {
            return Err(FileError::Damaged(Part::Section(name.to_owned())));
        }
        Ok(Some(contents))
    }

    /// Calls `take` with every block in turn. Blocks are decoded on all threads. Their keys are
    /// checked to be valid positions, since a file can be damaged in a way that its checksums do
    /// not show.
    pub(crate) fn for_blocks(
        &self,
        watch: &dyn Watch,
        take: impl FnMut(usize, Block<K>) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        self.blocks_from(0, watch, take)
    }

    /// Calls `take` with the blocks from `first` on, as [`SolutionFile::for_blocks`] does.
    pub(super) fn blocks_from(
        &self,
        first: usize,
        watch: &dyn Watch,
        mut take: impl FnMut(usize, Block<K>) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        for begin in (first..self.index.len()).step_by(BATCH_LEN) {
            let done = (begin * BLOCK_LEN) as u64;
            watch.progress(Progress::new(Phase::Load, done, self.header.stored.total()));
            if watch.stop() {
                return Err(FileError::Interrupted);
            }
            let mut batch = Vec::with_capacity(BATCH_LEN);
            {
                let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
                for n in begin..self.index.len().min(begin + BATCH_LEN) {
                    batch.push((n, self.read_bytes(&mut reader.file, n)?));
                }
            }
            let decode = |(n, bytes): (usize, Vec<u8>)| {
                let block = self.decoded(n, &bytes).and_then(|block| {
                    let sound = block.keys.iter().all(|&code| self.rules.has_position(code));
                    if sound { Ok(block) } else { Err(FileError::Damaged(Part::Block(n))) }
                });
                (n, block)
            };
            let batch = Items::of(batch.into_iter());
            let blocks = parallel::map(batch.len(), &|place| decode(batch.take(place)));
            for (n, block) in blocks {
                take(n, block?)?;
            }
        }
        Ok(())
    }

    /// Number of blocks.
    pub(super) fn block_count(&self) -> usize {
        self.index.len()
    }

    /// Block `n`, whose keys are valid positions.
    pub(super) fn block(&self, n: usize) -> Result<Block<K>, FileError> {
        let bytes = {
            let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
            self.read_bytes(&mut reader.file, n)?
        };
        let block = self.decoded(n, &bytes)?;
        let is_sound = block.keys.iter().all(|&code| self.rules.has_position(code));
        if is_sound { Ok(block) } else { Err(FileError::Damaged(Part::Block(n))) }
    }

    fn read_bytes(&self, file: &mut File, n: usize) -> Result<Vec<u8>, FileError> {
        let at = self.index[n].1;
        let end = self.index.get(n + 1).map_or(self.header.index_at, |next| next.1);
        read_at(file, at, end - at, &self.header)
    }

    /// Decodes block `n` and checks that its keys lie where the index says.
    fn decoded(&self, n: usize, bytes: &[u8]) -> Result<Block<K>, FileError> {
        let fits = |block: &Block<K>| {
            let next = self.index.get(n + 1).map(|next| next.0);
            let last = block.keys[block.keys.len() - 1];
            block.keys[0] == self.index[n].0 && next.is_none_or(|next| last < next)
        };
        // All blocks but the last are full.
        let len = match self.index.len() - 1 - n {
            0 => self.len()? - n * BLOCK_LEN,
            _ => BLOCK_LEN,
        };
        decode(bytes, len).filter(fits).ok_or(FileError::Damaged(Part::Block(n)))
    }
}

fn read_index<K: KeyCode>(file: &mut File, header: &Header) -> Result<Vec<(K, u64)>, FileError> {
    let damaged = || FileError::Damaged(Part::Index);
    let row_bytes = K::BYTES + 8;
    // The lengths that follow from the number of positions are checked before anything is read.
    let block_count = header.stored.total().div_ceil(BLOCK_LEN as u64);
    if header.block_count != block_count || block_count == 0 {
        return Err(FileError::Damaged(Part::Header));
    }
    let index_bytes = block_count.checked_mul(row_bytes as u64).and_then(|n| n.checked_add(8));
    if index_bytes != Some(header.sections_at - header.index_at) {
        return Err(damaged());
    }
    let bytes = read_checked(file, header.index_at, header.sections_at, header, Part::Index)?;
    let index: Vec<(K, u64)> = bytes
        .chunks_exact(row_bytes)
        .map(|row| (K::read(&row[..K::BYTES]), u64::read(&row[K::BYTES..])))
        .collect();
    let ascends = index.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1)
        && index.last().is_some_and(|last| last.1 < header.index_at);
    let ends = index.iter().skip(1).map(|next| next.1).chain([header.index_at]);
    let fits = |(begin, end): (&(K, u64), u64)| {
        end.checked_sub(begin.1).is_some_and(|len| len <= block_bytes_max::<K>())
    };
    let ascends = ascends && index.iter().zip(ends).all(fits);
    if ascends { Ok(index) } else { Err(damaged()) }
}
