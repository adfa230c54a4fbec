/**
 * Trains the model of the little stories: the next word of stories that the grammar writes, no two alike but by chance, none with a held-out
 * combination. `node tools/stories/train.mjs [--updates N] [--width D] [--layers L] [--heads H] [--lr X] [--falling SHARE] [--seed S] [--to FOLDER]`; goes on where it
 * stopped. Writes checkpoint.bin, log.jsonl and, at the end, stories.bin: the parameters in 16 bits.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import { linePrograms } from '#core/algos/language/lib/packing.ts';
import { compileCloner, compileScorer } from '#core/algos/language/lib/programs.ts';
import { createEngine } from '#core/engine/index.ts';
import { sizeOf } from '#core/engine/shapes.ts';
import { STORY_VOCABULARY } from '#core/envs/language/lib/stories/vocabulary.ts';
import type { StorySplit } from '#core/envs/language/lib/stories/writer.ts';
import { familyShape, transformer } from '#core/nets/transformer.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { readParams } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { toHalf } from './half.ts';
import { P, stories, T } from './rows.ts';

const { values } = parseArgs({
  options: {
    updates: { type: 'string', default: '3300' },
    rows: { type: 'string', default: '64' },
    width: { type: 'string', default: '96' },
    layers: { type: 'string', default: '4' },
    heads: { type: 'string', default: '4' },
    lr: { type: 'string', default: '0.003' },
    falling: { type: 'string', default: '0.4' },
    seed: { type: 'string', default: '1' },
    to: { type: 'string', default: 'node_modules/.cache/rl-workbench/stories' },
  },
});
const [updates, rows, width, layers, heads, seed] = (['updates', 'rows', 'width', 'layers', 'heads', 'seed'] as const).map((name) =>
  Number(values[name]),
) as [number, number, number, number, number, number];
const TOP = Number(values.lr);
const WARM_UP = 60;
/**
 * The step size is constant behind the warm-up and falls on a straight line in the last updates: a run can be stopped and given fewer or more
 * updates until it falls, and has the bits of one that was given them at once.
 */
const LAST = 0.01;
const falls = Number(values.falling) * updates;
const scheduled = (update: number): number => Math.min(1, (update + 1) / WARM_UP, Math.max(LAST, (updates - update) / Math.max(1, falls)));
const EACH = 50; // updates between two lines of the log
const TESTED = 256;

const engine = await createEngine('wasm');
const shape = familyShape('a', { vocabulary: STORY_VOCABULARY, width, layers, heads, context: P });
const group = engine.group('policy');
const weights = transformer(group, Rng.from(seed).split('init'), shape);
const parameters = group.params.reduce((sum, param) => sum + sizeOf(param.shape), 0);
const cloners = linePrograms(engine, rows, T, (of) => compileCloner(engine, shape, group, weights, of));
const scorers = linePrograms(engine, rows, T, (of) => compileScorer(engine, shape, weights, of));
const state = registerState({ counters: { update: 0, story: 1_000_000 * seed, tokens: 0 }, parts: { engine } });
const { counters } = state;
const folder = values.to;
mkdirSync(folder, { recursive: true });
const kept = join(folder, 'checkpoint.bin');
const log = (line: object): void => {
  appendFileSync(join(folder, 'log.jsonl'), `${JSON.stringify(line)}\n`);
  console.log(JSON.stringify(line));
};
if (existsSync(kept)) state.load(decodeSaved(readFileSync(kept)));
log({ parameters, from: counters.update, updates, rows, width, layers, heads, lr: TOP, seed });

/** Nats for each word of stories that were never learned from. */
async function tested(split: StorySplit): Promise<number> {
  const found = stories(0, TESTED, split);
  let sum = 0;
  for (let from = 0; from < TESTED; from += rows) {
    const count = Math.min(rows, TESTED - from);
    const program = scorers.holding(found, count, (k) => from + k);
    const pending = program.run();
    if (pending) await pending;
    for (let k = 0; k < count; k++)
      for (let t = 0; t < T; t++) if (found.written[(from + k) * P + t + 1] === 1) sum -= program.out.logProb[k * T + t]!;
  }
  return sum / found.tokens;
}

const began = process.cpuUsage();
let loss = 0;
while (counters.update < updates) {
  const lines = stories(counters.story, rows, 'train');
  counters.story = lines.next;
  counters.tokens += lines.tokens;
  const program = cloners.holding(lines, rows, (k) => k);
  program.in.weight.fill(0);
  for (let k = 0; k < rows; k++) for (let t = 0; t < T; t++) program.in.weight[k * T + t] = lines.written[k * P + t + 1]! / lines.tokens;
  program.in.lr[0] = TOP * scheduled(counters.update);
  const pending = program.run();
  if (pending) await pending;
  loss += program.out.loss[0]! / EACH;
  counters.update++;
  if (counters.update % EACH !== 0) continue;
  const { user, system } = process.cpuUsage(began);
  const whole = counters.update % (4 * EACH) === 0 || counters.update === updates;
  log({
    update: counters.update,
    tokens: counters.tokens,
    cpu: Math.round((user + system) / 1e6),
    loss: Number(loss.toFixed(4)),
    ...(whole && { known: await tested('train'), heldOut: await tested('held-out') }),
  });
  loss = 0;
  writeFileSync(`${kept}.new`, encodeSaved(await state.save()));
  renameSync(`${kept}.new`, kept);
}

const { arrays } = await readParams(engine, group);
const bits = group.params.flatMap(({ name }) => Array.from(arrays[name] as Float32Array, toHalf));
writeFileSync(join(folder, 'stories.bin'), new Uint8Array(Uint16Array.from(bits).buffer));
log({ done: true, bytes: 2 * bits.length, known: await tested('train'), heldOut: await tested('held-out') });
