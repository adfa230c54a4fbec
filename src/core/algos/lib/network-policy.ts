/**
 * One network for agents that are alike, and policies that ask it row by row, through programs of a few sizes (nets/chunks.ts).
 * policyNetwork: grid codes become one-hot, other observations pass as they are; discrete actions get logits (masked ones -1e8),
 * continuous ones the mean of a Gaussian whose log std is a free parameter, 0 at the start. networkPolicy takes any program with the
 * inputs `obs` [rows, O] and, where actions are masked, `mask` [rows, N], and some of the outputs `logits`, `q` [rows, N], `mean`,
 * `logStd` [rows, D] and `value` [rows].
 */

import type { ActionSpace } from '#contract/game/spaces.ts';
import { present } from '#contract/kit/errors.ts';
import type { Activation } from '#core/engine/ops.ts';
import { broadcastTo, logSoftmax } from '#core/engine/ops.ts';
import type { Engine, Graph, Param, ParamGroup, Program, Tensor, Views } from '#core/engine/types.ts';
import { perAgent } from '#core/envs/api/meta.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { ActionBox, Normaliser } from '#core/nets/agent-network.ts';
import { type BodySettings, bodyFront, sharesBody } from '#core/nets/body.ts';
import { chunkSize, policyPrograms, readRows } from '#core/nets/chunks.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { categoricalEntropy, categoricalLogProb, gaussianEntropy, gaussianLogProb, maskLogits } from '#core/nets/heads.ts';
import { zeros } from '#core/nets/init.ts';
import { type ActorCritic, actorCritic, column, type MakeTrunk } from '#core/nets/mlp.ts';
import { type SplitNetwork, type SplitOutput, splitNetwork } from '#core/nets/split-network.ts';
import { exp } from '#math/functions.ts';
import type { RunningMoments } from '#math/normalise.ts';
import type { Rng } from '#math/rng.ts';
import { giveRows, takeRows } from '#math/rows.ts';
import { argmax, categorical, normal, randomAction } from '#math/sampling.ts';
import { type BoundParts, type NetworkParts, outputsOf, type PolicyView } from '../api/extension.ts';
import type { Act, ActQuery, Policy } from '../api/types.ts';

const WIDTHS = ['logits', 'q', 'mean', 'logStd', 'value'] as const;

/** What a program that acts is fed with. */
export interface ActingInputs extends Views {
  readonly obs: Float32Array;
}

export interface NetworkPolicyOptions {
  readonly meta: EnvMeta;
  compile(rows: number): Program<ActingInputs>;
  /** Before every run: other inputs of the programs. */
  prepare?(): void;
  /** Observations are normalised by it. */
  readonly normaliser?: Normaliser | null;
  /** What action values explore with when not greedy. */
  readonly epsilon?: () => number;
  dispose?(): void;
}

export function networkPolicy(options: NetworkPolicyOptions): Policy {
  const { meta } = options;
  const { obsSize, actionCount: n, actionSize: d } = meta;
  const { whole, actor } = policyPrograms(options.compile);
  const cuts = new Map<SplitOutput, SplitNetwork | null>();
  const none = new Float32Array(0);
  const spaces = perAgent(meta, (group) => group.action);
  let asked = new Int32Array(0);

  /** Observations as the network wants them, in place. */
  function prepare(obs: Float32Array): void {
    options.prepare?.();
    options.normaliser?.moments.normalise(obs, obs, options.normaliser.clip);
  }

  async function forward({ rows, obs, mask, unread, valueless }: ActQuery): Promise<Record<string, Float32Array>> {
    const outputs: Record<string, Float32Array> = {};
    if (asked.length < rows) asked = new Int32Array(rows);
    const total = readRows(rows, unread, asked);
    for (let from = 0; from < total; ) {
      const size = chunkSize(total - from);
      const count = Math.min(size, total - from);
      const program = valueless === true ? actor(size) : whole(size);
      const { obs: into, mask: legal } = program.in;
      takeRows(asked, from, count, obs, obsSize, into);
      prepare(into.subarray(0, count * obsSize));
      if (mask === undefined) legal?.fill(1);
      else if (legal !== undefined) takeRows(asked, from, count, mask, n, legal);
      const pending = program.run();
      if (pending) await pending;
      for (const name of WIDTHS) {
        const found = program.out[name];
        if (found === undefined) continue;
        const width = found.length / size;
        giveRows(asked, from, count, found, width, (outputs[name] ??= new Float32Array(rows * width)));
      }
      from += count;
    }
    return outputs;
  }

  return {
    initial: () => none,
    async act(query): Promise<Act> {
      const outputs = await forward(query);
      const { logits, q, mean, logStd } = outputs;
      const { rows, rng, greedy, mask, unread } = query;
      let actions: Act['actions'];
      if (mean !== undefined && logStd !== undefined) {
        actions = new Float32Array(rows * d);
        for (let i = 0; i < rows * d; i++) {
          const space = spaces[query.agent[Math.floor(i / d)]!]!;
          const drawn = greedy ? mean[i]! : mean[i]! + exp(logStd[i]!) * normal(rng);
          const [low, high] = space.kind === 'box' ? [space.low[i % d]!, space.high[i % d]!] : [-1, 1];
          actions[i] = Math.min(high, Math.max(low, drawn));
        }
      } else {
        actions = new Int32Array(rows);
        for (let row = 0; row < rows; row++) {
          if (unread?.[row] === 1) continue;
          if (logits !== undefined) actions[row] = greedy ? argmax(logits, row * n, n) : categorical(logits, row * n, n, rng.uniform());
          else if (!greedy && rng.uniform() < (options.epsilon?.() ?? 0)) actions[row] = randomAction(rng, n, mask, row * n);
          else actions[row] = argmax(q as Float32Array, row * n, n, mask, row * n);
        }
      }
      return { actions, hidden: none, ...outputs };
    },
    split(output) {
      let found = cuts.get(output);
      if (found === undefined) {
        const feed = (obs: Float32Array, from: number, count: number, into: Float32Array): void => {
          into.set(obs.subarray(from * obsSize, (from + count) * obsSize));
          prepare(into.subarray(0, count * obsSize));
        };
        cuts.set(output, (found = splitNetwork({ program: whole, feed }, output)));
      }
      return found;
    },
    network: (agent) => ({
      program: options.compile,
      obsWidth: obsSize,
      number: [],
      normaliser: options.normaliser ?? null,
      box: boundsOf(present(spaces[agent], 'the action space of an agent')),
    }),
    dispose() {
      options.dispose?.();
    },
  };
}

