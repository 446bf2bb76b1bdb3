//! Blocks of slots in one vector, which grow by moving.

use crate::tree::capacity_of;

/// Slots in blocks whose capacities are 1, 2, 3, 4, 6, 8, 12, 16, ..., so that at most a third of a block
/// is empty. A block that was outgrown is used again by others of its capacity.
#[derive(Clone, Debug)]
pub(super) struct Blocks<T> {
    slots: Vec<T>,
    /// By capacity, the first slots of blocks that are free.
    free: Vec<Vec<u32>>,
    /// The sum of their capacities.
    free_slots: usize,
}

impl<T> Default for Blocks<T> {
    fn default() -> Self {
        Blocks { slots: Vec::new(), free: Vec::new(), free_slots: 0 }
    }
}

impl<T: Copy> Blocks<T> {
    /// Empties it and keeps its memory.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.free.iter_mut().for_each(Vec::clear);
        self.free_slots = 0;
    }

    /// The slots, empty ones included.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(&self.slots[..])
    }

    /// The used slots of a block.
    #[inline]
    pub(super) fn slots(&self, first: u32, count: u16) -> &[T] {
        &self.slots[first as usize..][..usize::from(count)]
    }

    /// The same, to be changed.
    #[inline]
    pub(super) fn slots_mut(&mut self, first: u32, count: u16) -> &mut [T] {
        &mut self.slots[first as usize..][..usize::from(count)]
    }

    /// Whether more than a quarter of the slots is free.
    #[inline]
    pub(super) fn has_gaps(&self) -> bool {
        self.free_slots * 4 > self.slots.len()
    }

    /// Puts `value` behind the `count` used slots of a block that will have at most `most`; where the block is
    /// then.
    pub(super) fn push(&mut self, first: u32, count: u32, most: u32, value: T) -> u32 {
        let capacity = capacity_of(count, most);
        let mut at = first;
        if count == capacity {
            at = self.take(capacity_of(count + 1, most), value);
            if count > 0 {
                let old = first as usize;
                self.slots.copy_within(old..old + count as usize, at as usize);
                self.give(first, capacity);
            }
        }
        self.slots[(at + count) as usize] = value;
        at
    }

    /// Adds a block with these slots behind all others; its place.
    pub(super) fn add_block(&mut self, used: &[T], most: u32) -> u32 {
        let first = self.slots.len();
        self.slots.extend_from_slice(used);
        if let Some(&any) = used.last() {
            self.slots.resize(first + capacity_of(used.len() as u32, most) as usize, any);
        }
        first as u32
    }

    fn take(&mut self, capacity: u32, any: T) -> u32 {
        if let Some(first) = self.free.get_mut(capacity as usize).and_then(Vec::pop) {
            self.free_slots -= capacity as usize;
            return first;
        }
        let first = self.slots.len();
        self.slots.resize(first + capacity as usize, any);
        u32::try_from(first).expect("there are fewer than 2^32 slots")
    }

    fn give(&mut self, first: u32, capacity: u32) {
        let by_capacity = capacity as usize;
        if self.free.len() <= by_capacity {
            self.free.resize_with(by_capacity + 1, Vec::new);
        }
        self.free[by_capacity].push(first);
        self.free_slots += by_capacity;
    }
}
