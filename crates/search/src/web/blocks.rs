//! Growing blocks of slots in one vector.

use crate::tree::capacity_of;

/// Slots in blocks with the capacities 1, 2, 3, 4, 6, 8, 12, 16, ..., so that at most a third of a
/// block is empty. A block that was outgrown is reused by others of its capacity.
#[derive(Clone, Debug)]
pub(super) struct Blocks<T> {
    slots: Vec<T>,
    /// First slots of the free blocks, by capacity.
    free: Vec<Vec<u32>>,
    /// Sum of the capacities of the free blocks.
    free_slots: usize,
}

impl<T> Default for Blocks<T> {
    fn default() -> Self {
        Blocks { slots: Vec::new(), free: Vec::new(), free_slots: 0 }
    }
}

impl<T: Copy> Blocks<T> {
    /// Removes all blocks but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.free.iter_mut().for_each(Vec::clear);
        self.free_slots = 0;
    }

    /// Number of slots, including empty ones.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(&self.slots[..])
    }

    /// Used slots of a block.
    #[inline]
    pub(super) fn slots(&self, first: u32, count: u16) -> &[T] {
        &self.slots[first as usize..][..usize::from(count)]
    }

    /// Used slots of a block, mutable.
    #[inline]
    pub(super) fn slots_mut(&mut self, first: u32, count: u16) -> &mut [T] {
        &mut self.slots[first as usize..][..usize::from(count)]
    }

    /// Returns whether more than a quarter of the slots is free.
    #[inline]
    pub(super) fn has_gaps(&self) -> bool {
        self.free_slots * 4 > self.slots.len()
    }

    /// Appends `value` to the `count` used slots of a block that will have at most `most`, and
    /// returns the block's new first slot.
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

    /// Adds a block with these slots after all others, and returns its first slot.
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
