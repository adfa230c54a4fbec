/** A registry entry of a method in which agents talk: settings and network are its own, the learner is common (learner.ts). */

import type { z } from 'zod';
import type { Preset, Source, Trial } from '#contract/catalog.ts';
import type { JsonObject } from '#contract/json.ts';
import type { Engine } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { writeParams } from '#core/state/params.ts';
import { partOf } from '#core/state/saved.ts';
import { Rng } from '#math/rng.ts';
import { defineAlgo } from '../../api/define.ts';
import type { AlgoEntry, ProbeTask } from '../../api/types.ts';
import { type CommsConfig, commsMetrics } from '../../lib/messages/config.ts';
import { checkTeam } from '../../lib/messages/fits.ts';
import { compileTeamLearner, trainTeam } from '../../lib/messages/learner.ts';
import type { TeamNetwork } from '../../lib/messages/parts.ts';
import { talkingPolicy } from '../../lib/messages/policy.ts';

export interface CommsMethod<C extends CommsConfig> {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly config: z.ZodType<C>;
  readonly presets: readonly Preset[];
  readonly trial: Trial;
  readonly probes: readonly ProbeTask[];
  readonly probeConfig: JsonObject;
  /** Steps in a row that gradients flow through. */
  unit(c: C): number;
  network(engine: Engine, meta: EnvMeta, c: C, rng: Rng): TeamNetwork;
}

export function defineComms<C extends CommsConfig>(method: CommsMethod<C>): AlgoEntry {
  const { id, title, summary, source, config, presets, trial, probes, probeConfig } = method;
  return defineAlgo<C>({
    spec: {
      id,
      version: 1,
      title,
      summary,
      source,
      config,
      presets,
      action: 'any',
      learner: 'network',
      agents: 'many',
      metrics: commsMetrics,
      trial,
      probes,
      probeConfig,
    },
    fits: (meta, c) => checkTeam(meta, title, c, method.unit(c)),
    train: (run, resume) => {
      const c = run.config;
      return trainTeam(run, resume, (engine, rng) => method.network(engine, run.meta, c, rng), method.unit(c));
    },
    async policy({ config: c, meta, makeEngine }, saved) {
      const engine = await makeEngine();
      const net = method.network(engine, meta, c, Rng.from(0));
      writeParams(engine, net.group, partOf(saved, 'net'));
      return talkingPolicy({ engine, meta, net, silent: c.channel === 'silent', dispose: () => engine.dispose() });
    },
    benchmark({ config: c, meta, engine }) {
      const net = method.network(engine, meta, c, Rng.from(0));
      const unit = method.unit(c);
      const learn = compileTeamLearner(engine, net, meta, c, (c.envs * c.rolloutSteps) / unit / c.minibatches, unit);
      return { run: () => learn.run() };
    },
  });
}
