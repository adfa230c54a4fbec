/** `soak`: a million random agent-steps of every environment with all properties checked, and no memory kept by stepping. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { JsonObject } from '#contract/kit/json.ts';
import { envs, getEnv } from '#core/envs/all.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { createSoak, type Soak } from '#core/testing/soak.ts';
import type { Command } from '../kit/context.ts';
import { CommandFailure } from '../kit/failure.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput, number } from '../kit/output.ts';

const OPTIONS = {
  steps: { kind: 'count', value: 'N', min: 1000, help: 'agent-steps per environment and preset (default 1,000,000)' },
  presets: { kind: 'flag', help: 'every preset, not only the defaults' },
  json: { kind: 'flag', help: 'JSON lines: one per environment, then the summary' },
} as const;

/** Copies: fewer where a copy has many agents. */
const batchFor = (agents: number): number => Math.max(2, Math.min(16, Math.floor(512 / agents)));
/** Kept memory may not grow by more than this between the first quarter and the end: caches fill early, leaks go on. */
const MAX_GROWTH = 1_000_000; // bytes
/**
 * Stretches of bare steps whose short-lived garbage is told; the leanest counts, because the compiler works beside the first ones. It is
 * no failure: V8 boxes a number that a function gives back when it has not inlined that function.
 */
const STRETCHES = 12;
const STRETCH = 10_000; // agent-steps

interface Finding {
  readonly agentSteps: number;
  readonly episodes: number;
  readonly roundTrips: number;
  readonly growth: number; // bytes
  readonly garbage: number; // bytes per step and row
}

function memory(collect: () => void): number {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function garbageOf(soak: Soak, batch: number, collect: () => void): number {
  const steps = Math.max(1, Math.floor(STRETCH / (batch * soak.meta.agentCount)));
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < STRETCHES; i++) {
    collect();
    const before = process.memoryUsage().heapUsed;
    soak.bare(steps);
    const made = process.memoryUsage().heapUsed - before;
    if (made >= 0) least = Math.min(least, made);
  }
  return Number.isFinite(least) ? least / steps / batch : 0;
}

function soakOne(entry: EnvEntry, config: JsonObject, agentSteps: number, collect: () => void): Finding {
  const agents = entry.meta(config).agentCount;
  const batch = batchFor(agents);
  const soak = createSoak(entry, config, batch, 1);
  const vectorSteps = Math.ceil(agentSteps / (batch * agents));
  soak.run(Math.ceil(vectorSteps / 4));
  const before = memory(collect);
  soak.run(vectorSteps - Math.ceil(vectorSteps / 4));
  const growth = memory(collect) - before;
  const garbage = garbageOf(soak, batch, collect);
  const { episodes, roundTrips } = soak;
  if (growth > MAX_GROWTH) throw new Error(`${entry.id} keeps ${number(growth)} bytes more than after a quarter of the way`);
  return { agentSteps: soak.agentSteps, episodes, roundTrips, growth, garbage };
}

export const soak: Command = {
  usage: 'soak [ENV...] [--steps N] [--presets]      also: npm run soak -- ENV',
  summary: 'Plays every environment at random for long, with every property checked.',
  help: describeOptions(OPTIONS),
  async run(args) {
    const { options, rest } = parseOptions(args, OPTIONS);
    const output = createOutput(options.json);
    const entries = rest.length > 0 ? rest.map(getEnv) : envs;
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const failed: string[] = [];
    let total = 0;
    for (const entry of entries) {
      await entry.prepare?.();
      for (const preset of options.presets ? entry.presets : entry.presets.slice(0, 1)) {
        const name = options.presets ? `${entry.id} ${preset.id}` : entry.id;
        const start = process.hrtime.bigint();
        try {
          const found = soakOne(entry, preset.config, options.steps ?? 1_000_000, collect);
          const seconds = Number(process.hrtime.bigint() - start) / 1e9;
          total += found.agentSteps;
          output.record({ type: 'soak', env: entry.id, preset: preset.id, seconds, ...found, ok: true });
          output.text(
            `ok     ${name.padEnd(30)} ${number(found.agentSteps)} agent-steps, ${number(found.episodes)} episodes, ${found.roundTrips} round trips, ${seconds.toFixed(1)} s; kept ${number(found.growth)} bytes, made ${found.garbage.toFixed(0)} of garbage per step`,
          );
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          failed.push(message);
          output.record({ type: 'soak', env: entry.id, preset: preset.id, ok: false, message });
          output.text(`FAILED ${name.padEnd(30)} ${message}`);
        }
      }
    }
    output.record({ type: 'summary', agentSteps: total, failed: failed.length });
    output.text(`${number(total)} agent-steps, ${failed.length} failed`);
    if (failed.length > 0) throw new CommandFailure(`${failed.length} environments break their promises.`);
  },
};
