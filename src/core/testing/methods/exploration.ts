/** Rewards that a learner pays itself for what is new. */
import { countBonus } from '#core/algos/extensions/bonus/counts.ts';
import { BonusScale } from '#core/algos/extensions/bonus/intrinsic.ts';
import { surprise } from '#core/algos/extensions/bonus/novelty.ts';
import { mul } from '#core/engine/ops.ts';
import { createShaper } from '#core/envs/api/shaping.ts';
import { check, nested, program } from './check.ts';

export const explorationChecks = [
  check({
    title: 'bonus of counts',
    needs: ['counts', 'beta'],
    gives: ['bonus'],
    run: ({ input: i }) => ({ bonus: i.flat('counts').map((n) => i.number('beta') * countBonus(n)) }),
  }),
  program({
    title: 'RND',
    needs: ['target', 'pred'],
    gives: ['reward'],
    only: ({ name }) => /^rnd/.test(name),
    async run({ input: i }, machine) {
      const inputs = {
        target: { shape: i.shape('target'), data: i.flat('target') },
        pred: { shape: i.shape('pred'), data: i.flat('pred') },
      };
      return machine.compute(inputs, (x) => ({ reward: surprise(x.target, x.pred) }));
    },
  }),
  program({
    title: 'ICM',
    needs: ['phi_next', 'phi_hat', 'eta'],
    gives: ['reward'],
    async run({ input: i }, machine) {
      const inputs = {
        next: { shape: i.shape('phi_next'), data: i.flat('phi_next') },
        hat: { shape: i.shape('phi_hat'), data: i.flat('phi_hat') },
      };
      return machine.compute(inputs, (x) => ({ reward: mul(surprise(x.next, x.hat), i.number('eta')) }));
    },
  }),
  check({
    title: 'shaping by a potential',
    needs: ['phi', 'rewards', 'gamma', 'terminal_last'],
    gives: ['shaped', 'discounted_sum_difference'],
    float32Atol: 1e-6, // rewards are float32
    run({ input: i }) {
      const [rewards, gamma] = [i.flat('rewards'), i.number('gamma')];
      let cell = 0;
      const shaper = createShaper({ batch: 1, cellOf: () => cell }, { potential: i.flat('phi'), gamma: () => gamma });
      const shaped = rewards.map((paid, t) => {
        const reward = Float32Array.of(paid);
        const last = t === rewards.length - 1;
        shaper.before();
        cell++;
        shaper.pay({ reward, terminated: Uint8Array.of(last && i.flag('terminal_last') ? 1 : 0) });
        return reward[0]!;
      });
      const sum = (values: readonly number[]): number => values.reduceRight((rest, value) => value + gamma * rest, 0);
      return { shaped, discounted_sum_difference: sum(shaped) - sum(rewards) };
    },
  }),
  check({
    title: 'bonuses divided by the deviation of their discounted sum',
    needs: ['intrinsic', 'gamma'],
    gives: ['filtered', 'std', 'normalised'],
    run({ input: i }) {
      const rows = i.rows('intrinsic')[0]!.length;
      const scale = new BonusScale(rows, i.number('gamma'));
      const bonus = i.floats('intrinsic');
      const filtered = scale.scale(bonus);
      return { filtered: nested(filtered, rows), std: scale.deviation, normalised: nested(bonus, rows) };
    },
  }),
];
