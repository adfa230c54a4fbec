/**
 * What scripted raters know of play beside its rewards, for questions about segments of it (questions.ts).
 *   grouped  as many groups of raters as the reward has terms; each counts its own term OWN times, and a pair is answered by a group drawn at
 *            random: no one reward explains the answers, which are those of a crowd that wants different things
 *   regret   the larger sum of advantages Q(s, a) - V(s) is preferred (Knox et al. 2022): a segment is judged by how well was decided in it, not
 *            by what was paid there. The optimal ones, from the world's exact model; of recorded play in worlds without one those against
 *            their scripted player, r + V(s') - V(s), where V is what it still gets from there to the end of the episode, played once
 */
import { type Dataset, episodeBounds } from '#contract/files/dataset.ts';
import { fail } from '#contract/kit/errors.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import type { EnvEntry, Environment, EnvMeta, StepBuffers } from '#core/envs/api/types.ts';
import { actionValue, optimalValues } from '#core/envs/lib/tabular/values.ts';
import type { Run } from '../../api/types.ts';
import type { Played, Watch } from '../../lib/ppo/learned-reward.ts';

/**
 * Who answers by script. `return`: always the segment of the larger true return; `boltzmann`: the likelier, the larger it is; cyclic: questions.ts;
 * grouped and regret: above.
 */
export const RATERS = ['return', 'boltzmann', 'cyclic', 'grouped', 'regret'] as const;
export type Rater = (typeof RATERS)[number];

/** How often a group of raters counts the term that is its own; the others count once. */
export const OWN = 4;

/** What a rater goes by where rewards are not enough, of the rows of one rollout. */
export interface Insight {
  /** [T, rows, K] what each term of the reward added; of a team, to all of it together. */
  readonly terms?: Float32Array;
  /** [T, rows] of what was done; optimal ones are at most 0. */
  readonly advantages?: Float32Array;
}

/** Throws LabError('incompatible') where this rater has nothing to judge by. `recorded`: it is asked about recorded play. */
export function checkInsight(meta: EnvMeta, rater: Rater, recorded = false): void {
  if (rater === 'grouped' && (meta.terms?.length ?? 0) < 2)
    throw fail(
      'incompatible',
      'Groups of raters weigh the terms of the reward differently; here the reward has no terms.',
      'Choose another rater, or an environment with reward weights, such as the pendulum.',
      'algo.rater',
    );
  if (rater !== 'regret') return;
  if (meta.agentCount > 1 || (!recorded && meta.agents[0]?.obs.kind !== 'discrete')) throw withoutModel();
}

const withoutModel = () =>
  fail(
    'incompatible',
    'The regret of a decision is known only where the world’s exact model is: here it is not.',
    'Choose another rater, or a small tabular world, such as the key grid. Of recorded play a scripted player will do.',
    'algo.rater',
  );

/** Q*(s, a) - V*(s) of a small known world, discounted as its literature does: [S, N]. Throws LabError('incompatible') without a model. */
export function optimalAdvantages(env: Environment): Float64Array {
  const model = env.model?.();
  if (model === undefined) throw withoutModel();
  const { gamma } = env.meta;
  const { values } = optimalValues(model, gamma);
  return Float64Array.from({ length: model.states * model.actions }, (_, i) => {
    const s = Math.floor(i / model.actions);
    return Math.min(0, actionValue(model, values, gamma, s, i % model.actions) - values[s]!);
  });
}

/** The advantages of rows: `obs` [rows, S] one-hot, `action` [rows]. */
function advantagesOf(table: Float64Array, meta: EnvMeta, { obs, action }: Pick<Played, 'obs' | 'action'>): Float32Array {
  const { obsSize: S, actionCount: N } = meta;
  return Float32Array.from({ length: action.length }, (_, i) => table[obs.subarray(i * S, (i + 1) * S).indexOf(1) * N + action[i]!]!);
}

