/**
 * What the shipped model of the little stories knows: how well it foresees stories that it never learned from, and what it writes by itself.
 * `node tools/stories/measure.mjs [FILE]`; writes one line of JSON.
 */
import { readFileSync } from 'node:fs';
import { present } from '#contract/kit/errors.ts';
import { STORIES, weightsIn } from '#core/algos/extensions/pretrained/model.ts';
import { createDecoder } from '#core/algos/language/lib/decoding.ts';
import { linePrograms } from '#core/algos/language/lib/packing.ts';
import { compileScorer, tokenNetwork } from '#core/algos/language/lib/programs.ts';
import { createCollector, sampler } from '#core/algos/language/lib/rollouts.ts';
import { createEngine } from '#core/engine/index.ts';
import { createVectorEnv } from '#core/envs/api/vector-env.ts';
import { read, sentencesOf } from '#core/envs/language/lib/stories/grammar.ts';
import { rhyme } from '#core/envs/language/lib/stories/rhymes.ts';
import { STORY_VOCABULARY, storyWord } from '#core/envs/language/lib/stories/vocabulary.ts';
import { wStories } from '#core/envs/language/w-stories.ts';
import { hashBytes } from '#math/hash.ts';
import { Rng } from '#math/rng.ts';
import { stories, T } from './rows.ts';

const STORIES_READ = 1024;
const WRITTEN = 512;
const ROWS = 64;

const file = process.argv[2] ?? `public/${STORIES.file}`;
const engine = await createEngine('wasm');
const config = wStories.parse({ words: 34, split: 'held-out' });
const env = createVectorEnv(wStories, config, WRITTEN, Rng.from(1));
const { shape, group, weights } = tokenNetwork(engine, 'policy', env.meta, STORIES, Rng.from(0));
const bytes = new Uint8Array(readFileSync(file));
const numbers = weightsIn(bytes, { ...STORIES, hash: hashBytes(bytes) }); // a file that is not shipped yet is measured, too
for (const param of group.params) engine.write(param, present(numbers.get(param.name), param.name));

const scorers = linePrograms(engine, ROWS, T, (of) => compileScorer(engine, shape, weights, of));
/** exp of the mean surprise of a word behind the first sentence, where nothing is given but what stands before it. */
async function perplexity(split: 'train' | 'held-out', from: number): Promise<number> {
  const found = stories(from, STORIES_READ, split);
  let [sum, n] = [0, 0];
  for (let at = 0; at < STORIES_READ; at += ROWS) {
    const program = scorers.holding(found, ROWS, (k) => at + k);
    const pending = program.run();
    if (pending) await pending;
    for (let k = 0; k < ROWS; k++)
      for (let t = found.given[at + k]!; t < T; t++)
        if (found.written[(at + k) * (T + 1) + t + 1] === 1) {
          sum -= program.out.logProb[k * T + t]!;
          n++;
        }
  }
  return Math.exp(sum / n);
}

env.reset();
const collector = createCollector(env, { group: 1, seeds: Rng.from(2) });
const draw = sampler(createDecoder(engine, shape, weights, WRITTEN, T + 1), STORY_VOCABULARY, Rng.from(3));
await collector.collect(draw);
const counts = { sentences: 0, parsed: 0, true: 0, rhymes: 0 };
const shown: string[] = [];
for (let row = 0; row < WRITTEN; row++) {
  const ids = Array.from(collector.last.ids.subarray(row * (T + 1), (row + 1) * (T + 1)));
  const text = ids.map(storyWord).filter((word) => word !== '');
  const all = sentencesOf(text);
  // a sentence that the last word cut off is none
  const whole = all.at(-1)?.at(-1) === '.' ? all : all.slice(0, -1);
  const found = read(whole.flat());
  counts.sentences += found.sentences - 1; // the first one was given
  counts.parsed += found.parsed - 1;
  counts.true += found.true - 1;
  for (let i = 1; i < whole.length; i++) if (rhyme(whole[i - 1]!.at(-2) ?? '', whole[i]!.at(-2) ?? '')) counts.rhymes++;
  if (row < 5) shown.push(text.join(' '));
}
const share = (part: number): number => Number((part / counts.sentences).toFixed(4));
console.log(
  JSON.stringify(
    {
      perplexity: { known: await perplexity('train', 500_000), heldOut: await perplexity('held-out', 500_000) },
      written: {
        stories: WRITTEN,
        sentences: counts.sentences,
        parsed: share(counts.parsed),
        true: share(counts.true),
        rhymes: share(counts.rhymes),
      },
      shown,
    },
    null,
    1,
  ),
);
