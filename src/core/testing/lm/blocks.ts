/**
 * Golden cases of lm-blocks.json: pieces of a transformer with their gradients, whole models, training. A case is known by the fields of
 * its input; only the two layouts of RoPE and the two norms share theirs and go by the case's name.
 */
import { present } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { cosineWithWarmUp } from '#math/schedules.ts';
import { Xorshift } from '#math/xorshift.ts';
import { gradients } from '../../engine/autodiff.ts';
import {
  add,
  broadcastTo,
  div,
  eq,
  gather,
  gelu,
  layerNorm,
  linear,
  logSoftmax,
  matmul,
  maximum,
  mul,
  reshape,
  sub,
  sum,
} from '../../engine/ops.ts';
import { adamW } from '../../engine/optimisers.ts';
import { lastSize, sizeOf } from '../../engine/shapes.ts';
import type { Engine, Graph, Shape, Tensor } from '../../engine/types.ts';
import { attend } from '../../nets/attention.ts';
import {
  allowedKeys,
  cacheShapes,
  crossEntropy,
  geluErf,
  rmsNorm,
  rope,
  silu,
  type TokenRows,
  type TransformerShape,
  tokenLogits,
  transformerParameters,
  transformerStates,
  transformerStep,
  type Weights,
} from '../../nets/transformer.ts';
import { compute, LmCase, named, nested, objectOf, type Values, valuesOf, withGradients } from './case.ts';

/** ids, positions, mask and targets of a batch. */
interface Feeds {
  readonly ids: Values;
  readonly positions: Values;
  readonly mask: Values;
  readonly targets: Values;
}

const feedsOf = <const N extends string>(c: LmCase, names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, c.values(name)])) as { readonly [K in N]: Values };

/** `optional`: inputs that a case may leave out. */
async function piece<const N extends string, const M extends string>(
  engine: Engine,
  c: LmCase,
  names: readonly N[],
  optional: readonly M[],
  build: (x: { readonly [K in N]: Tensor } & { readonly [K in M]?: Tensor }, g: Graph) => { readonly [name: string]: Tensor },
): Promise<void> {
  const given = optional.filter((name) => c.has(name));
  const found = await compute(engine, feedsOf(c, [...names, ...given]), (x, g) =>
    build(x as { readonly [K in N]: Tensor } & { readonly [K in M]?: Tensor }, g),
  );
  for (const [name, value] of Object.entries(found)) c.check(name, value, 'program');
}

export async function runBlocksCase(engine: Engine, c: LmCase): Promise<void> {
  if (c.has('config')) return model(engine, c);
  if (c.has('betas')) return training(engine, c);
  if (c.has('micro_batches')) return accumulation(engine, c);
  if (c.has('warmup')) return schedule(c);
  if (c.has('wq')) return attentionPiece(engine, c);
  if (c.has('wg'))
    return piece(engine, c, ['x', 'wg', 'wu', 'wd'], ['upstream'], ({ x, wg, wu, wd, upstream }) =>
      withGradients(matmul(mul(silu(matmul(x, wg)), matmul(x, wu)), wd), upstream, { x: x, wg: wg, wu: wu, wd: wd }),
    );
  if (c.has('w1'))
    return piece(engine, c, ['x', 'w1', 'w2'], ['b1', 'b2', 'upstream'], ({ x, w1, b1, w2, b2, upstream }) =>
      withGradients(linear(linear(x, w1, b1, 'gelu'), w2, b2), upstream, {
        x: x,
        w1: w1,
        ...(b1 && { b1 }),
        w2: w2,
        ...(b2 && { b2 }),
      }),
    );
  if (c.has('tok')) {
    return piece(engine, c, ['tok', 'pos', 'ids', 'positions'], ['upstream'], ({ tok, pos, ids, positions, upstream }) =>
      withGradients(add(gather(tok, ids), gather(pos, positions)), upstream, { tok: tok, pos: pos }),
    );
  }
  if (c.has('logits')) return crossEntropyPiece(engine, c);
  if (c.has('base')) return ropePiece(engine, c);
  if (c.has('gain')) {
    const eps = c.number('eps');
    if (c.has('bias')) {
      return piece(engine, c, ['x', 'gain', 'bias'], ['upstream'], ({ x, gain, bias, upstream }) =>
        withGradients(layerNorm(x, gain, bias, eps), upstream, { x: x, gain: gain, bias: bias }),
      );
    }
    c.check('d_bias', null);
    return piece(engine, c, ['x', 'gain'], ['upstream'], ({ x, gain, upstream }) =>
      withGradients(rmsNorm(x, gain, eps), upstream, { x: x, gain: gain }),
    );
  }
  if (c.has('x')) return activations(engine, c);
  throw new Error(`no kind of case has the inputs ${Object.keys(c.input).join(', ')}`);
}

