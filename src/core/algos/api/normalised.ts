/**
 * Methods in an environment whose observations are normalised (`env.normaliseObs`): whatever the method, it trains and acts on
 *
 *   clip((x - mean) / sqrt(variance + 1e-8), -10, 10)
 *
 * with the running moments of every observation that its copies showed, as VecNormalize of stable-baselines3 keeps them: they follow each step of
 * training, stand still in tests, and are part of checkpoints and policies. Agents of one group share theirs. A replay memory holds observations as
 * they are, and normalises what is drawn by the moments of that moment, as stable-baselines3 does. Global states (`StepBuffers.state`) stay as they are.
 *
 * The environment itself shows plain observations: explanations, recordings and scripts read those.
 */
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { NORMALISE_EPSILON, RunningMoments } from '#math/normalise.ts';
import type { EnvEntry, Environment, EnvMeta, ScriptedPolicy, StepBuffers } from '../../envs/api/types.ts';
import type { VectorEnv } from '../../envs/api/vector-env.ts';
import type { AgentNetwork } from '../../nets/agent-network.ts';
import { behind, seenMeta } from './behind.ts';
import type { ActQuery, Policy, PolicyContext, Progress, Run } from './types.ts';

const CLIP = 10;
/** Of the arrays that policies and checkpoints hold beside those of the method, one for each group of agents. */
const KEY = 'seenMoments';

/** Who sees, and how many numbers. */
type SeenBy = Pick<EnvMeta, 'agentCount' | 'obsSize'> & { readonly agents: readonly Pick<EnvMeta['agents'][number], 'count'>[] };

/** The moments of what agents see, one for each group. */
export class SeenMoments {
  /** O and A of the environment. */
  readonly width: number;
  readonly agents: number;
  private readonly groups: readonly RunningMoments[];
  private readonly groupOf: Int32Array; // [A]
  private readonly scales: readonly Float64Array[];
  private rows = new Float32Array(0);

  constructor({ agents, agentCount, obsSize }: SeenBy) {
    this.width = obsSize;
    this.agents = agentCount;
    this.groups = agents.map(() => new RunningMoments(obsSize));
    this.scales = agents.map(() => new Float64Array(obsSize));
    this.groupOf = Int32Array.from(agents.flatMap(({ count }, group) => Array.from({ length: count }, () => group)));
    this.rescale();
  }

  /** Merges observations [B, A, O]. */
  update(obs: Float32Array): void {
    const { width, agents, groupOf } = this;
    if (this.rows.length < obs.length) this.rows = new Float32Array(obs.length);
    for (const [group, moments] of this.groups.entries()) {
      let count = 0;
      for (let row = 0; row < obs.length / width; row++) {
        if (groupOf[row % agents] !== group) continue;
        this.rows.set(obs.subarray(row * width, (row + 1) * width), count * width);
        count++;
      }
      if (count > 0) moments.update(this.rows, count);
    }
    this.rescale();
  }

  /** Writes the observation x[from ..] of an agent to out[to ..]; both may be the same. */
  write(agent: number, x: Float32Array, from: number, out: Float32Array, to: number): void {
    const group = this.groupOf[agent]!;
    const { mean } = this.groups[group]!;
    const scale = this.scales[group]!;
    for (let i = 0; i < this.width; i++) out[to + i] = Math.max(-CLIP, Math.min(CLIP, (x[from + i]! - mean[i]!) * scale[i]!));
  }

  /** All of [B, A, O]. */
  writeAll(obs: Float32Array, out: Float32Array): void {
    for (let row = 0; row < obs.length / this.width; row++) this.write(row % this.agents, obs, row * this.width, out, row * this.width);
  }

  /** What a change of a number that is seen changes in what the network gets: 0 where it is clipped. */
  slope(agent: number, x: Float32Array, from: number, i: number): number {
    const group = this.groupOf[agent]!;
    const scale = this.scales[group]![i]!;
    return Math.abs((x[from + i]! - this.groups[group]!.mean[i]!) * scale) < CLIP ? scale : 0;
  }

  /** For a network that gets the first `obsWidth` numbers of this agent, and behind them `more` that stay as they are. */
  of(agent: number, obsWidth: number, more: number): RunningMoments {
    const own = this.groups[this.groupOf[agent]!]!;
    const moments = new RunningMoments(obsWidth + more);
    moments.mean.set(own.mean.subarray(0, obsWidth));
    moments.variance.set(own.variance.subarray(0, obsWidth));
    moments.variance.fill(1 - NORMALISE_EPSILON, obsWidth);
    moments.count = own.count;
    return moments;
  }

