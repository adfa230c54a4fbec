/** Goals exchanged in hindsight, judged by the rule of the table's tasks (places on a plane, at height 0). */
import { present } from '#contract/kit/errors.ts';
import { Hindsight } from '#core/algos/extensions/hindsight/hindsight.ts';
import { far, goalTransition } from '#core/algos/hierarchy/lib/goal-memory.ts';
import { tableRules } from '#core/envs/mujoco/lib/table/rules.ts';
import { ReplayBuffer } from '#core/state/replay-buffer.ts';
import { check, type Inputs } from './check.ts';

const judgeOf = (threshold: number) =>
  present(tableRules({ reward: 'sparse', threshold }, false, 1, 0).goalReward, 'the rule of a task with goals');

const OBS = 6; // achieved, desired

/** The transitions of one episode that is cut off at its end, with `desired` as its goal, and what exchanges their goals. */
function episode(i: Inputs, desired: readonly number[]) {
  const obsOf = ([x = 0, y = 0]: readonly number[]) => Float32Array.of(x, y, 0, desired[0] ?? 0, desired[1] ?? 0, 0);
  const places = i.rows('achieved').map(obsOf);
  const buffer = new ReplayBuffer({ capacity: 100, rows: 1, obsSize: OBS, maskSize: 0 });
  for (let t = 0; t + 1 < places.length; t++) {
    buffer.add({
      obs: present(places[t], 'a place'),
      nextObs: present(places[t + 1], 'a place'),
      action: Float32Array.of(0),
      reward: Float32Array.of(Number.NaN), // every reward that is read must be worked out anew
      terminated: Uint8Array.of(0),
      truncated: Uint8Array.of(t + 2 === places.length ? 1 : 0),
    });
  }
  const goals = { size: 3, achieved: 0, desired: 3 };
  const hindsight = new Hindsight({ goalReward: judgeOf(i.number('threshold')) }, { goals, obsSize: OBS }, 4);
  return { buffer, hindsight, steps: places.length - 1 };
}

/** Every transition with what was achieved after step goals[t], counted in states, as its goal. */
function relabelled(i: Inputs, goals: (steps: number) => readonly number[]) {
  const { buffer, hindsight, steps } = episode(i, [Number.NaN, Number.NaN]);
  const f = (size: number) => new Float32Array(size);
  const out = { obs: f(OBS), action: f(1), reward: f(1), discount: f(1), nextObs: f(OBS) };
  return goals(steps).map((state, t) => {
    buffer.read(t, 0, 1, 1, out);
    hindsight.exchange(state - t - 1, buffer, t, 0, 1, 1, out);
    return { t, goal: [...out.obs.subarray(3, 5)], reward: present(out.reward[0], 'a reward') };
  });
}

export const hindsightChecks = [
  check({
    title: 'goals of a lower level, which move against the state, and what it is paid',
    needs: ['states', 'goal0'],
    gives: ['goals', 'low_level_rewards'],
    run({ input: i }) {
      const states = i.rows('states');
      const goals = [i.flat('goal0')];
      for (const [t, next] of states.slice(1).entries())
        goals.push(
          present(goals[t], 'a goal').map((g, j) => goalTransition(present(states[t]?.[j], 'a state'), g, present(next[j], 'a state'))),
        );
      return { goals, low_level_rewards: goals.slice(1).map((goal) => -far(goal)) };
    },
  }),
  check({
    title: 'rewards of a goal',
    needs: ['achieved', 'desired', 'threshold'],
    gives: ['rewards'],
    run({ input: i }) {
      const judge = judgeOf(i.number('threshold'));
      const desired = Float32Array.of(...i.flat('desired'), 0);
      const after = i.rows('achieved').slice(1);
      return { rewards: after.map((place) => judge(Float32Array.of(...place, 0), 0, desired, 0)) };
    },
  }),
  check({
    title: 'goals from the end of the episode',
    needs: ['achieved', 'threshold', 'strategy'],
    gives: ['relabelled'],
    float32Atol: 1e-6, // stored transitions are float32
    only: ({ input }) => input.text('strategy') === 'final',
    run: ({ input }) => ({ relabelled: relabelled(input, (steps) => Array.from({ length: steps }, () => steps)) }),
  }),
  check({
    title: 'goals from later in the episode',
    needs: ['achieved', 'threshold', 'strategy', 'goal_index'],
    gives: ['relabelled'],
    float32Atol: 1e-6,
    only: ({ input }) => input.text('strategy') === 'future',
    run: ({ input }) => ({ relabelled: relabelled(input, () => input.flat('goal_index')) }),
  }),
  check({
    title: 'share of exchanged goals',
    needs: ['k'],
    gives: ['her_ratio'],
    run: ({ input }) => ({
      her_ratio: new Hindsight({ goalReward: judgeOf(1) }, { goals: { size: 3, achieved: 0, desired: 3 }, obsSize: OBS }, input.number('k'))
        .share,
    }),
  }),
];
