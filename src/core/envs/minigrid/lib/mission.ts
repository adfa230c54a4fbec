/**
 * Missions in words. BabyAI's sentences as tokens of a closed vocabulary, as the reference says them (`surface` in `verifier.py`):
 * "put the red ball next to a key on your left, then go to the grey door". Token 0 fills the rest of a row of fixed length.
 */
import { COLOURS, LOOKS } from './cells.ts';
import { type Description, LOCATIONS, type Sentence } from './instructions.ts';

/** Mission as one-hot numbers. */
export interface MissionCode {
  readonly size: number;
  /** `words` of the row from `base`: the cells, then the numbers of state.ts from `base + cells`. */
  write(words: Uint32Array, base: number, a: number, b: number, out: Float32Array, at: number, cells: number): void;
}

export const VOCABULARY: readonly string[] = [
  '',
  'go',
  'to',
  'open',
  'pick',
  'up',
  'put',
  'next',
  'the',
  'a',
  ...COLOURS,
  'object',
  'door',
  'key',
  'ball',
  'box',
  'in',
  'front',
  'of',
  'you',
  'behind',
  'on',
  'your',
  'left',
  'right',
  'and',
  ',',
  'then',
  'after',
];

/** `many[i]`: several things matched the i-th description. */
export function wordsOf(sentence: Sentence, many: readonly boolean[]): string[] {
  const out: string[] = [];
  let said = 0;
  const describe = (d: Description) => {
    out.push(many[said++] === true ? 'a' : 'the');
    if (d.colour >= 0) out.push(COLOURS[d.colour] as string);
    out.push(d.object < 0 ? 'object' : (LOOKS[d.object] as string));
    const location = d.location === 0 ? undefined : LOCATIONS[31 - Math.clz32(d.location)];
    if (location === 'front') out.push('in', 'front', 'of', 'you');
    else if (location === 'behind') out.push('behind', 'you');
    else if (location !== undefined) out.push('on', 'your', location);
  };
  const say = (node: Sentence) => {
    switch (node.kind) {
      case 'go-to':
        out.push('go', 'to');
        return describe(node.what);
      case 'open':
        out.push('open');
        return describe(node.what);
      case 'pickup':
        out.push('pick', 'up');
        return describe(node.what);
      case 'put-next':
        out.push('put');
        describe(node.move);
        out.push('next', 'to');
        return describe(node.fixed);
      default:
        say(node.first);
        if (node.kind === 'and') out.push('and');
        else if (node.kind === 'before') out.push(',', 'then');
        else out.push('after', 'you');
        say(node.second);
    }
  };
  say(sentence);
  return out;
}

export function textOf(words: readonly string[]): string {
  return words.join(' ').replaceAll(' ,', ',');
}
