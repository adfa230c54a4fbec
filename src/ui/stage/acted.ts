/** Stretches of steps in which a person acted: [from, to). Of a game played alone, none: there it was all of them. */
export function spansOf(human: Int16Array | undefined): readonly (readonly [from: number, to: number])[] {
  const spans: (readonly [number, number])[] = [];
  if (human?.includes(-1) !== true) return spans;
  for (let t = 0; t < human.length; t++) {
    if (human[t]! < 0) continue;
    const from = t;
    while (t < human.length && human[t]! >= 0) t++;
    spans.push([from, t]);
  }
  return spans;
}
