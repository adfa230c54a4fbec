/** What keeps earlier tasks while later ones are learned. */
import { distance, grownImportance } from '#core/algos/extensions/forgetting/ewc.ts';
import { keptPlaces } from '#core/algos/extensions/forgetting/packed-masks.ts';
import { dormancy, dormantUnits } from '#core/algos/extensions/forgetting/resets.ts';
import { gradients } from '#core/engine/autodiff.ts';
import { mul } from '#core/engine/ops.ts';
import { check, program } from './check.ts';

export const continualChecks = [
  program({
    title: 'penalty of elastic weight consolidation, with its gradient',
    needs: ['theta', 'theta_star', 'fisher', 'lambda_'],
    gives: ['penalty', 'gradient'],
    async run({ input: i }, machine) {
      const inputs = { theta: i.tensor('theta'), anchor: i.tensor('theta_star'), importance: i.tensor('fisher') };
      const found = await machine.compute(inputs, (x) => {
        const penalty = mul(distance(x.theta, x.anchor, x.importance), i.number('lambda_') / 2);
        return { penalty, gradient: gradients(penalty, [x.theta])[0]! };
      });
      return { penalty: found.penalty[0]!, gradient: found.gradient };
    },
  }),
  program({
    title: 'Fisher information of online EWC',
    needs: ['fisher_old', 'fisher_new', 'gamma'],
    gives: ['fisher'],
    async run({ input: i }, machine) {
      const inputs = { before: i.tensor('fisher_old'), found: i.tensor('fisher_new') };
      return machine.compute(inputs, (x) => ({ fisher: grownImportance(x.before, x.found, i.number('gamma')) }));
    },
  }),
  check({
    title: 'dormant units of a layer',
    needs: ['activations', 'tau'],
    gives: ['score', 'dormant_fraction'],
    run({ input: i }) {
      const activations = i.rows('activations');
      const units = activations[0]!.length;
      const score = dormancy(activations.flat(), units);
      return { score: [...score], dormant_fraction: i.list('tau').map((tau) => dormantUnits(score, Number(tau)).length / units) };
    },
  }),
  check({
    title: 'weights that a packed task keeps',
    needs: ['weights', 'free', 'keep_fraction'],
    gives: ['kept'],
    run: ({ input: i }) => ({ kept: [...keptPlaces(i.flat('weights'), i.flat('free'), i.number('keep_fraction'))] }),
  }),
];
