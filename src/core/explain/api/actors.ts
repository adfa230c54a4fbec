/**
 * Policies that act in many copies at once. Every random choice is a function of the episode's seed, the step, the agent and
 * the purpose alone, so two episodes of one seed that differ in their coalition meet the same chances wherever they still agree
 * (common random numbers), in whichever row of the batch they are played.
 */
import { fail } from '#contract/kit/errors.ts';
import { exp } from '#math/functions.ts';
import { philox } from '#math/rng.ts';
import { categorical, normalOf } from '#math/sampling.ts';
import type { Act, Policy } from '../../algos/api/types.ts';
import { paidOf } from '../../envs/api/score.ts';
import type { Actions, Environment, EnvMeta, ScriptedPolicy, StepBuffers } from '../../envs/api/types.ts';

const WORD = 2.3283064365386963e-10;
const KEY = 0x6578_706c; // keeps these streams apart from those of environments

/** Four words that depend on nothing but the arguments. */
export function randomWords(seed: number, step: number, agent: number, purpose: number, out: Uint32Array): void {
  philox(step, agent, purpose, 0, seed, KEY, out, 0);
}

export const uniformOf = (word: number): number => word * WORD;

/** Which episode each row plays and how far it is. */
export interface Clock {
  readonly seed: Uint32Array; // [B]
  readonly step: Int32Array; // [B]
}

export interface Actor {
  /** The policy's last output, without values; null: a script acts. Valid until it acts again. */
  readonly lastAct: Act | null;
  /** Hidden state of all rows, [B, A, ...]; empty without memory. */
  readonly memory: Float32Array;
  /** Resets the hidden state of these rows: they begin a new episode. */
  begin(rows: Uint8Array): void;
  /** Writes [B, A, D]. `unread` [B, A]: 1 where the action is not used; anything may be written there. */
  act(env: Environment, buffers: StepBuffers, clock: Clock, out: Actions, unread?: Uint8Array): Promise<void> | void;
}

export function scriptedActor(policy: ScriptedPolicy): Actor {
  return {
    lastAct: null,
    memory: new Float32Array(0),
    begin() {},
    act: (env, buffers, _, out) => policy.act(env, buffers, out),
  };
}

const DRAWN = 1;

/** greedy: the policy's best action; else drawn from its distribution. `memory` [A, ...]: what every episode begins with, for those that begin in the middle. */
export function learnedActor(
  policy: Policy,
  meta: EnvMeta,
  batch: number,
  greedy: boolean,
  rng: Parameters<Policy['act']>[0]['rng'],
  memory?: Float32Array,
): Actor {
  const { agentCount, actionCount, actionSize } = meta;
  const rows = batch * agentCount;
  const agent = Int32Array.from({ length: rows }, (_, i) => i % agentCount);
  const start = policy.initial(rows).slice();
  const width = start.length / rows;
  if (memory !== undefined) for (let b = 0; b < batch; b++) start.set(memory, b * agentCount * width);
  let hidden = start.slice();
  let lastAct: Act | null = null;
  const words = new Uint32Array(4);

  const draw = (row: number, act: Act, clock: Clock, out: Actions): void => {
    const b = Math.floor(row / agentCount);
    if (act.logits !== undefined) {
      randomWords(clock.seed[b]!, clock.step[b]!, agent[row]!, DRAWN, words);
      out[row * actionSize] = categorical(act.logits, row * actionCount, actionCount, uniformOf(words[0]!));
    } else if (act.mean !== undefined && act.logStd !== undefined) {
      for (let d = 0; d < actionSize; d++) {
        randomWords(clock.seed[b]!, clock.step[b]!, agent[row]!, DRAWN + 16 * (d + 1), words);
        const at = row * actionSize + d;
        out[at] = act.mean[at]! + exp(act.logStd[at]!) * normalOf(words[0]!, uniformOf(words[1]!));
      }
    } else throw fail('incompatible', 'This policy gives no probabilities to draw from.', 'Ask for its best actions instead.', 'greedy');
  };

  return {
    get lastAct() {
      return lastAct;
    },
    get memory() {
      return hidden;
    },
    begin(marked) {
      if (width === 0) return;
      for (let b = 0; b < batch; b++) {
        if (marked[b] !== 1) continue;
        const [from, to] = [b * agentCount * width, (b + 1) * agentCount * width];
        hidden.set(start.subarray(from, to), from);
      }
    },
    async act(_, buffers, clock, out, unread) {
      const query = { obs: buffers.obs, agent, hidden, rng, rows, greedy: true, valueless: true, paid: paidOf(meta, buffers) };
      const answer = policy.act({ ...query, ...(buffers.mask && { mask: buffers.mask }), ...(unread && { unread }) });
      const act = answer instanceof Promise ? await answer : answer;
      lastAct = act;
      if (width > 0) hidden = act.hidden.slice();
      out.set(act.actions.subarray(0, rows * actionSize));
      if (!greedy) for (let row = 0; row < rows; row++) if (unread?.[row] !== 1) draw(row, act, clock, out);
    },
  };
}