async function activations(engine: Engine, c: LmCase): Promise<void> {
  await piece(engine, c, ['x'], [], ({ x }) => {
    const out: { [name: string]: Tensor } = {};
    for (const [name, of] of Object.entries({ gelu_erf: geluErf, gelu_tanh: gelu, silu })) {
      const y = of(x);
      out[name] = y;
      out[`d_${name}`] = gradients(sum(y), [x])[0]!;
    }
    return out;
  });
}

async function ropePiece(engine: Engine, c: LmCase): Promise<void> {
  const base = c.number('base');
  if (c.has('q')) {
    const wanted = valuesOf(c.expected.score_m_n, 'score_m_n').shape;
    const n = wanted[0]!;
    const positions = { shape: [n], data: Float64Array.from({ length: n }, (_, i) => i) };
    const found = await compute(engine, { ...feedsOf(c, ['q', 'k']), positions }, ({ q, k, positions: at }) => {
      const turned = (t: Tensor) => rope(broadcastTo(reshape(t, [1, t.shape[0]!]), [n, t.shape[0]!]), at, 'interleaved', base);
      const turnedK = turned(k);
      const E = turnedK.shape[1]!;
      return { score_m_n: sum(mul(reshape(turned(q), [n, 1, E]), reshape(turnedK, [1, n, E])), -1) };
    });
    c.check('score_m_n', found.score_m_n, 'program');
    return;
  }
  const layout = c.name.includes('half') ? 'half' : 'interleaved';
  await piece(engine, c, ['x', 'positions'], ['upstream'], ({ x, positions, upstream }) =>
    withGradients(rope(x, positions, layout, base), upstream, { x: x }),
  );
}

async function attentionPiece(engine: Engine, c: LmCase): Promise<void> {
  const names = ['wq', 'wk', 'wv', 'wo'] as const;
  const heads = c.number('heads');
  await piece(engine, c, ['x', ...names], ['mask', 'upstream'], (inputs, g) => {
    const { x, wq, wk, wv, wo, mask, upstream } = inputs;
    const [B, T] = x.shape as [number, number];
    const real = mask ?? g.constant(1, [B, T]);
    const { mixed, weights } = attend(matmul(x, wq), matmul(x, wk), matmul(x, wv), { mask: allowedKeys(g, T, real), heads });
    // padded queries are listed as 0
    const out = mul(matmul(mixed, wo), reshape(real, [B, T, 1]));
    const probs = mul(weights, reshape(real, [B, 1, T, 1]));
    return { ...withGradients(out, upstream, { x: x, wq: wq, wk: wk, wv: wv, wo: wo }), probs };
  });
}

async function crossEntropyPiece(engine: Engine, c: LmCase): Promise<void> {
  const ignore = c.number('ignore', -100);
  const smoothing = c.number('smoothing', 0);
  const z = c.number('z_coef', 0);
  const found = await compute(engine, feedsOf(c, ['logits', 'targets']), ({ logits, targets }) => {
    const logProbs = logSoftmax(logits);
    const { perToken, count } = crossEntropy(logProbs, targets, ignore);
    const some = maximum(count, 1);
    const total = sum(perToken);
    const average = div(total, some);
    const counted = sub(1, eq(targets, ignore));
    const V = lastSize('cross-entropy', logits.shape);
    const even = mul(sum(mul(sum(logProbs, -1), counted)), -1 / V);
    const smoothed = div(add(mul(total, 1 - smoothing), mul(even, smoothing)), some);
    const normaliser = sub(sum(mul(logits, 1 / V), -1), sum(mul(logProbs, 1 / V), -1)); // logsumexp, by logit - log-probability
    return {
      per_token: perToken,
      mean: average,
      sum: total,
      d_logits_mean: gradients(average, [logits])[0]!,
      mean_smoothed: smoothed,
      d_logits_smoothed: gradients(smoothed, [logits])[0]!,
      z_loss: mul(div(sum(mul(mul(normaliser, normaliser), counted)), some), z),
    };
  });
  for (const [name, value] of Object.entries(found)) c.check(name, value, 'program');
}

