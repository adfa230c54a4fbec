/** Programs that leave empty places out against those of whole lines: the same numbers in every bit. */
import { expect, it } from 'vitest';
import { Rng } from '#math/rng.ts';
import type { Views } from '../../../engine/types.ts';
import { createWasmEngine } from '../../../engine/wasm/engine.ts';
import { familyShape, type TransformerFamily, transformer } from '../../../nets/transformer.ts';
import { type LineShape, linePrograms, type TokenViews, tokenInputs } from './packing.ts';
import { compilePreferenceLearner } from './preference-program.ts';
import { compileCloner, compileCritic, compileCriticLearner, compileLearner, compileScorer, valueHead } from './programs.ts';

const LINES = 24;
const CONTEXT = 15;
const PLACES = CONTEXT - 1;
const VOCABULARY = 12;

/** Prompts, writing, replies and more writing; a third of the lines empty, some with a reply behind the last written token. */
function collected(seed: number) {
  const rng = Rng.from(seed);
  const ids = new Float32Array(LINES * CONTEXT);
  const written = new Float32Array(LINES * CONTEXT);
  for (let line = 0; line < LINES; line++) {
    if (line % 3 === 2) continue;
    const length = 3 + rng.int(CONTEXT - 4);
    for (let i = 0; i < length; i++) ids[line * CONTEXT + i] = 1 + rng.int(VOCABULARY - 1);
    written[line * CONTEXT + 1 + rng.int(2)] = 1;
    for (let i = 2; i < length - (line % 2); i++) written[line * CONTEXT + i] = rng.int(2);
  }
  return { ids, written };
}
type Data = ReturnType<typeof collected>;

const mask = ({ written }: Data): Float32Array =>
  Float32Array.from({ length: LINES * PLACES }, (_, i) => written[Math.floor(i / PLACES) * CONTEXT + (i % PLACES) + 1]!);

async function network(family: TransformerFamily) {
  const engine = await createWasmEngine({ poison: true });
  const shape = familyShape(family, { vocabulary: VOCABULARY, width: 16, layers: 2, heads: 2, context: CONTEXT });
  const group = engine.group('policy');
  const weights = transformer(group, Rng.from(1), shape);
  return { engine, shape, group, weights, value: valueHead(group, shape) };
}

type Network = Awaited<ReturnType<typeof network>>;

/** Any program of this test. */
interface Runs {
  readonly in: TokenViews & Views;
  readonly out: Views;
  run(): Promise<void> | undefined;
}

const group = (ratio: 'token' | 'sequence') => (net: Network, lines: LineShape) =>
  compileLearner(
    net.engine,
    net.shape,
    net.group,
    net.weights,
    { ratio, surrogate: 'clip', kl: 'k3', judged: true, maxGradNorm: 1 },
    lines,
  );

const LEARNERS: Readonly<Record<string, (net: Network, lines: LineShape) => Runs>> = {
  group: group('token'),
  sequence: group('sequence'),
  critic: (net, lines) => compileCriticLearner(net.engine, net, 1, lines),
  clone: (net, lines) => compileCloner(net.engine, net.shape, net.group, net.weights, lines, true),
  preference: (net, lines) =>
    compilePreferenceLearner(net.engine, net, { loss: 'dpo', beta: 0.1, smoothing: 0, margin: 0, maxGradNorm: 1 }, LINES / 2, lines),
};

/** Numbers for every input beside the tokens; masks and weights 0 where nothing was written. */
function fill(views: Views, data: Data, seed: number): void {
  const rng = Rng.from(seed);
  const own = mask(data);
  for (const name of ['weight', 'advantage', 'old', 'reference', 'returns', 'valueWeight', 'length']) {
    const drawn = own.map(() => rng.uniform() - (/eight/.test(name) ? 0 : 0.5));
    const into = views[name];
    if (into !== undefined) for (let i = 0; i < into.length; i++) into[i] = drawn[i]! * (into.length === own.length ? own[i]! : 1);
  }
  views.mask?.set(own);
  const numbers = { low: 0.2, high: 0.2, klCoef: 0.1, entropyCoef: 0.01, valueCoef: 0.5, lr: 0.01 };
  for (const [name, value] of Object.entries(numbers)) views[name]?.fill(value);
}

