/**
 * What keeps many self-interested agents in check. Scenario `alarm` (preset of that name): 240 agents on a small world are tempted
 * to be radicals and punished by an alarm that lags behind (social/lib/population/alarm.ts), beside the delayed replicator equation
 * (social/lib/population/replicator.ts). Scenario `pairs`: partners play a dilemma, with partner choice, punishment of partners, punishment by
 * third parties and reputation, each a switch (social/lib/population/pairs.ts). Settings: social/lib/population/config.ts.
 * Sources: Itkin 2026 (alarm); Dasgupta and Musolesi 2023 (pairs). What the abstracts leave open is fixed here and stated there.
 */
import { defineEnv } from '../api/define.ts';
import type { ScriptedPolicy } from '../api/types.ts';
import { alarmMeta, alarmPolicies, createAlarm } from './lib/population/alarm.ts';
import { type Config, config } from './lib/population/config.ts';
import { createPairs, pairsMeta } from './lib/population/pairs.ts';
import { pairsPolicies } from './lib/population/pairs-policies.ts';
import { hopf, replicate } from './lib/population/replicator.ts';

const meta = (c: Config) => (c.scenario === 'alarm' ? alarmMeta(c) : pairsMeta(c));

const policy =
  (name: keyof typeof alarmPolicies) =>
  (c: Config): ScriptedPolicy =>
    (c.scenario === 'alarm' ? alarmPolicies[name] : pairsPolicies[name])(c);

export const populationDilemma = defineEnv<Config>({
  spec: {
    id: 'population-dilemma',
    version: 1,
    title: 'Population dilemma',
    summary: 'Many agents gain by harming the rest; a delayed alarm punishes them, or they punish each other.',
    source: {
      title: 'Delayed repression and emergent instability in adaptive multi-agent systems',
      authors: 'Itkin',
      year: 2026,
      url: 'https://arxiv.org/abs/2605.30392',
    },
    config,
    presets: [
      { id: 'alarm', title: 'alarm', config: {} },
      {
        id: 'pairs',
        title: 'pairs',
        config: { scenario: 'pairs', partnerChoice: true, directPunishment: true, thirdPartyPunishment: true, reputation: true },
      },
    ],
    meta,
  },
  create: (c, batch, options) => (c.scenario === 'alarm' ? createAlarm(c, batch, options?.draws) : createPairs(c, batch, options?.draws)),
  checks: {
    /** Rest point, rate K and the delay pi / (2 K) at which the equation starts to oscillate. */
    'critical-delay': (c) => {
      const { rest, rate, criticalDelay } = hopf(c);
      return { restPoint: rest, rate, criticalDelay };
    },
    /** x at every step of the equation, from `start` with `delay`, over `steps`. */
    replicator: (c, inputs) => ({
      x: Array.from(
        replicate(
          c,
          typeof inputs.start === 'number' ? inputs.start : c.initialShare,
          typeof inputs.delay === 'number' ? inputs.delay : c.delay,
          typeof inputs.steps === 'number' ? inputs.steps : c.maxSteps,
        ),
      ),
    }),
  },
  policies: {
    'always-cooperate': policy('always-cooperate'),
    'always-defect': policy('always-defect'),
    fixed: policy('fixed'),
    reactive: policy('reactive'),
  },
});
