/** A limit on cost, by a Lagrange multiplier. */
import { limitedAdvantage, Multiplier, type MultiplierRule } from '#core/algos/extensions/lagrangian/multiplier.ts';
import { check } from './check.ts';

const multiplier = (rule: MultiplierRule, name: RegExp) =>
  check({
    title: `multiplier by ${rule}`,
    needs: ['costs', 'limit', 'lr', 'init'],
    gives: ['lambda_'],
    only: (c) => name.test(c.name),
    run({ input: i }) {
      const kept = new Multiplier(i.number('init'));
      const values = i.flat('costs').map((cost) => {
        kept.climb(cost - i.number('limit'), i.number('lr'), rule);
        return kept.value;
      });
      return { lambda_: values };
    },
  });

export const limitChecks = [
  multiplier('Adam', /adam/),
  multiplier('ascent', /^(?!.*adam)/),
  check({
    title: 'advantage within a limit',
    needs: ['adv_r', 'adv_c', 'lambda_'],
    gives: ['adv'],
    run({ input: i }) {
      const costs = i.flat('adv_c');
      return { adv: i.flat('adv_r').map((a, k) => limitedAdvantage(a, costs[k] ?? Number.NaN, i.number('lambda_'))) };
    },
  }),
];