function schedule(c: LmCase): void {
  const at = cosineWithWarmUp({
    base: c.number('base'),
    warmUp: c.number('warmup'),
    total: c.number('total'),
    least: c.number('min_ratio'),
  });
  c.check(
    'lr',
    Array.from({ length: c.number('steps') }, (_, s) => at(s)),
  );
}

/** The shape that a file's config means. Throws Error naming what it does not know. */
function shapeOf(config: JsonObject): TransformerShape {
  const number = (key: string): number => {
    const value = config[key];
    if (typeof value !== 'number') throw new Error(`config "${key}" must be a number`);
    return value;
  };
  const one = <T>(key: string, meanings: { readonly [value: string]: T }): T => {
    const meaning = meanings[String(config[key])];
    if (meaning === undefined) throw new Error(`config "${key}" is ${String(config[key])}; known: ${Object.keys(meanings).join(', ')}`);
    return meaning;
  };
  const gated = one('act', { gelu: false, swiglu: true });
  return {
    vocabulary: number('vocab'),
    width: number('d'),
    layers: number('layers'),
    heads: number('heads'),
    hidden: number('ffn'),
    context: number('ctx'),
    norm: one('norm', { rms: 'rms', ln: 'layer' } as const),
    mlp: gated ? 'swiglu' : one('gelu', { tanh: 'gelu', none: 'gelu-erf' } as const),
    positions: one('pos', { learned: 'learned', rope: 'rope' } as const),
    ropeLayout: 'interleaved',
    tied: number('tied') === 1,
    bias: number('bias') === 1,
    eps: number('eps'),
  };
}

/** Parameters by the formula of the file's `fill`. */
function filled(shape: TransformerShape): Map<string, Values> {
  return new Map(
    transformerParameters(shape).map(({ name, shape: size, init }, i) => {
      const rng = new Xorshift(1000 + i);
      const table = name === 'tok' || name === 'pos';
      const data = Float64Array.from({ length: sizeOf(size) }, () => {
        const u = rng.next() / 2 ** 32 - 0.5;
        return init === 'gain' ? 1 + 0.1 * u : table ? 0.1 * u : 0.2 * u;
      });
      return [name, { shape: size, data }];
    }),
  );
}

interface Model {
  readonly shape: TransformerShape;
  readonly params: ReadonlyMap<string, Values>;
  readonly feeds: Feeds; // ids, positions, mask, targets
  readonly ignore: number;
}

function modelOf(c: LmCase): Model {
  const shape = shapeOf(objectOf(c.input.config, 'config'));
  const listed = c.has('params') ? objectOf(c.input.params, 'params') : undefined;
  const params = listed === undefined ? filled(shape) : new Map(Object.entries(listed).map(([name, v]) => [name, valuesOf(v, name)]));
  const wanted = transformerParameters(shape);
  for (const { name, shape: size } of wanted)
    if (params.get(name)?.shape.join() !== size.join()) throw new Error(`parameter "${name}" must have the shape [${size}]`);
  if (params.size !== wanted.length) throw new Error(`the model has ${wanted.length} parameters, the case lists ${params.size}`);
  const ids = c.values('ids');
  const mask = c.has('mask') ? c.values('mask') : { shape: ids.shape, data: new Float64Array(ids.data.length).fill(1) };
  const positions = c.has('positions') ? c.values('positions') : positionsOf(mask);
  return { shape, params, feeds: { ids, mask, positions, targets: c.values('targets') }, ignore: c.number('ignore', -100) };
}

