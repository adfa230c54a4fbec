/**
 * HAMMER (Gupta, Srinivasa, Taylor and others 2021): one messenger sees what everybody sees and tells each agent a few numbers; it
 * never acts. Agents see their own observation and what they are told. Everything is learned by PPO from the agents' rewards, the
 * messenger through the gradient of what it told them (lib/messages/learner.ts).
 * With random messages nothing is known of the channel but its width: what learned ones are worth beyond that.
 * Differs: one critic for training that sees everybody's observations (lib/messages/parts.ts), in the silent condition too.
 */
import { z } from 'zod';
import { concat, reshape, tanh } from '../../engine/ops.ts';
import type { Tensor } from '../../engine/types.ts';
import { mlp } from '../../nets/mlp.ts';
import { channelField, commsFields, defineComms } from '../lib/messages/learner.ts';
import { actionHeads, body, gated, membersOf, pooledCritic, seenBy } from '../lib/messages/networks.ts';
import { encodedInputs, shareNetworks } from '../lib/sharing.ts';

const config = z.strictObject({
  channel: z
    .enum(['learned', 'random', 'silent'])
    .default('learned')
    .meta({
      ...channelField.meta(),
      description: 'Random: the same learner, but agents are told numbers drawn anew in each step. Silent: they are told nothing.',
    }),
  length: z
    .int()
    .min(1)
    .max(64)
    .default(4)
    .meta({
      title: 'message length',
      description: 'Numbers from -1 to 1 that each agent is told in a step.',
      source: 'own choice (Gupta et al. try 1 and more)',
      slider: [1, 16],
      depth: 'teach',
      group: 'messages',
    }),
  ...commsFields,
});
type Config = z.infer<typeof config>;

export const hammer = defineComms<Config>({
  id: 'hammer',
  title: 'HAMMER',
  summary: 'A messenger that sees everything tells each agent what it should know.',
  source: {
    title: 'HAMMER: Multi-Level Coordination of Reinforcement Learning Agents via Learned Messaging',
    authors: 'Gupta et al.',
    year: 2021,
    url: 'https://arxiv.org/abs/2102.00824',
  },
  config,
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
        const message = messenger === null ? tanh(noise!) : reshape(messenger(everything()), [teams, A, c.length]);
        const told = gated(message, gate);
        const h = think(seen.map((own, k) => concat([own, membersOf(told, sharing.networks[k]!)], 2)));
        return { head: heads.head(h), value: critic(seen), said: told };
      },
    };
  },
});