/** Three updates: what each reported, how much its program held, and the parameters at the end. */
async function updated(family: TransformerFamily, compile: (net: Network, lines: LineShape) => Runs, exact: boolean) {
  const net = await network(family);
  const programs = linePrograms({ exact }, LINES, PLACES, (lines) => compile(net, lines));
  const reports: unknown[] = [];
  const held: number[] = [];
  for (let update = 0; update < 3; update++) {
    const data = collected(10 + update);
    const program = programs.holding(data, LINES, (k) => k);
    held.push(program.in.ids.length / (LINES * PLACES));
    fill(program.in, data, 20 + update);
    await program.run();
    const { logProb: _, ...out } = program.out;
    reports.push(Object.entries(out).map(([name, view]) => [name, [...(view ?? [])]]));
  }
  return { reports, held, hash: net.engine.hash() };
}

const KINDS = Object.entries(LEARNERS).flatMap(([kind, compile]) =>
  (['a', 'b', 'c'] as const).map((family) => ({ kind, family, compile })),
);

it.each(KINDS)('$kind of family $family learns the same bits without the empty places', async ({ family, compile }) => {
  const whole = await updated(family, compile, false);
  const packed = await updated(family, compile, true);
  expect(whole.held).toEqual([1, 1, 1]);
  for (const share of packed.held) expect(share).toBeLessThan(0.8);
  expect(packed.hash).toBe(whole.hash);
  expect(packed.reports).toEqual(whole.reports);
  expect(JSON.stringify(whole.reports)).not.toContain('null'); // NaN
});

it('log-probabilities and values stand where they are asked for, and 0 stands elsewhere', async () => {
  const net = await network('a');
  const data = collected(5);
  const own = mask(data);
  const line = (k: number): number => (k === 3 ? -1 : k); // one of them stays empty
  const read = async (exact: boolean): Promise<(readonly [Float32Array, Float32Array])[]> => {
    const critic = linePrograms({ exact }, LINES, PLACES, (lines) => compileCritic(net.engine, net, lines)).holding(data, LINES, line);
    await critic.run();
    const { logProb, value } = critic.out;
    const scorer = linePrograms({ exact }, LINES, PLACES, (lines) => compileScorer(net.engine, net.shape, net.weights, lines));
    const scored = scorer.holding(data, LINES - 1, line);
    await scored.run();
    return [
      [logProb.slice(), value.slice()],
      [scored.out.logProb.slice(), value.slice()],
    ];
  };
  const [whole, packed] = [await read(false), await read(true)];
  packed.forEach(([logProb], k) => {
    const wanted = whole[k]![0].map((x, i) => {
      const at = Math.floor(i / PLACES);
      return own[i] === 0 || at === 3 || (k === 1 && at === LINES - 1) ? 0 : x;
    });
    expect([...logProb]).toEqual([...wanted]);
    expect(logProb.filter((x) => x < 0).length).toBeGreaterThan(40);
  });
});

it('what fits is held by a program of its size, made once', async () => {
  const shapes: LineShape[] = [];
  const views = { ids: new Float32Array(0), targets: new Float32Array(0) };
  const compile = (shape: LineShape) => {
    shapes.push(shape);
    const inputs = Object.entries(tokenInputs(shape)).map(([name, dims]) => [
      name,
      new Float32Array(dims?.reduce((a, b) => a * b, 1) ?? 0),
    ]);
    return { in: { ...views, ...Object.fromEntries(inputs) } };
  };
  const programs = linePrograms({ exact: true }, LINES, PLACES, compile);
  expect(shapes.map(({ held }) => held)).toEqual([{ used: 24, tokens: 336, asked: 336, reach: 14 }]);
  const empty = { ids: new Float32Array(LINES * CONTEXT), written: new Float32Array(LINES * CONTEXT) };
  const first = programs.holding(empty, LINES, (k) => k);
  expect(shapes.at(-1)!.held).toEqual({ used: 3, tokens: 64, asked: 64, reach: 4 });
  expect(programs.holding(empty, LINES, (k) => k)).toBe(first);
  empty.written[CONTEXT - 1] = 1; // one token at the very end of a line
  programs.holding(empty, LINES, (k) => k);
  expect(shapes.at(-1)!.held).toEqual({ used: 3, tokens: 64, asked: 64, reach: 14 });
  expect(shapes).toHaveLength(3);
});
