/**
 * HAMMER (Gupta, Srinivasa, Taylor and others 2021): one messenger, which never acts, observes what all agents observe and sends each of
 * them a few numbers. Agents see their own observation and their message. Everything is learned by PPO from the agents' rewards, the
 * messenger through the gradient of its messages (lib/messages/learner.ts).
 *   (m_1, .., m_A) = tanh(layers(o_1, .., o_A)),   pi_i(a | o_i, m_i);   random: m_i = tanh(standard normal numbers)
 *   L = -mean min(r A, clip(r, 1 - e, 1 + e) A) + valueCoef mean (V - R)^2 / 2 - entropyCoef mean H(pi),   r = pi / pi_old
 * Random messages are the control: a channel of the same width without information.
 * Differs: one critic for training that reads all observations (lib/messages/networks.ts), in the silent condition too.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     for T steps of B environments
 *       the messenger reads all observations and sends m_i to every agent
 *         random: m_i drawn anew in each step; silent: m_i = 0
 *       every agent draws its action from its observation and m_i
 *       V_i by a critic from the agent's view and the mean over the team's views
 *     rewards: own, or by teamReward the team's sum, mean or a mixture
 *     advantages A by GAE(lambda) for every agent, returns R = A + V
 *     for each epoch, for each shuffled minibatch of whole teams
 *       if normaliseAdvantages: standardise A over the minibatch
 *       one step of Adam on L, its gradient through the messages into the messenger
 */
import { z } from 'zod';
import { concat, reshape, tanh } from '../../engine/ops.ts';
import type { Tensor } from '../../engine/types.ts';
import { mlp } from '../../nets/mlp.ts';
import { teamExtensionsOf } from '../extensions/index.ts';
import { channelField, commsFields, defineComms } from '../lib/messages/learner.ts';
import { actionHeads, body, gated, membersOf, pooledCritic, required, seenBy } from '../lib/messages/networks.ts';
import { encodedInputs, shareNetworks } from '../lib/sharing.ts';

const config = z.strictObject({
  channel: z
    .enum(['learned', 'random', 'silent'])
    .default('learned')
    .meta({
      ...channelField.meta(),
      description: 'Random: the same learner, but messages are numbers drawn anew in each step. Silent: no message is delivered.',
    }),
  length: z
    .int()
    .min(1)
    .max(64)
    .default(4)
    .meta({
      title: 'message length',
      description: 'Numbers from -1 to 1 that each agent receives in a step.',
      source: 'own choice (Gupta et al. try 1 and more)',
      slider: [1, 16],
      depth: 'teach',
      group: 'messages',
    }),
  ...commsFields,
});
type Config = z.infer<typeof config>;

const extensions = teamExtensionsOf({ loop: 'team', networks: 'other', reward: 'own' });

export const hammer = defineComms<Config>({
  id: 'hammer',
  title: 'HAMMER',
  summary: 'A central messenger that observes everything sends each agent a message.',
  source: {
    title: 'HAMMER: Multi-Level Coordination of Reinforcement Learning Agents via Learned Messaging',
    authors: 'Gupta et al.',
    year: 2021,
    url: 'https://arxiv.org/abs/2102.00824',
  },
  config,
  extensions,
  trial: { env: 'mpe-simple-speaker-listener', steps: 1024, config: { envs: 8, rolloutSteps: 16, width: 8 } },
  probes: [
    { on: ['tell', 'team'], steps: 8000 },
    { on: ['roles'], steps: 10_000 },
    { on: ['pointingTeam'], steps: 16_000, atLeast: 0.95 },
  ],
  probeConfig: { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, width: 16, agentId: true },
  presets: [
    { id: 'silent', title: 'the same without messages', config: { channel: 'silent' } },
    { id: 'random', title: 'the same with random messages', config: { channel: 'random' } },
  ],
  unit: () => 1,
  network(engine, meta, c, rng) {
    const sharing = shareNetworks(meta, c.sharing, c.agentId);
    const group = engine.group('team');
    const A = meta.agentCount;
    const inputs = sharing.networks.reduce((sum, network) => sum + network.agents.length * encodedInputs(network), 0);
    const sizes = [inputs, 2 * c.width, c.width, A * c.length];
    const messenger = c.channel === 'random' ? null : mlp(group, 'messenger', rng, sizes, { outAct: 'tanh', outGain: 1 });
    const think = body(group, 'think', rng, sharing, (network) => encodedInputs(network) + c.length, c.width);
    const heads = actionHeads(group, rng, sharing, meta, c.width);
    const critic = pooledCritic(group, rng, sharing, c.width);
    return {
      group,
      sharing,
      messageSize: c.length,
      topology: 'central',
      stateSize: 0,
      noiseSize: messenger === null ? c.length : 0,
      noiseInUse: true,
      logStd: heads.logStd,
      apply({ obs, gate, noise }) {
        const seen = seenBy(obs, sharing);
        const teams = obs.shape[0]!;
        const everything = (): Tensor =>
          concat(
            seen.map((x) => reshape(x, [teams, -1])),
            1,
          );
        const message = messenger === null ? tanh(required(noise, 'noise')) : reshape(messenger(everything()), [teams, A, c.length]);
        const messages = gated(message, gate);
        const h = think(seen.map((own, k) => concat([own, membersOf(messages, sharing.networks[k]!)], 2)));
        return { head: heads.head(h), value: critic(seen), messages };
      },
    };
  },
});
