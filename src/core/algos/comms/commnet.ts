/**
 * CommNet (Sukhbaatar, Szlam, Fergus 2016): every agent encodes its observation; in each of K rounds it receives the mean of the others'
 * hidden states, then it acts by the last one. All agents share the rounds; roles keep their own first layer and head. Learned by PPO
 * (lib/messages/learner.ts).
 *   h_i = tanh(W o_i);   K rounds of h_i <- tanh(H_k h_i + C_k mean of the others' h);   action head on the last h_i
 *   L = -mean min(r A, clip(r, 1 - e, 1 + e) A) + valueCoef mean (V - R)^2 / 2 - entropyCoef mean H(pi),   r = pi / pi_old
 * Differs: the paper's learner is REINFORCE with a baseline from the same layers; here PPO with a critic of its own.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     for T steps of B environments
 *       h_i = tanh(W o_i)
 *       `rounds` times, all agents at once: h_i = tanh(H_k h_i + C_k mean of the others' h)
 *         if the channel is silent: that mean is 0
 *       draw the action of every agent from its head on h_i
 *       V_i by a critic from the agent's view and the mean over the team's views
 *     rewards: own, or by teamReward the team's sum, mean or a mixture
 *     advantages A by GAE(lambda) for every agent, returns R = A + V
 *     for each epoch, for each shuffled minibatch of whole teams
 *       if normaliseAdvantages: standardise A over the minibatch
 *       one step of Adam on L, its gradient through all rounds into the senders
 */
import { z } from 'zod';
import { add, broadcastTo, concat, mul, sub, sum, tanh } from '../../engine/ops.ts';
import type { Tensor } from '../../engine/types.ts';
import { dense } from '../../nets/mlp.ts';
import { teamExtensionsOf } from '../extensions/index.ts';
import { channelField, commsFields, defineComms } from '../lib/messages/learner.ts';
import { actionHeads, gated, pooledCritic, rolewise, seenBy } from '../lib/messages/networks.ts';
import { encodedInputs, shareNetworks } from '../lib/sharing.ts';

const config = z.strictObject({
  channel: channelField,
  rounds: z
    .int()
    .min(1)
    .max(8)
    .default(2)
    .meta({
      title: 'rounds',
      description: 'Rounds of communication before acting: in each, every agent receives the mean of the others’ hidden states.',
      source: 'Sukhbaatar et al. 2016',
      slider: [1, 4],
      depth: 'teach',
      group: 'messages',
    }),
  ...commsFields,
});
type Config = z.infer<typeof config>;

/** Mean over the others' messages, [B, A, H]; muted agents send zeros. */
function meanOfOthers(messages: Tensor): Tensor {
  const agents = messages.shape[1]!;
  const all = broadcastTo(sum(messages, 1, true), messages.shape);
  return mul(sub(all, messages), 1 / (agents - 1));
}

const extensions = teamExtensionsOf({ loop: 'team', networks: 'other', reward: 'own' });

export const commnet = defineComms<Config>({
  id: 'commnet',
  title: 'CommNet',
  summary: 'Before acting, every agent receives the mean of the others’ hidden states, once or several times.',
  source: {
    title: 'Learning Multiagent Communication with Backpropagation',
    authors: 'Sukhbaatar, Szlam, Fergus',
    year: 2016,
    url: 'https://arxiv.org/abs/1605.07736',
  },
  config,
  extensions,
  trial: { env: 'mpe-simple-spread', steps: 1024, config: { envs: 8, rolloutSteps: 16, width: 8 } },
  probes: [
    { on: ['tell', 'team'], steps: 8000 },
    { on: ['roles'], steps: 10_000 },
    { on: ['pointingTeam'], steps: 16_000, atLeast: 0.95 },
  ],
  probeConfig: { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, width: 16, agentId: true },
  presets: [{ id: 'silent', title: 'the same without a channel', config: { channel: 'silent' } }],
  unit: () => 1,
  network(engine, meta, c, rng) {
    const sharing = shareNetworks(meta, c.sharing, c.agentId);
    const group = engine.group('team');
    const see = rolewise(group, 'see', rng, sharing, encodedInputs, c.width, { act: 'tanh' });
    const rounds = Array.from({ length: c.rounds }, (_, k) => ({
      own: dense(group, `own${k}`, rng, c.width, c.width, { gain: 1 }),
      others: dense(group, `others${k}`, rng, c.width, c.width, { gain: 1 }),
    }));
    const heads = actionHeads(group, rng, sharing, meta, c.width);
    const critic = pooledCritic(group, rng, sharing, c.width);
    return {
      group,
      sharing,
      messageSize: c.rounds * c.width,
      stateSize: 0,
      noiseSize: 0,
      logStd: heads.logStd,
      apply({ obs, gate }) {
        const seen = seenBy(obs, sharing);
        const messages: Tensor[] = [];
        let h = see(seen);
        for (const { own, others } of rounds) {
          const message = gated(h, gate);
          messages.push(message);
          h = tanh(add(own(h), others(meanOfOthers(message))));
        }
        return { head: heads.head(h), value: critic(seen), messages: concat(messages, 2) };
      },
    };
  },
});
