/**
 * Lists that begin alike share the sums of what they begin with. Views of a grid repeat each other: of 128 of them in a room with a door
 * a quarter of the additions is left. Sums go on from where the shared part ends, so every list is still added from its first entry to
 * its last and the bits are the same.
 */
/** Shared parts are multiples of this many entries: a partial sum that is put down and taken up again costs as much as a few of them. */
const STEP = 4;
/** Longest shared part: 16 KiB of scratch memory hold a partial sum for each multiple of STEP. */
const LONGEST = 508;

/** How many of the first n entries of two lists are the same, of which k are known to be. Reads up to 14 bytes behind the lists. */
function alike(a: usize, b: usize, k: i32, n: i32): i32 {
  for (; k < n; k += 8) {
    const same = i16x8.bitmask(i16x8.eq(v128.load(a + (k << 1)), v128.load(b + (k << 1))));
    if (same != 255) return min(n, k + ctz(~same));
  }
  return n;
}

/**
 * Merges two sorted runs of (list, how much it has in common with the one before). What a head has in common with the list written last
 * decides without a look at the entries, unless both have the same.
 */
function merge(out: usize, a: usize, aEnd: usize, b: usize, bEnd: usize, bounds: usize, entries: usize): void {
  let sameA = 0;
  let sameB = 0;
  for (; a < aEnd && b < bEnd; out += 8) {
    const same = max(sameA, sameB);
    let takeA: bool = sameA > sameB;
    if (sameA == sameB) {
      const x = bounds + (load<i32>(a) << 2);
      const y = bounds + (load<i32>(b) << 2);
      const p = entries + (load<i32>(x) << 1);
      const q = entries + (load<i32>(y) << 1);
      const n = load<i32>(x, 4) - load<i32>(x);
      const least = min(n, load<i32>(y, 4) - load<i32>(y));
      const k = alike(p, q, same, least);
      takeA = k == least ? k == n : load<u16>(p + (k << 1)) < load<u16>(q + (k << 1));
      if (takeA) sameB = k;
      else sameA = k;
    }
    store<i32>(out, same, 4);
    if (takeA) {
      store<i32>(out, load<i32>(a));
      a += 8;
      sameA = load<i32>(a, 4);
    } else {
      store<i32>(out, load<i32>(b));
      b += 8;
      sameB = load<i32>(b, 4);
    }
  }
  if (a == aEnd) {
    a = b;
    aEnd = bEnd;
    sameA = sameB;
  }
  if (a == aEnd) return;
  store<i32>(out, load<i32>(a));
  store<i32>(out, sameA, 4);
  for (a += 8; a < aEnd; a += 8) {
    out += 8;
    store<u64>(out, load<u64>(a));
  }
}

/** A partial sum of `from` entries goes on with entries p to end - 1. to: the list that is whole then; ~d: a shared part of d entries. */
@inline function write(record: usize, from: i32, p: i32, end: i32, to: i32): void {
  store<i32>(record, from);
  store<i32>(record, p, 4);
  store<i32>(record, end, 8);
  store<i32>(record, to, 12);
}

/**
 * The order in which to add up m lists: out holds the addresses of the first record and behind the last, then room to work in, then
 * records of 16 bytes (see `write`), two for each list at most; 13 m + 6 words in all. bounds: m + 1 numbers, list i being entries
 * bounds[i] to bounds[i + 1] - 1 (u16).
 */
export function codeOrder(out: usize, bounds: usize, entries: usize, m: i32): void {
  let runs = out + 8;
  let other = runs + ((m + 1) << 3);
  const next = other + ((m + 1) << 3);
  let record = next + (m << 2) + (m << 5);
  store<usize>(out, record, 4);
  let n = 0;
  for (let i = 0; i < m; i++) {
    const p = load<i32>(bounds + (i << 2));
    if (p == load<i32>(bounds + (i << 2), 4)) {
      record -= 16;
      write(record, 0, p, p, i);
    } else {
      store<i32>(runs + (n << 3), i);
      store<i32>(runs + (n << 3), 0, 4);
      n++;
    }
  }
  const all: usize = n << 3;
  for (let width: usize = 8; width < all; width <<= 1) {
    for (let at: usize = 0; at < all; at += width << 1) {
      const middle = runs + min(at + width, all);
      merge(other + at, runs + at, middle, middle, runs + min(at + (width << 1), all), bounds, entries);
    }
    const swap = runs;
    runs = other;
    other = swap;
  }
  // From the last list to the first: of each, the shared parts that end in it are known then. next: the next list that shares less.
  store<i32>(runs + all, -1, 4);
  for (let i = n - 1; i >= 0; i--) {
    const at = runs + (i << 3);
    const shared = min(load<i32>(at, 4) & -STEP, LONGEST);
    store<i32>(at, shared, 4);
    const list = load<i32>(at);
    const p = load<i32>(bounds + (list << 2));
    let j = i + 1;
    let depth = load<i32>(runs + (j << 3), 4);
    const deepest = max(shared, depth);
    record -= 16;
    write(record, deepest, p + deepest, load<i32>(bounds + (list << 2), 4), list);
    while (depth > shared) {
      j = load<i32>(next + (j << 2));
      const below = load<i32>(runs + (j << 3), 4);
      const from = max(shared, below);
      record -= 16;
      write(record, from, p + from, p + depth, ~depth);
      depth = below;
    }
    while (depth == shared) {
      j = load<i32>(next + (j << 2));
      depth = load<i32>(runs + (j << 3), 4);
    }
    store<i32>(next + (i << 2), j);
  }
  store<usize>(out, record);
}