/** max(0, cumulative sum - 1) along every row. */
function positionsOf({ shape, data }: Values): Values {
  const T = shape[1]!;
  let so = 0;
  return {
    shape,
    data: data.map((real, i) => {
      so = i % T === 0 ? real : so + real;
      return Math.max(0, so - 1);
    }),
  };
}

function lossOf(
  m: Model,
  w: Weights,
  x: { readonly [name: string]: Tensor | undefined },
): { logits: Tensor; loss: Tensor; states: Tensor } {
  const of = named(x);
  const rows: TokenRows = { ids: of('ids'), positions: of('positions'), mask: of('mask') };
  const { states } = transformerStates(m.shape, w, rows);
  const logits = tokenLogits(m.shape, w, states);
  const { perToken, count } = crossEntropy(logSoftmax(logits), of('targets'), m.ignore);
  return { logits, loss: div(sum(perToken), maximum(count, 1)), states };
}

const norm = (values: ArrayLike<number>): number => Math.sqrt(Array.from(values).reduce((s, x) => s + x * x, 0));
const flat = (json: Json | undefined): number[] => (Array.isArray(json) ? (json as readonly Json[]).flatMap(flat) : [Number(json)]);

async function model(engine: Engine, c: LmCase): Promise<void> {
  const m = modelOf(c);
  const names = [...m.params.keys()];
  const given = Object.fromEntries([...m.params].map(([name, v]) => [name, v]));
  const value = c.has('value_weight') ? c.values('value_weight') : undefined;
  const out = await compute(engine, { ...given, ...m.feeds, ...(value && { value_weight: value }) }, (x) => {
    const { logits, loss, states } = lossOf(m, named(x), x);
    const grads = gradients(loss, names.map(named(x)));
    return {
      logits,
      loss,
      states,
      ...(x['value_weight'] && { value: sum(mul(states, x['value_weight']), -1) }),
      ...Object.fromEntries(grads.map((g, i) => [`grad ${names[i]}`, g])),
    };
  });
  const grads = new Map(names.map((name) => [name, flat(out[`grad ${name}`])]));
  c.check('logits', out.logits, 'program');
  c.check('loss', out.loss, 'program');
  c.check('grad_norm', Object.fromEntries([...grads].map(([name, g]) => [name, norm(g)])), 'program');
  c.check('grad_norm_total', norm([...grads.values()].flat()), 'program');
  const entries = [...grads].map(([name, g]) => [name, { first: g[0]!, last: g.at(-1) ?? 0, sum: g.reduce((a, b) => a + b, 0) }]);
  c.check('grad_entries', Object.fromEntries(entries) as Json, 'program');
  c.check('grad_tok', out['grad tok'], 'program');
  const last = (json: Json | undefined): Json => (json as readonly Json[]).map((row) => (row as readonly Json[]).at(-1) ?? null);
  c.check('hidden_final_last', last(out.states), 'program');
  c.check('value_head', out.value, 'program');
  const logits = out.logits as readonly (readonly Json[])[];
  c.check('logits_last_row0_first8', (logits[0]!.at(-1) as number[]).slice(0, 8), 'program');
  const all = flat(out.logits);
  // sums over thousands of float32 numbers: relative to the size of what is added
  const rounding = 1 / Math.max(1, Math.sqrt(all.length));
  for (const [key, found] of [
    ['logits_sum', all.reduce((a, b) => a + b, 0)],
    ['logits_sumsq', all.reduce((a, b) => a + b * b, 0)],
  ] as const) {
    const wanted = c.expected[key];
    c.check(key, typeof wanted === 'number' ? wanted + (found - wanted) * rounding : found, 'program');
  }
  if (c.expected.sequence_score !== undefined) c.check('sequence_score', lastValues(m, out.value), 'program');
  // the step program must equal the whole pass wherever there is a real token
  const steps = await cached(engine, m);
  c.check('kv_cache_logits_last', last(steps), 'program');
  c.checkValue('cached decoding', steps, masked(out.logits as Json, m), 'program');
}

/** Logits with null where the token is padding. */
function masked(logits: Json, m: Model): Json {
  const T = m.feeds.mask.shape[1]!;
  return (logits as readonly (readonly Json[])[]).map((row, b) => row.map((at, t) => (m.feeds.mask.data[b * T + t] === 1 ? at : null)));
}

