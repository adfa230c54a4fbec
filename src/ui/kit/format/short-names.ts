/**
 * Names cut to `longest` characters so that different ones stay different: the end is cut off, and where two would then read alike, a piece before
 * the words in which they differ, "P174: goes where most is ga… cover". Names that no cut tells apart lose their ends.
 */
export function shortNames(names: readonly string[], longest: number): readonly string[] {
  const different = new Set(names).size;
  const most = Math.max(0, ...names.map((name) => name.split(' ').length));
  for (let words = 0; words < most; words++) {
    const cut = names.map((name) => shortened(name, longest, words));
    if (new Set(cut).size === different) return cut;
  }
  return names.map((name) => shortened(name, longest, 0));
}

/** With as many of its last words as asked for and as there is room for. */
function shortened(name: string, longest: number, words: number): string {
  if (name.length <= longest) return name;
  const all = name.split(' ');
  const end = words === 0 ? '' : ` ${all.slice(-words).join(' ')}`;
  return `${name.slice(0, Math.max(0, longest - 1 - end.length))}…${end}`.slice(0, longest);
}
