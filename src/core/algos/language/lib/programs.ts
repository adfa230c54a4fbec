/**
 * Programs of policies on tokens over whole rows: ids [rows, T] of one place fewer than the context, and the tokens that follow them.
 * One learning program serves the published group methods; which one it is stands in the options.
 */
import type { Saved } from '#contract/run/events.ts';
import {
  add,
  amax,
  broadcastTo,
  concat,
  eq,
  exp,
  gt,
  iota,
  logSoftmax,
  matmul,
  mul,
  neg,
  pick,
  reshape,
  square,
  stopGradient,
  sub,
  sum,
  where,
} from '#core/engine/ops.ts';
import { adamW } from '#core/engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { zeros } from '#core/nets/init.ts';
import {
  familyShape,
  finalNorm,
  type TransformerFamily,
  type TransformerShape,
  tokenLogits,
  transformer,
  transformerStates,
  type Weights,
} from '#core/nets/transformer.ts';
import { loadGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import type { Policy, PolicyContext } from '../../api/types.ts';
import { networkPolicy } from '../../lib/network-policy.ts';
import { atPlaces, type LineShape, packedLines, type TokenTensors, tokenInputs, wholeLines } from './packing.ts';
import { type PolicyLossOptions, policyLoss } from './policy-loss.ts';

/** Tokens of a row. */
export function placesOf(meta: EnvMeta): { readonly places: number; readonly vocabulary: number } {
  const obs = meta.agents[0]!.obs;
  if (obs.kind !== 'grid') throw new Error('token environments have observations of [1, places, 1]');
  return { places: obs.shape[1], vocabulary: obs.codes[0]! };
}

/** A decoder-only transformer over the rows of an environment of tokens, its parameters in a group of its own. */
export interface TokenNetwork {
  readonly shape: TransformerShape;
  readonly group: ParamGroup;
  readonly weights: (g: Graph) => Weights;
}

export function tokenNetwork(
  engine: Engine,
  name: string,
  meta: EnvMeta,
  c: { readonly width: number; readonly layers: number; readonly heads: number; readonly family?: TransformerFamily },
  rng: Rng,
): TokenNetwork {
  const { places, vocabulary } = placesOf(meta);
  const shape = familyShape(c.family ?? 'a', { vocabulary, width: c.width, layers: c.layers, heads: c.heads, context: places });
  const group = engine.group(name);
  return { shape, group, weights: transformer(group, rng, shape) };
}

/** The policy of such a network as it is now, open to a look inside. */
export function tokenPolicy(
  engine: Engine,
  meta: EnvMeta,
  { shape, weights }: Pick<TokenNetwork, 'shape' | 'weights'>,
  dispose?: () => void,
): Policy & Required<Pick<Policy, 'inspect'>> {
  const { layers, heads } = shape;
  let look: ReturnType<typeof compileInspection> | null = null;
  return {
    ...networkPolicy({ meta, compile: (n) => compilePolicy(engine, shape, weights, n), ...(dispose && { dispose }) }),
    async inspect(obs) {
      look ??= compileInspection(engine, shape, weights);
      look.in.obs.set(obs);
      const pending = look.run();
      if (pending) await pending;
      return { layers, heads, attention: look.out.attention.slice(), logits: look.out.logits.slice() };
    },
  };
}

/** The policy of a snapshot that holds such a network as `net`. */
export async function savedTokenPolicy(
  { config, meta, makeEngine }: PolicyContext<Parameters<typeof tokenNetwork>[3]>,
  saved: Saved,
): Promise<Policy> {
  const engine = await makeEngine();
  const net = tokenNetwork(engine, 'policy', meta, config, Rng.from(0));
  loadGroups(engine, { net: net.group }, saved);
  return tokenPolicy(engine, meta, net, () => engine.dispose());
}

export interface LearnerOptions extends PolicyLossOptions {
  /** Whether there is an input for the reference's log-probabilities. */
  readonly judged: boolean;
  /** Whether tokens of a line have advantages of their own: [lines, places] in place of [lines]. */
  readonly perToken?: boolean;
  readonly maxGradNorm: number;
}

/**
 * Log-probability and entropy of the next token at every place but the last, and the log-probability of the likeliest: [lines, places], 0 where
 * a packed program has none. `each` does the same to a number for every one of the states.
 */
export function scored(shape: TransformerShape, w: Weights, x: TokenTensors, lines: LineShape) {
  const { held } = lines;
  const row = (y: Tensor, n = 0): Tensor => (held === null ? y : reshape(y, [1, n]));
  const ids = row(x.ids, held?.tokens);
  const positions =
    x.positions === undefined ? broadcastTo(iota(ids.graph, lines.places), [lines.lines, lines.places]) : row(x.positions, held?.tokens);
  const { states } = transformerStates(shape, w, { ids, positions, packed: packedLines(x, lines) });
  const logp = logSoftmax(tokenLogits(shape, w, states));
  const each = (y: Tensor): Tensor => atPlaces(y, x, lines);
  const logProb = each(pick(logp, row(x.targets, held?.asked)));
  return { logProb, entropy: each(neg(sum(mul(exp(logp), logp), -1))), best: each(amax(logp, -1)), states, each };
}

/** The value before the next token: states [B, T, D] -> [lines, places], by `each` of scored(); zero at first. */
export function valueHead(group: ParamGroup, { width }: TransformerShape) {
  const weight = group.param('value.w', [width, 1], zeros(width));
  const bias = group.param('value.b', [1], zeros(1));
  return (g: Graph, { states, each }: Pick<ReturnType<typeof scored>, 'states' | 'each'>): Tensor => {
    const [B, T] = states.shape as [number, number];
    const b = g.read(bias);
    const value = each(reshape(add(matmul(states, g.read(weight)), broadcastTo(stopGradient(b), [B, T, 1])), [B, T]));
    // the one gradient that is summed over single numbers, in four lanes: by places, so that leaving empty ones out changes no bit
    return add(value, broadcastTo(sub(b, stopGradient(b)), value.shape));
  };
}

/** A policy with a critic on the same states. */
export interface ActorCritic extends TokenNetwork {
  readonly value: ReturnType<typeof valueHead>;
}

/** One PPO update over some lines: policyLoss and valueCoef / 2 times the squared error of the values, summed by `valueWeight`. */
export function compileCriticLearner(engine: Pick<Engine, 'compile'>, net: ActorCritic, maxGradNorm: number, lines: LineShape) {
  const each = [lines.lines, lines.places] as const;
  return engine.compile(
    {
      ...tokenInputs(lines),
      mask: each,
      weight: each,
      advantage: each,
      old: each,
      returns: each,
      valueWeight: each,
      low: [1],
      high: [1],
      entropyCoef: [1],
      valueCoef: [1],
    },
    (x, g) => {
      const states = scored(net.shape, net.weights(g), x, lines);
      const { logProb, entropy } = states;
      const { low, high, entropyCoef } = x;
      const found = policyLoss(
        { logProb, old: x.old, entropy, advantage: x.advantage, mask: x.mask, weight: x.weight, low, high, entropyCoef },
        { ratio: 'token', surrogate: 'clip' },
      );
      const valueLoss = mul(sum(mul(square(sub(net.value(g, states), x.returns)), x.valueWeight)), 0.5);
      return {
        ...found,
        loss: reshape(add(found.loss, mul(x.valueCoef, valueLoss)), []),
        policyLoss: found.loss,
        valueLoss,
        entropySum: sum(mul(entropy, x.mask)),
      };
    },
    {
      minimise: 'loss',
      group: net.group,
      with: adamW({ beta1: 0.9, beta2: 0.98, weightDecay: 0 }),
      maxGradNorm,
      name: 'critic learn',
    },
  );
}

/** Log-probabilities of given tokens and the value before each, nothing learned. */
export function compileCritic(engine: Engine, net: ActorCritic, lines: LineShape) {
  return engine.compile(
    tokenInputs(lines),
    (x, g) => {
      const states = scored(net.shape, net.weights(g), x, lines);
      return { logProb: states.logProb, value: net.value(g, states) };
    },
    { name: 'critic' },
  );
}

/** Lines of one program that only looks. */
const LOOKED = 16;

/** What the critic says of lines that are only looked at, by the learner's own program: as Policy.values. */
export function criticValues(engine: Engine, net: ActorCritic): NonNullable<Policy['values']> {
  const P = net.shape.context;
  const T = P - 1;
  let critic: ReturnType<typeof compileCritic> | null = null;
  return async (ids) => {
    critic ??= compileCritic(engine, net, wholeLines(LOOKED, T));
    const lines = ids.length / P;
    const out = new Float32Array(lines * T);
    for (let from = 0; from < lines; from += LOOKED) {
      const count = Math.min(LOOKED, lines - from);
      critic.in.ids.fill(0);
      critic.in.targets.fill(0);
      for (let k = 0; k < count; k++) {
        const at = (from + k) * P;
        critic.in.ids.set(ids.subarray(at, at + T), k * T);
        critic.in.targets.set(ids.subarray(at + 1, at + P), k * T);
      }
      const pending = critic.run();
      if (pending) await pending;
      out.set(critic.out.value.subarray(0, count * T), from * T);
    }
    return out;
  };
}

/** One update over some lines; the loss is a sum over tokens of `weight` times their term (policy-loss.ts). */
export function compileLearner(
  engine: Pick<Engine, 'compile'>,
  shape: TransformerShape,
  group: ParamGroup,
  weights: (g: Graph) => Weights,
  c: LearnerOptions,
  lines: LineShape,
) {
  const rows = lines.lines;
  const each = [rows, lines.places] as const;
  return engine.compile(
    {
      ...tokenInputs(lines),
      mask: each,
      weight: each,
      advantage: c.perToken === true ? each : [rows],
      old: each,
      reference: c.judged ? each : null,
      first: [1],
      low: [1],
      high: [1],
      klCoef: [1],
      entropyCoef: [1],
    },
    (x, g) => {
      const { logProb, entropy } = scored(shape, weights(g), x, lines);
      // on the first update these are the very numbers it was sampled from
      const old = where(broadcastTo(reshape(gt(x.first, 0), [1, 1]), each), stopGradient(logProb), x.old);
      const found = policyLoss(
        {
          logProb,
          old,
          ...(x.reference !== undefined && { reference: x.reference }),
          entropy,
          advantage: c.perToken === true ? x.advantage : broadcastTo(reshape(x.advantage, [rows, 1]), each),
          mask: x.mask,
          weight: x.weight,
          low: x.low,
          high: x.high,
          klCoef: x.klCoef,
          entropyCoef: x.entropyCoef,
        },
        c,
      );
      return { ...found, loss: reshape(found.loss, []), logProb, entropySum: sum(mul(entropy, x.mask)) };
    },
    { minimise: 'loss', group, with: adamW({ beta1: 0.9, beta2: 0.98, weightDecay: 0 }), maxGradNorm: c.maxGradNorm, name: 'group learn' },
  );
}

/**
 * One update on demonstrations: -sum of weight x log-probability. `judged`: also `exact` [lines], 1 where before the update every token that weighs
 * was the most probable one, which is what greedy writing gives.
 */
export function compileCloner(
  engine: Pick<Engine, 'compile'>,
  shape: TransformerShape,
  group: ParamGroup,
  weights: (g: Graph) => Weights,
  lines: LineShape,
  judged = false,
) {
  return engine.compile(
    { ...tokenInputs(lines), weight: [lines.lines, lines.places] },
    (x, g) => {
      const { logProb, best } = scored(shape, weights(g), x, lines);
      const loss = reshape(neg(sum(mul(logProb, x.weight))), []);
      if (!judged) return { loss };
      const missed = where(gt(x.weight, 0), gt(best, logProb), 0);
      return { loss, exact: eq(sum(missed, 1), 0) };
    },
    { minimise: 'loss', group, with: adamW({ beta1: 0.9, beta2: 0.98, weightDecay: 0 }), maxGradNorm: 1, name: 'clone' },
  );
}

/** Log-probabilities of given tokens, nothing learned. */
export function compileScorer(engine: Engine, shape: TransformerShape, weights: (g: Graph) => Weights, lines: LineShape) {
  return engine.compile(tokenInputs(lines), (x, g) => ({ logProb: scored(shape, weights(g), x, lines).logProb }), { name: 'score' });
}

/** Moves the parameters of a reference by a share of the way to those of the policy, 1 all of it; nothing where there is no reference. */
export function following(engine: Engine, reference: TokenNetwork | null, policy: ParamGroup) {
  const program = reference === null ? null : engine.polyak(reference.group, policy);
  return async (share: number): Promise<void> => {
    if (program === null) return;
    program.in.tau[0] = share;
    const pending = program.run();
    if (pending) await pending;
  };
}

/** Logits [rows, V] of the token behind the last one of each row: ids [rows, T], 0 behind the end. */
export function nextLogits(shape: TransformerShape, w: Weights, ids: Tensor): Tensor {
  const [rows, T] = ids.shape as [number, number];
  const { states } = transformerStates(shape, w, { ids, positions: broadcastTo(iota(ids.graph, T), [rows, T]) });
  return tokenLogits(shape, w, sum(mul(states, reshape(lastPlace(ids), [rows, T, 1])), 1));
}

/** The next token's logits from whole rows as they are observed. */
export function compilePolicy(engine: Engine, shape: TransformerShape, weights: (g: Graph) => Weights, rows: number) {
  return engine.compile({ obs: [rows, shape.context] }, ({ obs }, g) => ({ logits: nextLogits(shape, weights(g), obs) }), {
    name: 'policy',
  });
}

/** 1 at the last token of every row [rows, T], else 0; no token lies behind a 0. */
function lastPlace(ids: Tensor): Tensor {
  const [rows, T] = ids.shape as [number, number];
  const last = sub(sum(gt(ids, 0), 1), 1);
  return eq(reshape(last, [rows, 1]), iota(ids.graph, T));
}

/**
 * Inside the network at the last token of one row, as TransformerReading has it. The logits of depth l are those of the same network cut
 * after l layers: its final norm and its head on the stream as it is there (nostalgebraist 2020, "interpreting GPT: the logit lens").
 */
function compileInspection(engine: Engine, shape: TransformerShape, weights: (g: Graph) => Weights) {
  const T = shape.context;
  return engine.compile(
    { obs: [1, T] },
    ({ obs }, g) => {
      const w = weights(g);
      const { stream, attention } = transformerStates(shape, w, { ids: obs, positions: broadcastTo(iota(g, T), [1, T]) });
      const here = lastPlace(obs);
      const lens = stream.map((x) => tokenLogits(shape, w, sum(mul(finalNorm(shape, w, x), reshape(here, [1, T, 1])), 1)));
      return {
        logits: concat(lens, 0),
        attention: concat(
          attention.map((x) => sum(mul(x, reshape(here, [1, 1, T, 1])), 2)),
          0,
        ),
      };
    },
    { name: 'inspect' },
  );
}
