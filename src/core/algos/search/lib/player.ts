/** Policies that search for every move, and the loop of those that do nothing else. */
import type { Saved } from '#contract/run/events.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { log } from '#math/functions.ts';
import { Fnv64 } from '#math/hash.ts';
import { Rng } from '#math/rng.ts';
import { argmax, categorical } from '#math/sampling.ts';
import type { EnvMeta, LookAhead } from '../../../envs/api/types.ts';
import { episodeRow } from '../../api/metrics.ts';
import { safePoint } from '../../api/safe-point.ts';
import type { ActQuery, Policy, Progress, Run, SearchedMove } from '../../api/types.ts';

/** What a search says of one position, for the player to move. */
export interface Decision {
  /** Chance of each move, 0 where it is illegal. */
  readonly chances: readonly number[];
  /** Value of each move; 0 where it was not tried. */
  readonly values: readonly number[];
  /** Of the best play. */
  readonly value: number;
}

export interface Searcher {
  /** Of any number of positions; the same position always gets the same answer. */
  decide(states: readonly Uint8Array[]): Promise<readonly Decision[]>;
  searched(state: Uint8Array, depth: number): Promise<readonly SearchedMove[]>;
  dispose?(): void;
}

/** Forbidden moves have this logit, as elsewhere. */
const NEVER = -1e8;

/** A generator that belongs to a position: searches that draw give the same answer whenever they are asked. */
export function rngOfState(state: Uint8Array): Rng {
  return Rng.from(Number.parseInt(new Fnv64().addBytes(state).digest().slice(8), 16));
}

/** Whose turn it is searches, greedily or drawing from the chances found; the others do action 0. */
export function searchPolicy(meta: EnvMeta, game: LookAhead, searcher: Searcher): Policy {
  const none = new Float32Array(0);
  const { obsSize: O, actionCount: N } = meta;
  return {
    initial: () => none,
    async act({ obs, rows, rng, greedy, unread }: ActQuery) {
      const actions = new Int32Array(rows);
      const [logits, q] = [new Float32Array(rows * N).fill(NEVER), new Float32Array(rows * N)];
      const value = new Float32Array(rows);
      const asked: { readonly row: number; readonly state: Uint8Array }[] = [];
      for (let row = 0; row < rows; row++) {
        const state = unread?.[row] === 1 ? null : game.state(obs, row * O);
        if (state === null) logits[row * N] = 0;
        else asked.push({ row, state });
      }
      const decisions = await searcher.decide(asked.map(({ state }) => state));
      asked.forEach(({ row }, i) => {
        const decision = decisions[i]!;
        value[row] = decision.value;
        decision.chances.forEach((chance, a) => {
          if (chance > 0) logits[row * N + a] = log(chance);
          q[row * N + a] = decision.values[a]!;
        });
        actions[row] = greedy ? argmax(logits, row * N, N) : categorical(logits, row * N, N, rng.uniform());
      });
      return { actions, hidden: none, logits, q, value };
    },
    async searched(obs, depth) {
      const state = game.state(obs, 0);
      return state === null ? null : searcher.searched(state, depth);
    },
    dispose: () => searcher.dispose?.(),
  };
}

const MOVES_PER_ROW = 100;

/** Plays `copies` games against itself, drawing from the chances found, and learns nothing. */
export async function* playOn(
  run: Run<{ readonly copies: number }>,
  resume: Saved | undefined,
  policy: Policy,
): AsyncGenerator<Progress, void, void> {
  const env = run.makeEnv(run.config.copies);
  const { agentCount } = run.meta;
  const rows = env.batch * agentCount;
  const rng = run.rng.split('moves');
  const agent = Int32Array.from({ length: rows }, (_, i) => i % agentCount);
  const state = registerState({ counters: { step: 0 }, parts: { env }, arrays: { rng } });
  const { counters } = state;
  const point = safePoint({
    state,
    engine: { hash: () => '0'.repeat(16) },
    snapshot: (): Saved => ({ meta: {}, arrays: {} }),
    policy: () => policy,
  });
  if (resume === undefined) env.reset();
  else state.load(resume);
  while (counters.step < run.steps) {
    for (let moves = 0; moves < MOVES_PER_ROW && counters.step < run.steps; moves += env.batch, counters.step += env.batch) {
      const query = { obs: env.buffers.obs, agent, hidden: policy.initial(rows), rng, rows, greedy: false };
      env.step((await policy.act(query)).actions);
    }
    yield { step: counters.step, metrics: episodeRow(env), ...point };
  }
}
