/** Monte Carlo tree search. */
import { choose, mixNoise, type Rule, score, visitPolicy } from '#core/algos/search/lib/tree.ts';
import { check, type Inputs } from './check.ts';

function choice(rule: Rule, i: Inputs) {
  const [N, W] = [i.flat('N'), i.flat('W')];
  const P = i.has('P') ? i.flat('P') : N.map(() => 1 / N.length);
  const total = N.reduce((a, b) => a + b, 0);
  return {
    Q: N.map((n, a) => (n === 0 ? 0 : W[a]! / n)),
    score: N.map((n, a) => score(rule, n, W[a]!, P[a]!, total, i.number('c'))),
    chosen: choose(
      rule,
      N.map((_, a) => a),
      { N, W, P },
      0,
      i.number('c'),
    ),
  };
}

export const searchChecks = [
  check({ title: 'PUCT', needs: ['N', 'W', 'P', 'c'], gives: ['Q', 'score', 'chosen'], run: ({ input }) => choice('PUCT', input) }),
  check({ title: 'UCT', needs: ['N', 'W', 'c'], gives: ['score', 'chosen'], run: ({ input }) => choice('UCT', input) }),
  check({
    title: 'noise at the root',
    needs: ['P', 'noise', 'eps'],
    gives: ['P'],
    run: ({ input: i }) => ({ P: mixNoise(i.flat('P'), i.flat('noise'), i.number('eps')) }),
  }),
  check({
    title: 'policy of visits',
    needs: ['N', 'temperatures'],
    gives: ['t1', 't05'],
    run({ input: i }) {
      const [first, second] = i.flat('temperatures');
      return { t1: visitPolicy(i.flat('N'), first ?? 1), t05: visitPolicy(i.flat('N'), second ?? 1) };
    },
  }),
];