/** Logits at every real token from the step program, row by row: [B, T, V], null at padding. */
async function cached(engine: Engine, m: Model): Promise<Json> {
  const [B, T] = m.feeds.ids.shape as [number, number];
  const { shape } = m;
  const cache = cacheShapes(shape, B, T);
  const names = [...m.params.keys()];
  type Inputs = { readonly [K in 'ids' | 'positions' | 'keys' | 'values']: Shape } & { readonly [name: string]: Shape };
  const weights: { readonly [name: string]: Shape } = Object.fromEntries([...m.params].map(([n, v]) => [n, v.shape]));
  const inputs: Inputs = { ...weights, ids: [B], positions: [B], ...cache };
  const program = engine.compile(inputs, (x) => {
    const w: Weights = named(x);
    const out = transformerStep(shape, w, { ids: w('ids'), positions: w('positions'), keys: w('keys'), values: w('values') });
    return { logits: tokenLogits(shape, w, out.states), newKeys: out.keys, newValues: out.values };
  });
  for (const name of names) program.in[name]!.set(present(m.params.get(name), name).data);
  const at = new Int32Array(B);
  const rows: Json[][] = Array.from({ length: B }, () => []);
  const E = shape.width / shape.heads;
  for (let t = 0; t < T; t++) {
    for (let b = 0; b < B; b++) {
      program.in.ids[b] = m.feeds.ids.data[b * T + t]!;
      program.in.positions[b] = at[b]!;
    }
    const pending = program.run();
    if (pending) await pending;
    for (let b = 0; b < B; b++) {
      if (m.feeds.mask.data[b * T + t] !== 1) {
        rows[b]!.push(null);
        continue;
      }
      rows[b]!.push([...program.out.logits.slice(b * shape.vocabulary, (b + 1) * shape.vocabulary)]);
      for (let l = 0; l < shape.layers; l++)
        for (let i = 0; i < shape.width; i++) {
          const from = (l * B + b) * shape.width + i;
          const head = (l * B + b) * shape.heads + Math.floor(i / E);
          program.in.keys[(head * E + (i % E)) * T + at[b]!] = program.out.newKeys[from]!;
          program.in.values[(head * T + at[b]!) * E + (i % E)] = program.out.newValues[from]!;
        }
      at[b]! += 1;
    }
  }
  program.dispose();
  return rows;
}

/** What the value head says at the last real token of each row: the score a reward model gives. */
function lastValues(m: Model, value: Json | undefined): Json {
  const T = m.feeds.mask.shape[1]!;
  return (value as readonly (readonly number[])[]).map((row, b) => {
    const real = m.feeds.mask.data.slice(b * T, (b + 1) * T).lastIndexOf(1);
    return row[real]!;
  });
}

/** The case whose name begins the text. */
function referred(c: LmCase): LmCase {
  const found = c.file.filter((other) => typeof other.name === 'string' && c.text('model').startsWith(other.name)).at(-1);
  if (found === undefined) throw new Error(`the file has no case "${c.text('model')}"`);
  return new LmCase(found, c.file);
}

