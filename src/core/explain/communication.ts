/**
 * What agents say in one moment and what it changes: the policy is asked once as it is, once with nobody heard, and once per agent
 * with this one unheard. Where messages are the environment's (symbols said as actions, heard as observations named "heard ..."),
 * what is heard is set to zero instead.
 */
import type { MuteTest, Talk } from '#contract/talk.ts';
import { Rng } from '#math/rng.ts';
import type { Act, ActQuery, Policy } from '../algos/api/types.ts';
import { changeOfMind } from '../algos/lib/messages/policy.ts';
import type { EnvEntry, EnvMeta, StepBuffers } from '../envs/api/types.ts';
import { evaluate } from '../run/evaluate.ts';

/** Larger teams are not asked one by one. */
const MOST_PAIRS = 16;

/** A moment of an episode, and how to get to those before it. */
export interface Moment {
  readonly meta: EnvMeta;
  readonly t: number;
  /** What the agents saw at a frame; valid until the next call. */
  at(t: number): StepBuffers;
}

/** Per agent, the numbers of its observation that it hears. */
function heardNumbers(meta: EnvMeta): readonly (readonly number[])[] {
  return meta.agents.flatMap(({ count, obs }) => {
    const labels = obs.kind === 'box' ? (obs.labels ?? []) : [];
    const heard = labels.flatMap((label, i) => (label.startsWith('heard ') ? [i] : []));
    return Array.from({ length: count }, () => heard);
  });
}

/** The same policy, deaf. */
export function mutedPolicy(policy: Policy, meta: EnvMeta): Policy {
  const heard = heardNumbers(meta);
  return {
    initial: (rows) => policy.initial(rows),
    act(query) {
      const obs = query.obs.slice();
      for (let row = 0; row < query.rows; row++) for (const i of heard[query.agent[row]!]!) obs[row * meta.obsSize + i] = 0;
      const deaf = { ...query, obs };
      if (policy.communication === undefined) return policy.act(deaf);
      return policy.communication.act(deaf, new Uint8Array(query.rows).fill(1)).then(({ act }) => act);
    },
    dispose() {},
  };
}

/** What every agent carries when it comes to frame t: policies without memory carry nothing, and nothing is replayed for them. */
async function carried(
  policy: Policy,
  { meta, t, at }: Moment,
  query: (buffers: StepBuffers, hidden: Float32Array) => ActQuery,
): Promise<Float32Array> {
  let hidden = policy.initial(meta.agentCount);
  if (hidden.length === 0) return hidden;
  for (let s = 0; s < t; s++) hidden = (await policy.act(query(at(s), hidden))).hidden.slice();
  return hidden;
}

