/**
 * DIAL (Foerster, Assael, de Freitas, Whiteson 2016): a message sent in one step is received by the other agents in the next, and
 * gradients flow back through it. During training the channel (DRU) adds noise, sigmoid(m + sigma n); afterwards it sends one bit for each
 * number, m > 0. Here both are scaled to [-1, 1], so that silence is 0. Every agent receives the messages of all others, each sender's in
 * columns of its own. Learned by PPO over pieces of `unroll` steps (lib/messages/learner.ts).
 *   h_i = layers(o_i, the others' c of the step before),   m_i = say(h_i),   action head on h_i
 *   c_i = 2 sigmoid(m_i + sigma n) - 1 during training,   c_i = 1 where m_i > 0, else -1, afterwards
 *   L = -mean min(r A, clip(r, 1 - e, 1 + e) A) + valueCoef mean (V - R)^2 / 2 - entropyCoef mean H(pi),   r = pi / pi_old
 * Differs: the paper's agents are recurrent Q-networks; here feed-forward actors, whose only memory is the channel.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     for T steps of B environments
 *       every agent receives the others' messages of the step before, 0 at an episode's first step
 *         if the channel is silent: 0 always
 *       it draws its action and sends its message through the noisy channel
 *       keep the noise; every `unroll` steps the messages on their way
 *       V_i by a critic from the agent's view and the mean over the team's views
 *     rewards: own, or by teamReward the team's sum, mean or a mixture
 *     advantages A by GAE(lambda) for every agent, returns R = A + V
 *     for each epoch, for each shuffled minibatch of pieces of `unroll` steps of a team
 *       run the piece again from the kept messages with the kept noise
 *       if normaliseAdvantages: standardise A over the minibatch
 *       one step of Adam on L, its gradient through the messages into earlier steps of the piece
 */
import { z } from 'zod';
import { add, broadcastTo, concat, gt, mul, reshape, sigmoid, sub } from '../../engine/ops.ts';
import type { Tensor } from '../../engine/types.ts';
import { teamExtensionsOf } from '../extensions/index.ts';
import { channelField, commsFields, defineComms } from '../lib/messages/learner.ts';
import { actionHeads, body, gated, membersOf, pooledCritic, required, rolewise, seenBy } from '../lib/messages/networks.ts';
import { encodedInputs, shareNetworks } from '../lib/sharing.ts';

const config = z.strictObject({
  channel: channelField,
  bits: z
    .int()
    .min(1)
    .max(64)
    .default(3)
    .meta({
      title: 'bits',
      description: 'Numbers that each agent sends in a step; in use each of them is one bit.',
      source: 'own choice (Foerster et al. 2016 use 1)',
      slider: [1, 8],
      depth: 'teach',
      group: 'messages',
    }),
  noise: z
    .number()
    .min(0)
    .max(10)
    .default(2)
    .meta({
      title: 'channel noise',
      description: 'Deviation of the noise on every number while training: makes agents push their numbers to the ends.',
      source: 'Foerster et al. 2016',
      slider: [0, 4],
      group: 'messages',
    }),
  unroll: z
    .int()
    .min(2)
    .max(16)
    .default(4)
    .meta({
      title: 'unrolled steps',
      unit: 'steps',
      description: 'Gradients flow back through messages over this many steps at most.',
      source: 'own choice (whole episodes in the paper)',
      slider: [2, 16],
      depth: 'research',
      group: 'messages',
    }),
  ...commsFields,
});
type Config = z.infer<typeof config>;

/** Messages [B, A, M] -> [B, A, A M] as each agent receives them: the columns of all senders, its own zeros. */
function receivedBy(messages: Tensor): Tensor {
  const [teams, agents, bits] = messages.shape as [number, number, number];
  const all = broadcastTo(reshape(messages, [teams, 1, agents * bits]), [teams, agents, agents * bits]);
  const others = Float32Array.from({ length: agents * agents * bits }, (_, i) =>
    Number(Math.floor((i % (agents * bits)) / bits) !== Math.floor(i / (agents * bits))),
  );
  return mul(all, messages.graph.constant(others, [1, agents, agents * bits]));
}

const extensions = teamExtensionsOf({ loop: 'team', networks: 'other', reward: 'own' });

export const dial = defineComms<Config>({
  id: 'dial',
  title: 'DIAL',
  summary: 'Agents send each other bits; while they learn, gradients flow through the noisy channel.',
  source: {
    title: 'Learning to Communicate with Deep Multi-Agent Reinforcement Learning',
    authors: 'Foerster et al.',
    year: 2016,
    url: 'https://arxiv.org/abs/1605.06676',
  },
  config,
  extensions,
  trial: { env: 'mpe-simple-speaker-listener', steps: 1024, config: { envs: 8, rolloutSteps: 16, width: 8 } },
  probes: [
    { on: ['team'], steps: 8000 },
    { on: ['roles'], steps: 10_000 },
    { on: ['tellLater'], steps: 20_000 },
    { on: ['pointingTeam'], steps: 16_000, atLeast: 0.95 },
  ],
  probeConfig: { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, width: 16, agentId: true },
  presets: [{ id: 'silent', title: 'the same without a channel', config: { channel: 'silent' } }],
  unit: (c) => c.unroll,
  network(engine, meta, c, rng) {
    const sharing = shareNetworks(meta, c.sharing, c.agentId);
    const group = engine.group('team');
    const A = meta.agentCount;
    const think = body(group, 'think', rng, sharing, (network) => encodedInputs(network) + A * c.bits, c.width);
    const say = rolewise(group, 'say', rng, sharing, () => c.width, c.bits, { gain: 1 });
    const heads = actionHeads(group, rng, sharing, meta, c.width);
    const critic = pooledCritic(group, rng, sharing, c.width);
    return {
      group,
      sharing,
      messageSize: c.bits,
      stateSize: c.bits,
      noiseSize: c.bits,
      logStd: heads.logStd,
      apply({ obs, gate, state, noise }) {
        const seen = seenBy(obs, sharing);
        const received = receivedBy(gated(required(state, 'state'), gate));
        const parts = (x: Tensor): Tensor[] => sharing.networks.map((network) => membersOf(x, network));
        const receivedParts = parts(received);
        const h = think(seen.map((own, k) => concat([own, receivedParts[k]!], 2)));
        const raw = say(parts(h));
        // In training the channel is noisy; in use every number is one bit.
        const messages = noise === undefined ? sub(mul(gt(raw, 0), 2), 1) : sub(mul(sigmoid(add(raw, mul(noise, c.noise))), 2), 1);
        return { head: heads.head(h), value: critic(seen), messages, state: messages };
      },
    };
  },
});
