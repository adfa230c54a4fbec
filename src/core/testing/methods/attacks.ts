/** Attacks on observations, against a policy whose logits are a matrix times what it sees. */
import type { ActQuery, Policy } from '#core/algos/api/types.ts';
import { attackedObs } from '#core/explain/attack.ts';
import { Rng } from '#math/rng.ts';
import { check } from './check.ts';

/** It gives no gradient: the attack finds it by trying. */
function linear(weights: readonly (readonly number[])[]): Policy {
  const logitsOf = (obs: ArrayLike<number>) => weights.map((row) => row.reduce((sum, w, k) => sum + w * obs[k]!, 0));
  return {
    initial: () => new Float32Array(0),
    act({ obs, hidden }) {
      const logits = Float32Array.from(logitsOf(obs));
      return { actions: Int32Array.of(logits.indexOf(Math.max(...logits))), hidden, logits };
    },
    dispose() {},
  };
}

export const attackChecks = [
  check({
    title: 'FGSM',
    needs: ['W', 'x', 'eps'],
    gives: ['logits', 'action', 'x_adv', 'logits_adv', 'action_adv'],
    float32Atol: 1e-6, // observations and logits are float32
    async run({ input: i }) {
      const policy = linear(i.rows('W'));
      const obs = Float32Array.from(i.flat('x'));
      const rng = Rng.from(1);
      const query: ActQuery = { obs, agent: Int32Array.of(0), hidden: policy.initial(1), rng, rows: 1, greedy: true };
      const widths = { agentCount: 1, obsSize: obs.length, actionCount: i.rows('W').length, actionSize: 1 };
      const sigma = new Float64Array(obs.length).fill(1);
      const attacked = await attackedObs(policy, query, widths, { eps: i.number('eps'), steps: 1, sigma }, rng);
      const [before, after] = [await policy.act(query), await policy.act({ ...query, obs: attacked })];
      return {
        logits: before.logits ?? [],
        action: before.actions[0] ?? Number.NaN,
        x_adv: attacked,
        logits_adv: after.logits ?? [],
        action_adv: after.actions[0] ?? Number.NaN,
      };
    },
  }),
];