export async function talkAt(policy: Policy, moment: Moment): Promise<Talk | null> {
  const { meta, t } = moment;
  const { agentCount: A, actionCount: N, actionSize: D, obsSize: O } = meta;
  const agents = Int32Array.from({ length: A }, (_, i) => i);
  const one = ({ obs, mask }: StepBuffers, hidden: Float32Array): ActQuery => ({
    obs,
    ...(mask && { mask }),
    agent: agents,
    hidden,
    rng: Rng.from(0),
    rows: A,
    greedy: true,
  });
  const hidden = await carried(policy, moment, one);
  const { obs, mask } = moment.at(t);
  const { communication } = policy;
  if (communication !== undefined) {
    const central = communication.topology === 'central';
    const pairs = !central && A <= MOST_PAIRS;
    const first = await communication.act(one({ ...moment.at(t) }, hidden), null);
    const messages = first.messages.slice();
    const teams = 2 + (pairs ? A : 0); // as it is, nobody heard, then one unheard after the other
    const muted = Uint8Array.from({ length: A * teams }, (_, i) => Number(i >= A && (i < 2 * A || i % A === Math.floor(i / A) - 2)));
    const { act } = await communication.act(repeated(teams, one({ ...moment.at(t) }, hidden)), muted);
    const change = (team: number, agent: number): number => difference(act, meta, agent, team * A + agent);
    return {
      kind: central ? 'messenger' : 'channel',
      size: messages.length / A,
      messages,
      effect: Float32Array.from({ length: pairs ? A * A : 0 }, (_, i) =>
        Math.floor(i / A) === i % A ? 0 : change(2 + Math.floor(i / A), i % A),
      ),
      silence: Float32Array.from({ length: A }, (_, agent) => change(1, agent)),
      chosen: Float32Array.from(act.actions.subarray(0, A * D)),
      unheard: Float32Array.from(act.actions.subarray(A * D, 2 * A * D)),
    };
  }
  const heard = heardNumbers(meta);
  const size = Math.max(...heard.map((numbers) => numbers.length));
  if (size === 0) return null;
  const messages = new Float32Array(A * size).fill(Number.NaN);
  const both = new Float32Array(2 * A * O);
  both.set(obs.subarray(0, A * O));
  both.set(obs.subarray(0, A * O), A * O);
  heard.forEach((numbers, agent) => {
    numbers.forEach((i, k) => {
      messages[agent * size + k] = obs[agent * O + i]!;
      both[(A + agent) * O + i] = 0;
    });
  });
  const act = await policy.act({ ...repeated(2, one({ ...moment.at(t), ...(mask && { mask }) }, hidden)), obs: both });
  return {
    kind: 'environment',
    size,
    messages,
    effect: new Float32Array(0),
    silence: Float32Array.from({ length: A }, (_, agent) => difference(act, meta, agent, A + agent)),
    chosen: Float32Array.from(act.actions.subarray(0, A * D)),
    unheard: Float32Array.from(act.actions.subarray(A * D, 2 * A * D)),
  };

  function repeated(times: number, { obs: seen, mask: legal, hidden: state, ...rest }: ActQuery): ActQuery {
    const copies = <T extends Float32Array | Uint8Array>(source: T, make: (size: number) => T): T => {
      const out = make(source.length * times);
      for (let i = 0; i < times; i++) out.set(source, i * source.length);
      return out;
    };
    return {
      ...rest,
      obs: copies(seen.subarray(0, A * O), (n) => new Float32Array(n)),
      ...(legal && { mask: copies(legal.subarray(0, A * N), (n) => new Uint8Array(n)) }),
      hidden: copies(state, (n) => new Float32Array(n)),
      agent: Int32Array.from({ length: A * times }, (_, i) => i % A),
      rows: A * times,
    };
  }
}

/** KL of row `a` of an answer against row `b` of the same answer. */
function difference(act: Act, meta: EnvMeta, a: number, b: number): number {
  const shift = (x: Float32Array | undefined, width: number): Float32Array | undefined => x?.subarray(b * width, (b + 1) * width);
  const own = (x: Float32Array | undefined, width: number): Float32Array | undefined => x?.subarray(a * width, (a + 1) * width);
  const { actionCount: N, actionSize: D } = meta;
  const view = (of: typeof own) => {
    const [logits, mean, logStd] = [of(act.logits, N), of(act.mean, D), of(act.logStd, D)];
    return { ...(logits && { logits }), ...(mean && { mean }), ...(logStd && { logStd }) };
  };
  return changeOfMind(view(own), view(shift), 0, N, D);
}

/** Greedy episodes on the same seeds with messages and without. */
export async function muteTest(policy: Policy, entry: EnvEntry, config: unknown, episodes: number): Promise<MuteTest> {
  const heard = await evaluate(policy, entry, config, { episodes });
  const muted = await evaluate(mutedPolicy(policy, entry.meta(config)), entry, config, { episodes });
  const differences = heard.scores.map((score, i) => score - muted.scores[i]!);
  const mean = differences.reduce((a, b) => a + b, 0) / episodes;
  const variance = differences.reduce((sum, d) => sum + (d - mean) * (d - mean), 0) / Math.max(1, episodes - 1);
  return { episodes, heard: heard.score, muted: muted.score, halfWidth: 1.96 * Math.sqrt(variance / episodes) };
}
