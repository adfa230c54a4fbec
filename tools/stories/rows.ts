/** Written stories as rows of ids: what the model learns from and is measured on. */
import { STORY_PLACES, storyIds } from '#core/envs/language/lib/stories/vocabulary.ts';
import { goOn, opening, type StorySplit } from '#core/envs/language/lib/stories/writer.ts';
import { BOS, EOS, PAD } from '#core/envs/language/lib/tokens.ts';
import { Xorshift } from '#math/xorshift.ts';

export const P = STORY_PLACES;
/** Tokens of a row that are foreseen. */
export const T = P - 1;

/** A story as a row [STORY_PLACES], with its end where there is room for it. Throws Error if it is too long. */
function storyRow(words: readonly string[], into: Float32Array): void {
  const row = [BOS, ...storyIds(words), EOS].slice(0, STORY_PLACES);
  if (words.length + 1 > STORY_PLACES) throw new Error(`a story of ${words.length} words does not fit into ${STORY_PLACES} places`);
  into.fill(PAD);
  into.set(row);
}

/**
 * `count` stories, those of the first seeds from `first` on that are of the split: ids [count, P], `written` 1 where a token is to be foreseen,
 * `given` the words of each first sentence, `next` the seed behind the last.
 */
export function stories(first: number, count: number, split: StorySplit) {
  const ids = new Float32Array(count * P);
  const written = new Float32Array(count * P);
  const given: number[] = [];
  let tokens = 0;
  let from = first;
  while (given.length < count) {
    const rng = new Xorshift(from++);
    const start = opening(rng);
    if (split !== 'all' && start.heldOut !== (split === 'held-out')) continue;
    const more = goOn(rng, start.words, { most: P - 1 - start.words.length, sentences: 2 + rng.draw(5), split });
    const at = given.length * P;
    storyRow([...start.words, ...more], ids.subarray(at, at + P));
    for (let t = 1; t < P; t++)
      if (ids[at + t] !== 0) {
        written[at + t] = 1;
        tokens++;
      }
    given.push(start.words.length);
  }
  return { ids, written, given, tokens, next: from };
}
