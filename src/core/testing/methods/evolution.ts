/** Evolution strategies: strategy parameters, fitness shaping, the estimated gradient. */
import { cmaConstants } from '#core/algos/evolution/cma-es.ts';
import { antitheticGradient, centredRanks } from '#core/algos/evolution/es.ts';
import { check } from './check.ts';

export const evolutionChecks = [
  check({
    title: 'strategy parameters of CMA-ES',
    needs: ['n'],
    gives: ['popsize', 'mu', 'weights', 'mu_eff', 'c_sigma', 'd_sigma', 'c_c', 'c_1', 'c_mu', 'chi_n'],
    only: ({ input }) => typeof input.raw('n') === 'number',
    run({ input }) {
      const k = cmaConstants(input.number('n'));
      return {
        popsize: k.population,
        mu: k.parents,
        weights: k.weights,
        mu_eff: k.muEff,
        c_sigma: k.cSigma,
        d_sigma: k.dSigma,
        c_c: k.cC,
        c_1: k.c1,
        c_mu: k.cMu,
        chi_n: k.chiN,
      };
    },
  }),
  check({
    title: 'population of CMA-ES by dimension',
    needs: ['n'],
    gives: ['popsize'],
    only: ({ input }) => typeof input.raw('n') !== 'number',
    run: ({ input }) => ({ popsize: input.flat('n').map((n) => cmaConstants(n).population) }),
  }),
  check({
    title: 'centred ranks',
    needs: ['returns'],
    gives: ['ranks'],
    run: ({ input }) => ({ ranks: centredRanks(input.flat('returns')) }),
  }),
  check({
    title: 'gradient from mirrored pairs',
    needs: ['eps', 'f_plus', 'f_minus', 'sigma'],
    gives: ['gradient'],
    run: ({ input: i }) => ({ gradient: antitheticGradient(i.rows('eps'), i.flat('f_plus'), i.flat('f_minus'), i.number('sigma')) }),
  }),
];
