/** Extensions of one's own to begin with (`new extension`): each is a file for --algo-file, and one idea in places of PPO's loop. */

interface ExtensionPoint {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly code: string;
}

const clipSchedule = `import { defineExtension, extend, fields, kind, variant } from 'rl-workbench/algo-kit';
import { ppo } from 'rl-workbench/algos/ppo';

const end = fields.real(0.02, {
  min: 0,
  max: 1,
  title: 'clip range at the end',
  description: 'Reached in a straight line from the clip range of the method.',
  source: 'own choice',
});

const clipSchedule = defineExtension({
  id: 'clipSchedule',
  field: ({ loop }) =>
    loop !== 'rollout'
      ? null // there is no clip range elsewhere
      : variant('linear', [kind('not used', {}), kind('linear', { end })], {
          title: 'clip schedule',
          description: 'The clip range falls as training goes on.',
          source: 'own choice',
        }),
  load: async () => (setting) => ({
    attach: () => ({
      places: () => ({
        schedule(numbers, done, all) {
          if (setting.kind === 'linear') numbers.clip += (setting.end - numbers.clip) * (done / all);
        },
      }),
    }),
  }),
});

export default extend(ppo, clipSchedule, { id: 'ppo-clip-schedule', title: 'PPO with a clip schedule' });
`;

const visitBonus = `import { defineExtension, extend, fields, kind, variant } from 'rl-workbench/algo-kit';
import { ppo } from 'rl-workbench/algos/ppo';

const PLACES = 65536;
const weight = fields.real(0.1, { min: 0, max: 10, title: 'weight', description: 'Of 1 / sqrt(visits).', source: 'own choice' });
const visits = kind('visits', { weight });

const visitBonus = defineExtension({
  id: 'visitBonus',
  field: () => variant('visits', [kind('not used', {}), visits], { title: 'visits', description: 'Pays new views.', source: 'own choice' }),
  load: async () => (setting) => ({
    attach: ({ env, meta }) => ({
      places() {
        const counts = new Float64Array(PLACES);
        return {
          state: { arrays: { visitBonus: counts } }, // part of every checkpoint
          afterStep() {
            const { obs, reward } = env.buffers;
            for (let row = 0; row < reward.length; row++) {
              let key = 0; // what is seen, to a tenth
              for (let i = 0; i < meta.obsSize; i++)
                key = (Math.imul(key, 31) + Math.round(10 * obs[row * meta.obsSize + i])) >>> 0;
              const count = ++counts[key % PLACES];
              if (setting.kind === 'visits') reward[row] += setting.weight / Math.sqrt(count);
            }
          },
        };
      },
    }),
  }),
});

export default extend(ppo, visitBonus, { id: 'ppo-visit-bonus', title: 'PPO with a bonus for visits' });
`;

const vTrace = `import { defineExtension, extend, kind, variant } from 'rl-workbench/algo-kit';
import { ppo } from 'rl-workbench/algos/ppo';

const words = { title: 'V-trace', description: 'Advantages and targets of IMPALA.', source: 'Espeholt et al. 2018' };
const vTrace = defineExtension({
  id: 'vTrace',
  field: ({ loop }) => (loop === 'rollout' ? variant('on', [kind('not used', {}), kind('on', {})], words) : null),
  load: async () => () => ({
    attach: ({ engine, net, rows, steps, config: { gamma, lambda } }) => ({
      places() {
        const n = rows * steps;
        const shapes = { ...net.inputs(n), mask: null, action: net.actionShape(n) };
        const look = engine.compile(shapes, (x, g) => ({ now: net.evaluate(x, x.action, g).logProb }), { name: 'v-trace' });
        return {
          async advantages({ obs, actions, rewards, values, logProbs, terminated, truncated, finalValues, lastValues, advantages, targets }) {
            look.in.obs.set(obs);
            look.in.action.set(actions);
            await look.run();
            for (let row = 0; row < rows; row++) {
              let ahead = 0; // vs - V of the step that follows
              for (let at = n - rows + row; at >= 0; at -= rows) {
                const ratio = Math.min(1, Math.exp(look.out.now[at] - logProbs[at]));
                const over = terminated[at] === 1 || truncated[at] === 1;
                const after = at + rows < n ? values[at + rows] : lastValues[row];
                const next = terminated[at] === 1 ? 0 : truncated[at] === 1 ? finalValues[at] : after;
                if (over) ahead = 0;
                advantages[at] = rewards[at] + gamma * (next + ahead) - values[at];
                ahead = ratio * (rewards[at] + gamma * next - values[at]) + gamma * lambda * ratio * ahead;
                targets[at] = values[at] + ahead;
              }
            }
          },
        };
      },
    }),
  }),
});
export default extend(ppo, vTrace, { id: 'ppo-v-trace', title: 'PPO with V-trace advantages' });
`;

export const extensionPoints: readonly ExtensionPoint[] = [
  { id: 'clip-schedule', title: 'A schedule', about: 'The clip range of PPO falls as training goes on.', code: clipSchedule },
  { id: 'visit-bonus', title: 'A bonus', about: 'What was seen seldom is paid for.', code: visitBonus },
  { id: 'v-trace', title: 'Advantages', about: 'V-trace takes the place of GAE.', code: vTrace },
];