/** Means are cut to the bounds of the actions. */
const boundsOf = (space: ActionSpace): ActionBox | null =>
  space.kind === 'box' ? { form: 'clipped', low: space.low, high: space.high } : null;

/** Inputs of a program with a policy network: `mask` where actions are masked. */
export interface NetworkInputs {
  readonly obs: Tensor; // [rows, O]
  readonly mask: Tensor | undefined; // [rows, N]
}

export interface PolicyNetwork extends PolicyView {
  readonly group: ParamGroup;
  /** Of its own, where it was made with parts. */
  readonly parts?: BoundParts | null;
  readonly discrete: boolean;
}

/** What follows from a head: logits without `spread`, else means with the log deviations that it holds, [D]. */
export const readingOf = (apply: PolicyNetwork['apply'], spread: Param | null): Pick<PolicyNetwork, 'outputs' | 'evaluate'> => ({
  outputs(x, g) {
    const { head, value } = apply(x, g);
    return spread === null ? { logits: head, value } : { mean: head, logStd: broadcastTo(g.read(spread), head.shape), value };
  },
  evaluate(x, action, g) {
    const { head, value } = apply(x, g);
    if (spread === null) return { logProb: categoricalLogProb(head, action), entropy: categoricalEntropy(head), value };
    const logStd = g.read(spread);
    return { logProb: gaussianLogProb(head, logStd, action), entropy: gaussianEntropy(logStd), value };
  },
});

export function policyNetwork(
  engine: Engine,
  meta: EnvMeta,
  options: BodySettings & {
    readonly hidden: readonly number[];
    /** Of the value network; as `hidden` if missing or null. */
    readonly criticHidden?: readonly number[] | null;
    readonly activation: Activation;
    /** Of hidden layers; none if missing. */
    readonly layerNorm?: boolean;
    readonly sharedTrunk: boolean;
    /** Makes the shared trunk; dense layers if missing. */
    readonly trunk?: MakeTrunk;
    /** Which outputs each row takes; all of them if missing. */
    readonly parts?: NetworkParts | null;
  },
  rng: Rng,
  name = 'policy',
): PolicyNetwork {
  const space = meta.agents[0]!.obs;
  const discrete = meta.actionCount > 0;
  const group = engine.group(name);
  const { parts = null } = options;
  const net = actorCritic(group, rng, {
    inputs: encodedSize(space),
    outputs: discrete ? meta.actionCount : meta.actionSize,
    hidden: options.hidden,
    ...(options.criticHidden && { criticHidden: options.criticHidden }),
    act: options.activation,
    layerNorm: options.layerNorm ?? false,
    shared: options.sharedTrunk,
    trunk: options.trunk,
    front: bodyFront(space, options, { act: options.activation }),
    sharedFront: sharesBody(options),
    ...(parts !== null && { heads: parts.heads }),
  });
  const spread = discrete ? null : group.param('logStd', [meta.actionSize], zeros(meta.actionSize));
  const bound = parts?.bind(group) ?? null;
  const ofRows: ActorCritic = (seen) => {
    const build = (): readonly Tensor[] => {
      const out = net(seen);
      return [out.policy, out.value];
    };
    const [policy, value] = outputsOf(bound, () => seen, build) as readonly [Tensor, Tensor];
    return { policy, value: value.shape.length === 1 ? value : column(value) };
  };
  const apply: PolicyNetwork['apply'] = ({ obs, mask }, g) => {
    const { policy, value } = ofRows(encode(g, obs, space));
    return { head: mask === undefined ? policy : maskLogits(policy, mask), value };
  };
  return {
    group,
    parts: bound,
    discrete,
    inputs: (rows) => ({ obs: [rows, meta.obsSize], mask: meta.masked ? [rows, meta.actionCount] : null }),
    actionShape: (rows) => (discrete ? [rows] : [rows, meta.actionSize]),
    apply,
    ...readingOf(apply, spread),
  };
}

/** Acting also wants ln p of every action, from the same kernels as the update: its first ratio is then exactly 1. */
export function compileActor(engine: Engine, net: PolicyNetwork, rows: number, name: string) {
  const build = (x: NetworkInputs, g: Graph) => {
    const out = net.outputs(x, g);
    return 'logits' in out ? { ...out, logProbs: logSoftmax(out.logits) } : out;
  };
  return engine.compile(net.inputs(rows), build, { name });
}

/** The policy of this network as it is now; observations are normalised by `moments`, clipped to +- `clip`. */
export function policyOfNetwork(
  engine: Engine,
  meta: EnvMeta,
  net: PolicyNetwork,
  moments: RunningMoments | null,
  clip: number,
  dispose?: () => void,
): Policy {
  return networkPolicy({
    meta,
    compile: (rows) => engine.compile(net.inputs(rows), net.outputs, { name: 'policy' }),
    normaliser: moments && { moments, clip },
    ...(dispose && { dispose }),
  });
}
