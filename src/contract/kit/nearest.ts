/** Names that another may stand for: "catpole" is one letter away from "cartpole", and "vicsek" a part of "vicsek-swarm". */

/** Compared in full, this many characters are compared at most; longer names are no misspellings of anything here. */
const LONGEST = 64;

/**
 * How many single edits lead from one text to the other: a character inserted, left out, replaced, or two neighbours swapped (optimal string
 * alignment). Texts over 64 characters count as infinitely far apart.
 */
export function editDistance(a: string, b: string): number {
  if (a.length > LONGEST || b.length > LONGEST) return Number.POSITIVE_INFINITY;
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}

/** As written in a search box: case, spaces, dashes and underscores do not count. */
const plain = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '');

/** Letters that a word has at least to be sought inside of names: "car" is in too many. */
const PART = 4;

/**
 * The names nearest to a word, best first, at most `most`: those that differ in at most a third of its characters; where there are none, those that
 * contain it ("vicsek": vicsek-swarm), the shortest first.
 */
export function nearest(word: string, names: Iterable<string>, most = 3): readonly string[] {
  const sought = plain(word);
  if (sought.length < 3) return [];
  const allowed = Math.floor(sought.length / 3);
  const all = [...new Set(names)].map((name) => ({ name, distance: editDistance(sought, plain(name)) }));
  const alike = all.filter(({ distance }) => distance <= allowed).sort((a, b) => a.distance - b.distance);
  const around = all
    .filter(({ name }) => sought.length >= PART && plain(name).includes(sought))
    .sort((a, b) => a.name.length - b.name.length);
  return (alike.length > 0 ? alike : around).slice(0, most).map(({ name }) => name);
}

/** Names that a long list is cut to in a message. */
const LISTED = 12;

/**
 * What to do about a name that does not exist, as a sentence: the names most like it, or, where none is, the names there are. A long list is
 * cut after twelve. What is no text is like none of them.
 */
export function whichOf(word: unknown, names: readonly string[]): string {
  const like = typeof word === 'string' ? nearest(word, names) : [];
  if (like.length > 0) return `Did you mean ${like.join(' or ')}?`;
  if (names.length === 0) return 'There are none.';
  const rest = names.length - LISTED;
  return rest <= 1 ? `Use one of: ${names.join(', ')}.` : `Use one of: ${names.slice(0, LISTED).join(', ')} and ${rest} more.`;
}