  arrays(): Saved['arrays'] {
    return Object.fromEntries(this.groups.map((moments, group) => [`${KEY}${group}`, moments.pack()]));
  }

  /** Throws LabError('file-invalid') where they are not there. */
  load({ arrays }: Saved): void {
    for (const [group, moments] of this.groups.entries()) {
      const packed = arrays[`${KEY}${group}`];
      if (!(packed instanceof Float64Array) || packed.length !== 2 * this.width + 1)
        throw fail('file-invalid', 'The moments of its observations are missing.', 'Take the policy or checkpoint as it was saved.');
      moments.unpack(packed);
    }
    this.rescale();
  }

  private rescale(): void {
    for (const [group, { variance }] of this.groups.entries()) {
      const scale = this.scales[group]!;
      for (let i = 0; i < scale.length; i++) scale[i] = 1 / Math.sqrt(variance[i]! + NORMALISE_EPSILON);
    }
  }
}

/** What the method saved, without the moments. */
const ownOf = ({ meta, arrays }: Saved): Saved => ({
  meta,
  arrays: Object.fromEntries(Object.entries(arrays).filter(([name]) => !name.startsWith(KEY))),
});

const envBehind = new WeakMap<Environment, Environment>();

/** The environment, which writes normalised observations into whatever buffers it is given. Moments stay as they are. */
function seenEnv(env: Environment, moments: SeenMoments): Environment {
  const own = new Float32Array(env.batch * moments.agents * moments.width);
  const plainOf = (out: StepBuffers): StepBuffers => {
    const known = behind.get(out);
    if (known !== undefined) return known.plain;
    const plain = { ...out, obs: own };
    behind.set(out, { plain, moments });
    return plain;
  };
  const written = (out: StepBuffers, write: (plain: StepBuffers) => void): void => {
    const plain = plainOf(out);
    write(plain);
    moments.writeAll(plain.obs, out.obs);
  };
  const seen: Environment = {
    ...env,
    reset: (seeds, out, rows) => written(out, (plain) => env.reset(seeds, plain, rows)),
    restart: (rows, out) => written(out, (plain) => env.restart(rows, plain)),
    step: (actions, out) => written(out, (plain) => env.step(actions, plain)),
    load: (row, state, out) => written(out, (plain) => env.load(row, state, plain)),
  };
  envBehind.set(seen, env);
  return seen;
}

const same = (a: Float32Array, b: unknown): boolean => b instanceof Float32Array && a.length === b.length && a.every((x, i) => x === b[i]);

/** The copies of a run, whose observations are normalised; `saved`: what the run goes on from, if anything. */
function seenVector(inner: VectorEnv, moments: SeenMoments, saved: Saved | undefined): VectorEnv {
  const plain = inner.buffers;
  const obs = new Float32Array(plain.obs.length);
  const finalObs = new Float32Array(plain.finalObs.length);
  const buffers: StepBuffers = { ...plain, obs, finalObs };
  behind.set(buffers, { plain, moments });
  const show = (): void => {
    moments.writeAll(plain.obs, obs);
    moments.writeAll(plain.finalObs, finalObs);
  };
  return {
    ...inner,
    env: seenEnv(inner.env, moments),
    buffers,
    reset() {
      inner.reset();
      moments.update(plain.obs);
      show();
    },
    step(actions, playing) {
      inner.step(actions, playing);
      moments.update(plain.obs);
      show();
    },
    goOnFrom(row, state, so) {
      inner.goOnFrom(row, state, so);
      show();
    },
    save() {
      const { meta, arrays } = inner.save();
      return { meta, arrays: { ...arrays, 'seen.obs': obs.slice(), 'seen.finalObs': finalObs.slice() } };
    },
    load(from) {
      inner.load(from);
      if (saved !== undefined) moments.load(saved);
      show();
      // copies whose moments have moved since they last stepped show what they showed
      const { 'seen.obs': kept, 'seen.finalObs': last } = from.arrays;
      if (!same(plain.obs, from.arrays['buffer.obs']) || !(kept instanceof Float32Array) || !(last instanceof Float32Array)) return;
      obs.set(kept);
      finalObs.set(last);
    },
  };
}

const plainPolicy = (policy: ScriptedPolicy): ScriptedPolicy => ({
  act: (env, buffers, out) => policy.act(envBehind.get(env) ?? env, behind.get(buffers)?.plain ?? buffers, out),
});