/** Gathers what this rater goes by while rollouts of `steps` steps are played: hand `watch` to the loop, then ask for `of` each rollout. */
export function insightInto(
  { meta, envEntry, envConfig }: Pick<Run<unknown>, 'meta' | 'envEntry' | 'envConfig'>,
  rater: Rater,
  steps: number,
  rows: number,
): { readonly watch?: Watch; of(played: Played): Insight } {
  if (rater === 'regret') {
    const table = optimalAdvantages(envEntry.create(envConfig, 1));
    return { of: (played) => ({ advantages: advantagesOf(table, meta, played) }) };
  }
  if (rater !== 'grouped') return { of: () => ({}) };
  const [A, K] = [meta.agentCount, meta.terms?.length ?? 0];
  const terms = new Float32Array(steps * rows * K);
  const added = new Float64Array(K);
  return {
    watch: {
      begin: () => {},
      step({ env }, t) {
        for (let row = 0; row < rows; row++) {
          env.terms?.(Math.floor(row / A), added, 0);
          terms.set(added, (t * rows + row) * K);
        }
      },
    },
    of: () => ({ terms }),
  };
}

/** The same of recorded play, which is played again where its terms are asked for. */
export function recordedInsight(entry: EnvEntry, config: unknown, rater: Rater, data: Dataset, played: Played): Insight {
  const env = entry.create(config, 1);
  const { meta } = env;
  if (rater === 'regret' && env.model !== undefined) return { advantages: advantagesOf(optimalAdvantages(env), meta, played) };
  if (rater === 'regret') return { advantages: advantagesOverScript(entry, config, data) };
  if (rater !== 'grouped') return {};
  const [A, K] = [meta.agentCount, meta.terms?.length ?? 0];
  const terms = new Float32Array(played.steps * A * K);
  const added = new Float64Array(K);
  playAgain(env, data, (t) => {
    env.terms?.(0, added, 0);
    for (let a = 0; a < A; a++) terms.set(added, (t * A + a) * K);
  });
  return { terms };
}

/** Plays a recording again, step by step. Throws LabError('incompatible') where its starts are not known. */
function playAgain(env: Environment, data: Dataset, step: (t: number, buffers: StepBuffers) => void, begin?: () => void): void {
  const { meta } = env;
  const [buffers, actions] = [createBuffers(meta, 1), createActions(meta, 1)];
  const { starts } = data;
  if (starts === undefined)
    throw fail(
      'incompatible',
      `The dataset "${data.header.title}" cannot be played again: it has no starts.`,
      'Choose another.',
      'algo.dataset',
    );
  const bounds = episodeBounds(data);
  for (let e = 0; e < data.header.episodes; e++) {
    env.load(0, starts.slice(e * meta.state.bytes, (e + 1) * meta.state.bytes), buffers);
    begin?.();
    for (let t = bounds[e]!; t < bounds[e + 1]!; t++) {
      actions.set(data.actions.subarray(t * actions.length, (t + 1) * actions.length));
      env.step(actions, buffers);
      step(t, buffers);
    }
  }
}

/** r + V(s') - V(s) of every recorded step of one agent; V: what the world's first scripted policy gets from there. Throws LabError('incompatible') without one. */
function advantagesOverScript(entry: EnvEntry, config: unknown, data: Dataset): Float32Array {
  const script = Object.values(entry.policies(config))[0];
  if (script === undefined) throw withoutModel();
  const [env, other] = [entry.create(config, 1), entry.create(config, 1)];
  const { meta } = env;
  const [buffers, actions] = [createBuffers(meta, 1), createActions(meta, 1)];
  const rest = (): number => {
    other.load(0, env.save(0), buffers);
    let sum = 0;
    for (let t = 0; t < meta.evalMaxSteps; t++) {
      script.act(other, buffers, actions);
      other.step(actions, buffers);
      sum += buffers.reward[0]!;
      if (buffers.terminated[0] !== 0 || buffers.truncated[0] !== 0) break;
    }
    return sum;
  };
  const out = new Float32Array(data.header.steps);
  let value = 0;
  playAgain(
    env,
    data,
    (t, { reward, terminated, truncated }) => {
      const next = terminated[0] !== 0 || truncated[0] !== 0 ? 0 : rest();
      out[t] = reward[0]! + next - value;
      value = next;
    },
    () => {
      value = rest();
    },
  );
  return out;
}
