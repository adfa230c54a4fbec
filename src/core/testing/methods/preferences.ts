/** Losses that learn from comparisons, and advantages within groups. */
import { addStateGroups } from '#core/algos/extensions/gigpo/state-groups.ts';
import { stepAdvantages } from '#core/algos/language/group-worlds.ts';
import { klTerm } from '#core/algos/language/lib/policy-loss.ts';
import { cplLoss, dpoLoss, impliedRewards } from '#core/algos/lib/preference-loss.ts';
import { comparisonLoss } from '#core/algos/preferences/lib/reward-ensemble.ts';
import { add, mean, mul, sigmoid, sub } from '#core/engine/ops.ts';
import { type AdvantageOptions, groupAdvantages } from '#math/groups.ts';
import { discountedReturns } from '#math/returns.ts';
import { check, type Inputs, program } from './check.ts';

const advantages = (input: Inputs, options: AdvantageOptions): readonly Float64Array[] =>
  input.rows('rewards').map((rewards) => groupAdvantages(rewards, rewards.length, options));

export const preferenceChecks = [
  program({
    title: 'CPL: regret preference loss of segments',
    needs: ['segment_logp_w', 'segment_logp_l', 'alpha', 'lambda_bias'],
    gives: ['loss_each', 'loss'],
    async run({ input: i }, machine) {
      const found = await machine.compute({ w: i.tensor('segment_logp_w'), l: i.tensor('segment_logp_l') }, (x) => {
        const each = cplLoss({ logProbW: x.w, logProbL: x.l }, i.number('alpha'), i.number('lambda_bias'));
        return { each, loss: mean(each) };
      });
      return { loss_each: found.each, loss: found.loss[0]! };
    },
  }),
  program({
    title: 'DPO',
    needs: ['logp_w', 'logp_l', 'ref_w', 'ref_l', 'beta'],
    gives: ['logits', 'loss', 'reward_accuracy'],
    async run({ input: i }, machine) {
      const feeds = {
        logProbW: i.tensor('logp_w'),
        logProbL: i.tensor('logp_l'),
        referenceW: i.tensor('ref_w'),
        referenceL: i.tensor('ref_l'),
      };
      const { logits, loss } = await machine.compute(feeds, (x) => {
        const { w, l } = impliedRewards(x, i.number('beta'));
        return { logits: sub(w, l), loss: mean(dpoLoss(x, i.number('beta'))) };
      });
      return { logits, loss: loss[0]!, reward_accuracy: logits.filter((z) => z > 0).length / logits.length };
    },
  }),
  program({
    title: 'Bradley-Terry',
    needs: ['reward_preferred', 'reward_other'],
    gives: ['prob', 'loss'],
    async run({ input: i }, machine) {
      const found = await machine.compute({ w: i.tensor('reward_preferred'), l: i.tensor('reward_other') }, (x) => ({
        prob: sigmoid(sub(x.w, x.l)),
        loss: mean(comparisonLoss(x.w, x.l, add(mul(x.w, 0), 1))), // the first is preferred
      }));
      return { prob: found.prob, loss: found.loss[0]! };
    },
  }),
  program({
    title: 'KL estimators',
    needs: ['logp_policy', 'logp_ref'],
    gives: ['k1', 'k2', 'k3'],
    run: ({ input: i }, machine) =>
      machine.compute({ own: i.tensor('logp_policy'), reference: i.tensor('logp_ref') }, (x) => ({
        k1: klTerm('k1', x.own, x.reference),
        k2: klTerm('k2', x.own, x.reference),
        k3: klTerm('k3', x.own, x.reference),
      })),
  }),
  check({
    title: 'GRPO: advantages within groups',
    needs: ['rewards'],
    gives: ['advantage', 'advantage_population_std', 'mean_only'],
    only: ({ name }) => name === 'grpo',
    run: ({ input }) => ({
      advantage: advantages(input, { baseline: 'mean', scale: 'group' }),
      advantage_population_std: advantages(input, { baseline: 'mean', scale: 'group', ddof: 0 }),
      mean_only: advantages(input, { baseline: 'mean', scale: 'none' }),
    }),
  }),
  check({
    title: 'RLOO: advantages against the others of the group',
    needs: ['rewards'],
    gives: ['advantage'],
    only: ({ name }) => name === 'rloo',
    run: ({ input }) => ({ advantage: advantages(input, { baseline: 'leave-one-out', scale: 'none' }) }),
  }),
  check({
    title: 'GiGPO: groups of the same state inside of groups',
    needs: ['trajectories', 'gamma', 'omega'],
    gives: ['episode_returns', 'episode_adv_mean_only', 'episode_adv_std', 'steps'],
    run: ({ input }) => stateGroups(input),
  }),
];

/** One group of episodes, each a list of steps [state, action, reward]. */
function stateGroups(input: Inputs) {
  const walks = input.list('trajectories').map((walk) => walk as readonly (readonly [string, string, number])[]);
  const [group, longest, gamma] = [walks.length, Math.max(...walks.map((walk) => walk.length)), input.number('gamma')];
  const names = [...new Set(walks.flatMap((walk) => walk.map(([state]) => state)))];
  const at = (row: number, t: number): number => row * longest + t;
  const [keys, rewards] = [new Float64Array(group * longest).fill(-1), new Float64Array(group * longest)];
  walks.forEach((walk, row) => {
    walk.forEach(([state, , reward], t) => {
      keys[at(row, t)] = names.indexOf(state);
      rewards[at(row, t)] = reward;
    });
  });
  const discounted = (row: number, by: number): Float64Array => {
    const length = walks[row]!.length;
    return discountedReturns(rewards.subarray(at(row, 0), at(row, length)), new Uint8Array(length), by);
  };
  const following = walks.map((_, row) => discounted(row, gamma));
  const paid = walks.map((_, row) => discounted(row, 1)[0]!);
  const last = { longest, keys, rewards, lengths: Int32Array.from(walks, ({ length }) => length), returns: Float64Array.from(paid) };
  const alone = new Float64Array(group * longest);
  addStateGroups(alone, last, { group, weight: 1, gamma });
  const combined = stepAdvantages(last, group);
  addStateGroups(combined, last, { group, weight: input.number('omega'), gamma });
  const places = walks.flatMap((walk, traj) => walk.map(([state], t) => ({ traj, t, state })));
  const plain = names.map((name) => {
    const same = places.filter(({ state }) => state === name);
    const found = groupAdvantages(
      same.map(({ traj, t }) => following[traj]![t]!),
      same.length,
      { baseline: 'mean', scale: 'none' },
    );
    return new Map(same.map((place, i) => [place, found[i]!]));
  });
  return {
    episode_returns: last.returns,
    episode_adv_mean_only: groupAdvantages(paid, group, { baseline: 'mean', scale: 'none' }),
    episode_adv_std: groupAdvantages(paid, group, { baseline: 'mean', scale: 'group' }),
    steps: places.map((place) => ({
      ...place,
      return_to_go: following[place.traj]![place.t]!,
      step_adv_mean_only: plain[names.indexOf(place.state)]!.get(place) ?? Number.NaN,
      step_adv_std: alone[at(place.traj, place.t)]!,
      combined_std_omega1: combined[at(place.traj, place.t)]!,
    })),
  };
}