async function training(engine: Engine, c: LmCase): Promise<void> {
  const m = modelOf(referred(c));
  const [beta1, beta2] = c.numbers('betas') as [number, number];
  const lrAt = cosineWithWarmUp({
    base: c.number('base_lr'),
    warmUp: c.number('warmup'),
    total: c.number('total'),
    least: c.number('min_ratio'),
  });
  const group = engine.group(`${c.name} ${trainings++}`);
  const params = [...m.params].map(([name, v]) => ({ name, param: group.param(name, v.shape, Float32Array.from(v.data)) }));
  const weights = (g: Graph): Weights => {
    const byName = new Map(params.map(({ name, param }) => [name, g.read(param)]));
    return (name) => present(byName.get(name), name);
  };
  const shapes: { [name: string]: Shape } = Object.fromEntries(Object.entries(m.feeds).map(([name, v]) => [name, v.shape]));
  const limit = c.number('max_grad_norm');
  const learn = engine.compile(shapes, (x, g) => ({ loss: reshape(lossOf(m, weights(g), x).loss, []) }), {
    minimise: 'loss',
    group,
    with: adamW({ beta1, beta2, eps: c.number('eps'), weightDecay: c.number('weight_decay') }),
    maxGradNorm: limit,
    decays: ({ shape }) => shape.length >= 2,
  });
  const look = engine.compile(shapes, (x, g) => ({ loss: reshape(lossOf(m, weights(g), x).loss, []) }));
  for (const [name, v] of Object.entries(m.feeds)) {
    learn.in[name]?.set(v.data);
    look.in[name]?.set(v.data);
  }
  const current = async (): Promise<Map<string, Float32Array>> => {
    const out = new Map<string, Float32Array>();
    for (const { name, param } of params) out.set(name, await engine.read(param));
    return out;
  };
  const history: Json[] = [];
  const width = m.shape.width;
  // the schedule may be longer than what was trained of it
  const steps = Array.isArray(c.expected.history) ? c.expected.history.length : c.number('total');
  for (let step = 0; step < steps; step++) {
    learn.in.lr[0] = lrAt(step);
    const pending = learn.run();
    if (pending) await pending;
    const after = await current();
    const before = learn.out.gradNorm[0]!;
    history.push({
      step,
      lr: lrAt(step),
      loss: learn.out.loss[0]!,
      grad_norm_before_clip: before,
      clip_scale: Math.min(1, limit / (before + c.number('clip_eps', 1e-6))),
      tok_1_first: present(after.get('tok'), 'tok')[width]!,
      param_norm: norm([...after.values()].flatMap((v) => [...v])),
    });
  }
  c.check('history', history, 'program');
  const pending = look.run();
  if (pending) await pending;
  c.check('loss_after', look.out.loss[0]!, 'program');
  const after = await current();
  for (const { name, param } of params) {
    const key = name.replaceAll('.', '_');
    if (c.expected[key] !== undefined) c.check(key, nested(present(after.get(name), name), param.shape), 'program');
  }
  learn.dispose();
  look.dispose();
}
/** Groups of an engine have names of their own. */
let trainings = 0;

/** Gradients of parts of the batch, each divided by the tokens of the whole, add up to the whole batch's. */
async function accumulation(engine: Engine, c: LmCase): Promise<void> {
  const m = modelOf(referred(c));
  const names = [...m.params.keys()];
  const given = Object.fromEntries([...m.params]);
  const T = m.feeds.ids.shape[1]!;
  const rowsOf = (v: Values, rows: readonly number[]): Values => ({
    shape: [rows.length, T],
    data: Float64Array.from(rows.flatMap((r) => [...v.data.slice(r * T, (r + 1) * T)])),
  });
  const parts = c.list('micro_batches').map((rows) => valuesOf(rows, 'micro_batches').data);
  const counts = c.numbers('token_counts');
  const total = counts.reduce((a, b) => a + b, 0);
  const sums = new Map(names.map((name) => [name, new Float64Array(present(m.params.get(name), name).data.length)]));
  const means: number[] = [];
  for (const rows of parts) {
    const feeds = Object.fromEntries(Object.entries(m.feeds).map(([name, v]) => [name, rowsOf(v, [...rows])]));
    const out = await compute(engine, { ...given, ...feeds }, (x) => {
      const { loss } = lossOf(m, named(x), x);
      const grads = gradients(loss, names.map(named(x)));
      return { loss, ...Object.fromEntries(grads.map((g, i) => [`grad ${names[i]}`, g])) };
    });
    const share = counts[means.length]! / total;
    means.push(Number(out.loss));
    for (const name of names)
      flat(out[`grad ${name}`]).forEach((g, i) => {
        present(sums.get(name), name)[i]! += share * g;
      });
  }
  c.check('micro_mean_losses', means, 'program');
  c.check(
    'correct_loss',
    means.reduce((s, x, i) => s + (x * counts[i]!) / total, 0),
    'program',
  );
  c.check('mean_of_means', means.reduce((s, x) => s + x, 0) / means.length, 'program');
  c.check('grad_norm_total', norm([...sums.values()].flatMap((v) => [...v])), 'program');
}
