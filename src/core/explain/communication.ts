/**
 * The messages of one frame and their causal influence: the policy is asked with all messages, with none, and once per agent without the
 * messages of that agent. Where messages belong to the environment (symbols sent as actions, received as observations named "heard ..."),
 * the received symbols are set to zero instead.
 */
import { z } from 'zod';
import { COMMUNICATION, type MessageFrame } from '#contract/explain/communication.ts';
import { present } from '#contract/kit/errors.ts';
import { Rng } from '#math/rng.ts';
import type { Act, ActQuery, Policy } from '../algos/api/types.ts';
import { choiceKl } from '../algos/lib/messages/policy.ts';
import { agentNames } from '../envs/api/meta.ts';
import type { EnvMeta, StepBuffers } from '../envs/api/types.ts';
import { defineExplainer } from './api/define.ts';
import { checkChannel, heardColumns } from './lib/muted.ts';

/** Larger teams are not asked one by one. */
const MOST_PAIRS = 16;

/** A frame of an episode, and how to get to those before it. */
export interface FrameView {
  readonly meta: EnvMeta;
  readonly t: number;
  /** What the agents saw at a frame; valid until the next call. */
  at(t: number): StepBuffers;
}

/** What every agent carries when it comes to frame t: policies without memory carry nothing, and nothing is replayed for them. */
async function carried(
  policy: Policy,
  { meta, t, at }: FrameView,
  query: (buffers: StepBuffers, hidden: Float32Array) => ActQuery,
): Promise<Float32Array> {
  let hidden = policy.initial(meta.agentCount);
  if (hidden.length === 0) return hidden;
  for (let s = 0; s < t; s++) hidden = (await policy.act(query(at(s), hidden))).hidden.slice();
  return hidden;
}

/** null: the policy sends no messages and the environment has none. */
export async function messagesAt(policy: Policy, view: FrameView): Promise<MessageFrame | null> {
  const { meta, t } = view;
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
  const hidden = await carried(policy, view, one);
  const { obs, mask } = view.at(t);
  const { communication } = policy;
  if (communication !== undefined) {
    const central = communication.topology === 'central';
    const pairs = !central && A <= MOST_PAIRS;
    const first = await communication.act(one({ ...view.at(t) }, hidden), null);
    const messages = first.messages.slice();
    const teams = 2 + (pairs ? A : 0); // all messages, no messages, then without those of each agent
    const muted = Uint8Array.from({ length: A * teams }, (_, i) => Number(i >= A && (i < 2 * A || i % A === Math.floor(i / A) - 2)));
    const { act } = await communication.act(repeated(teams, one({ ...view.at(t) }, hidden)), muted);
    const change = (team: number, agent: number): number => difference(act, meta, agent, team * A + agent);
    return {
      kind: communication.topology,
      size: messages.length / A,
      messages,
      influence: Float32Array.from({ length: pairs ? A * A : 0 }, (_, i) =>
        Math.floor(i / A) === i % A ? 0 : change(2 + Math.floor(i / A), i % A),
      ),
      influenceOfAll: Float32Array.from({ length: A }, (_, agent) => change(1, agent)),
      actions: Float32Array.from(act.actions.subarray(0, A * D)),
      actionsMuted: Float32Array.from(act.actions.subarray(A * D, 2 * A * D)),
    };
  }
  const heard = heardColumns(meta);
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
  const act = await policy.act({ ...repeated(2, one({ ...view.at(t), ...(mask && { mask }) }, hidden)), obs: both });
  return {
    kind: 'environment',
    size,
    messages,
    influence: new Float32Array(0),
    influenceOfAll: Float32Array.from({ length: A }, (_, agent) => difference(act, meta, agent, A + agent)),
    actions: Float32Array.from(act.actions.subarray(0, A * D)),
    actionsMuted: Float32Array.from(act.actions.subarray(A * D, 2 * A * D)),
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
  return choiceKl(view(own), view(shift), 0, N, D);
}

export const communication = defineExplainer<object, MessageFrame>({
  ref: COMMUNICATION,
  title: 'Communication',
  summary: 'The messages of a frame, and the causal influence of each on what the others choose.',
  source: {
    title: 'On the Pitfalls of Measuring Emergent Communication',
    authors: 'Lowe, Foerster, Boureau, Pineau, Dauphin',
    year: 2019,
    url: 'https://arxiv.org/abs/1903.05168',
  },
  config: z.strictObject({}),
  answers: 'matrix',
  team: 'learned',
  frame: 'required',
  agents: 2,
  trial: {
    env: { id: 'mpe-simple-speaker-listener', config: {} },
    algo: { id: 'commnet', config: { rounds: 1 } },
    steps: 2048,
    config: {},
    refuses: { env: { id: 'mpe-simple-spread', config: {} }, algo: 'ppo' },
  },
  fits: checkChannel,
  async *explain(scene) {
    const { meta } = scene;
    const { replay, t } = scene.moment;
    const reader = scene.reader(replay);
    const at = (frame: number): StepBuffers => {
      reader.seek(frame);
      return reader.buffers;
    };
    const detail = present(await messagesAt(scene.learned, { meta, t, at }), 'messages'); // checkChannel has seen to it
    const names = agentNames(meta);
    const pairs = detail.influence.length > 0;
    yield {
      title: 'Causal influence of the message: KL(pi || pi without it)',
      unit: 'nats',
      words: pairs ? ['Row: whose message is removed; column: whose choice it changes.'] : ['Each agent with all messages removed.'],
      end: 'done',
      data: {
        kind: 'matrix',
        rows: pairs ? names : ['all messages'],
        columns: names,
        values: Array.from(pairs ? detail.influence : detail.influenceOfAll),
        halfWidth: null,
      },
      detail,
    };
  },
});