/** The entry as methods use it: what it makes shows normalised observations, its scripts look behind them. */
function seenEntry(entry: EnvEntry, moments: SeenMoments): EnvEntry {
  const changed = {
    create: (...asked: Parameters<EnvEntry['create']>) => seenEnv(entry.create(...asked), moments),
    policies: (config: unknown) =>
      Object.fromEntries(Object.entries(entry.policies(config)).map(([name, policy]) => [name, plainPolicy(policy)])),
    skills: () => null,
    lookAhead: () => null,
  };
  // A proxy and no copy: reading every field would compute the schema.
  return new Proxy(entry, { get: (target, key) => Reflect.get(Object.hasOwn(changed, key) ? changed : target, key) });
}

/** The policy of a method, which gets plain observations and normalises them. */
function seeing(policy: Policy, moments: SeenMoments): Policy {
  const { width } = moments;
  const { split, network, extras, communication, gradient } = policy;
  let rows = new Float32Array(0);
  const read = (obs: Float32Array, count: number, agentOf: (row: number) => number): Float32Array => {
    if (rows.length < count * width) rows = new Float32Array(count * width);
    for (let row = 0; row < count; row++) moments.write(agentOf(row), obs, row * width, rows, row * width);
    return rows.subarray(0, count * width);
  };
  const seen = (query: ActQuery): ActQuery => ({ ...query, obs: read(query.obs, query.rows, (row) => query.agent[row]!) });
  return {
    initial: (count) => policy.initial(count),
    act: (query) => policy.act(seen(query)),
    ...(split !== undefined && {
      split(output, agent) {
        const found = split.call(policy, output, agent);
        return (
          found && {
            ...found,
            preActivations: (obs, count) =>
              found.preActivations(
                read(obs, count, () => agent),
                count,
              ),
          }
        );
      },
    }),
    ...(network !== undefined && {
      network(agent): AgentNetwork {
        const found = network.call(policy, agent);
        return { ...found, normaliser: { moments: moments.of(agent, found.obsWidth, found.number.length), clip: CLIP } };
      },
    }),
    ...(extras !== undefined && { extras }),
    ...(communication !== undefined && {
      communication: {
        topology: communication.topology,
        act: (query, muted) => communication.act(seen(query), muted),
      },
    }),
    ...(gradient !== undefined && {
      async gradient(query, actions) {
        const slopes = await gradient.call(policy, seen(query), actions);
        return slopes.map((slope, j) => {
          const row = Math.floor(j / width);
          return slope * moments.slope(query.agent[row]!, query.obs, row * width, j % width);
        });
      },
    }),
    dispose: () => policy.dispose(),
  };
}

/** A run of a method in a normalised environment: `train` is the method's own loop. */
export async function* trainNormalised<C>(
  run: Run<C>,
  resume: Saved | undefined,
  train: (run: Run<C>, resume: Saved | undefined) => AsyncGenerator<Progress, void, void>,
): AsyncGenerator<Progress, void, void> {
  const moments = new SeenMoments(run.meta);
  if (resume !== undefined) moments.load(resume);
  const seen: Run<C> = {
    ...run,
    config: run.config, // the very object that live edits change
    get envConfig() {
      return run.envConfig;
    },
    envEntry: seenEntry(run.envEntry, moments),
    meta: seenMeta(run.meta),
    makeEnv: (batch, other) => {
      const made = seenVector(run.makeEnv(batch, other), moments, resume);
      return { ...made, meta: seenMeta(made.meta) };
    },
  };
  const withMoments = async (saved: Saved | Promise<Saved>): Promise<Saved> => {
    const { meta, arrays } = await saved;
    return { meta, arrays: { ...arrays, ...moments.arrays() } };
  };
  let policy: Promise<Policy> | undefined;
  for await (const progress of train(seen, resume && ownOf(resume))) {
    yield {
      ...progress,
      snapshot: () => withMoments(progress.snapshot()),
      save: () => withMoments(progress.save()),
      policy: () => (policy ??= Promise.resolve(progress.policy()).then((made) => seeing(made, moments))),
    };
  }
}

/** The policy of a snapshot of such a run: `make` is the method's own. Throws LabError('file-invalid') where the moments are missing. */
export async function policyNormalised<C>(
  context: PolicyContext<C>,
  saved: Saved,
  make: (context: PolicyContext<C>, saved: Saved) => Promise<Policy>,
): Promise<Policy> {
  const moments = new SeenMoments(context.meta);
  moments.load(saved);
  const seen = { ...context, envEntry: seenEntry(context.envEntry, moments), meta: seenMeta(context.meta) };
  return seeing(await make(seen, ownOf(saved)), moments);
}
