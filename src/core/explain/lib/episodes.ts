/**
 * Plays the episodes of many coalitions as rows of one batch: a row that has finished takes the next one, so the batch stays full.
 * The payoff of an episode depends on its seed and its coalition alone, not on the row, the batch or the other episodes.
 */

import type { Payoff } from '#contract/explain/explain.ts';
import { fail } from '#contract/kit/errors.ts';
import { whichOf } from '#contract/kit/nearest.ts';
import { createActions, createBuffers } from '../../envs/api/buffers.ts';
import { scoreOf } from '../../envs/api/score.ts';
import { withSeed } from '../../envs/api/state.ts';
import type { Actions, EnvEntry, Environment, EnvMeta } from '../../envs/api/types.ts';
import type { Actor } from '../api/actors.ts';
import type { Replacement } from '../api/replacement.ts';

export interface EpisodesOptions {
  readonly entry: EnvEntry;
  readonly config: unknown;
  /** Rows played at once. */
  readonly batch: number;
  readonly team: Actor;
  readonly absent: Replacement;
  /** Agents that coalitions are made of. */
  readonly players: readonly number[];
  readonly payoff: Payoff;
  /** Play on from this state of a job instead of from a reset; the payoff is then that of the rest. */
  readonly start?: (job: number, seed: number) => Uint8Array;
  /** May change the actions of a job's row (its numbers begin at `at`) before they are taken. */
  readonly intervene?: (job: number, step: number, actions: Actions, at: number) => void;
  /** Awaited before each step: to pause, to cancel by throwing, to leave time to others. */
  readonly pace?: () => Promise<void> | undefined;
}

/** Each job plays on from this state, by chances of its own. */
export const restOf =
  (state: Uint8Array) =>
  (_job: number, seed: number): Uint8Array =>
    withSeed(state, seed);

/** Throws LabError('incompatible') for a payoff this environment does not have. */
function payoffOf(payoff: Payoff, meta: EnvMeta): (returns: Float64Array, at: number) => number {
  const { agentCount, rewards, score } = meta;
  const kinds = rewards.length;
  const perAgent = new Float64Array(agentCount);
  const total = (returns: Float64Array, at: number, agent: number): number => {
    let sum = 0;
    for (let k = 0; k < kinds; k++) sum += returns[(at + agent) * kinds + k]!;
    return sum;
  };
  if (payoff.kind === 'agent') {
    if (payoff.agent < 0 || payoff.agent >= agentCount)
      throw fail('incompatible', `There is no agent ${payoff.agent}.`, `Agents are numbered from 0 to ${agentCount - 1}.`, 'payoff');
    return (returns, at) => total(returns, at, payoff.agent);
  }
  const kind = payoff.kind === 'component' ? rewards.indexOf(payoff.name) : -1;
  if (payoff.kind === 'component' && kind < 0)
    throw fail('incompatible', `There is no reward "${payoff.name}".`, whichOf(payoff.name, rewards), 'payoff');
  return (returns, at) => {
    for (let a = 0; a < agentCount; a++) perAgent[a] = kind < 0 ? total(returns, at, a) : returns[(at + a) * kinds + kind]!;
    return scoreOf(score, perAgent);
  };
}

export class CoalitionEpisodes {
  /** Environment steps taken so far. */
  steps = 0;
  episodes = 0;
  private readonly options: EpisodesOptions;
  private readonly env: Environment;
  private readonly measure: (returns: Float64Array, at: number) => number;

  constructor(options: EpisodesOptions) {
    this.options = options;
    this.env = options.entry.create(options.config, options.batch);
    this.measure = payoffOf(options.payoff, this.env.meta);
  }

  /** seeds [jobs], members [jobs, players] of 0 and 1; writes payoff [jobs]. */
  async play(seeds: Uint32Array, members: Uint8Array, payoff: Float64Array): Promise<void> {
    const { env, measure } = this;
    const { meta, batch } = env;
    const { team, absent, players, start, intervene, pace } = this.options;
    const { agentCount: agents } = meta;
    const kinds = meta.rewards.length;
    const jobs = seeds.length;
    const buffers = createBuffers(meta, batch);
    const actions = createActions(meta, batch);
    const clock = { seed: new Uint32Array(batch), step: new Int32Array(batch) };
    const present = new Uint8Array(batch * agents).fill(1);
    // actions that are not used: the agent is replaced, or its row plays nothing (any action is as good there, if all are legal)
    const unread = new Uint8Array(batch * agents).fill(meta.masked ? 0 : 1);
    const returns = new Float64Array(batch * agents * kinds);
    const job = new Int32Array(batch).fill(-1);
    const starting = new Uint8Array(batch);
    let next = 0;
    let playing = 0;

    const assign = (row: number): void => {
      starting[row] = next < jobs || job[row] === -1 ? 1 : 0;
      job[row] = next < jobs ? next++ : -1;
      if (job[row] === -1) {
        unread.fill(meta.masked ? 0 : 1, row * agents, (row + 1) * agents);
        return;
      }
      playing++;
      clock.seed[row] = seeds[job[row]!]!;
      clock.step[row] = 0;
      returns.fill(0, row * agents * kinds, (row + 1) * agents * kinds);
      for (let p = 0; p < players.length; p++) present[row * agents + players[p]!] = members[job[row]! * players.length + p]!;
      for (let i = row * agents; i < (row + 1) * agents; i++) unread[i] = absent.readsPolicy === true ? 0 : 1 - present[i]!;
    };
    const begin = (): void => {
      env.reset(clock.seed, buffers, starting);
      if (start !== undefined)
        for (let row = 0; row < batch; row++)
          if (starting[row] === 1) env.load(row, start(Math.max(0, job[row]!), clock.seed[row]!), buffers);
      team.begin(starting);
      absent.begin(starting);
    };

    for (let row = 0; row < batch; row++) assign(row);
    begin();
    while (playing > 0) {
      const wait = pace?.();
      if (wait !== undefined) await wait;
      await team.act(env, buffers, clock, actions, unread);
      await absent.apply(env, buffers, clock, present, actions);
      if (intervene !== undefined)
        for (let row = 0; row < batch; row++)
          if (job[row] !== -1) intervene(job[row]!, clock.step[row]!, actions, row * agents * meta.actionSize);
      env.step(actions, buffers);
      let ended = false;
      for (let row = 0; row < batch; row++) {
        starting[row] = 0;
        const over = buffers.terminated[row] !== 0 || buffers.truncated[row] !== 0;
        if (job[row] !== -1) {
          const at = row * agents * kinds;
          for (let i = 0; i < agents * kinds; i++) returns[at + i]! += buffers.reward[at + i]!;
          this.steps++;
          clock.step[row]!++;
          if (over || clock.step[row]! >= meta.evalMaxSteps) {
            payoff[job[row]!] = measure(returns, row * agents);
            this.episodes++;
            playing--;
            assign(row);
            ended = true;
          }
        }
        if (over && starting[row] === 0) {
          starting[row] = 1; // an idle row whose episode is over must start again before it is stepped
          ended = true;
        }
      }
      if (ended && playing > 0) begin();
    }
  }
}
