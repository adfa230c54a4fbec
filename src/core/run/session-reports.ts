/** What a run reports while it trains: rows of metrics, progress, visits, policies and populations, gathered until they are sent. */

import { withoutOrder } from '#contract/catalog/contexts.ts';
import { withPopulation } from '#contract/files/population-file.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import type { PolicySnapshot, SessionEvent } from '#contract/run/events.ts';
import type { Progress } from '../algos/api/types.ts';
import { MetricRows } from './metric-rows.ts';
import type { RunParts } from './session-parts.ts';

const POLICY_EVERY_MS = 1000;
const POPULATION_EVERY_MS = 1000;
/** Seconds of training over which the speed is taken. */
const SPEED_OVER = 0.25;

export class Reports {
  /** Events that the next batch begins with. */
  readonly out: SessionEvent[] = [];
  private readonly parts: RunParts;
  private readonly columns: readonly string[];
  private readonly rows: MetricRows;
  private sentAt: number;
  private policyAt = Number.NEGATIVE_INFINITY;
  private populationAt = Number.NEGATIVE_INFINITY;
  private policyStep = -1; // of the newest policy sent
  private speed: { readonly at: number; readonly step: number; readonly value: number };

  constructor(parts: RunParts) {
    const { memory, options } = parts;
    this.parts = parts;
    this.columns = parts.columns();
    this.rows = new MetricRows(this.columns);
    this.sentAt = options.now();
    this.speed = { at: memory.seconds, step: memory.step, value: 0 };
  }

  get isDue(): boolean {
    const { now, sliceMs = 50 } = this.parts.options;
    return now() - this.sentAt >= sliceMs;
  }

  row(values: Readonly<Record<string, number>>): void {
    const { step, seconds } = this.parts.memory;
    this.rows.add(step, { ...values, seconds });
  }

  /** All that was gathered, with the progress of the run. */
  flush(): SessionEvent[] {
    const { memory, options, first } = this.parts;
    const batch = this.out.splice(0);
    if (this.rows.length > 0) batch.push({ kind: 'metrics', columns: this.columns, rows: this.rows.take() });
    const elapsed = memory.seconds - this.speed.at;
    if (elapsed >= SPEED_OVER) {
      const value = (memory.step - this.speed.step) / elapsed;
      this.speed = { at: memory.seconds, step: memory.step, value };
    }
    const stepsPerSecond = this.speed.value || (memory.seconds > 0 ? memory.step / memory.seconds : 0);
    const usage = this.parts.usage();
    batch.push({ kind: 'progress', step: memory.step, seconds: memory.seconds, stepsPerSecond, ...(usage !== null && { usage }) });
    const visits = first?.visits;
    if (visits !== undefined && visits.length > 0) batch.push({ kind: 'visits', step: memory.step, counts: visits.slice() });
    this.sentAt = options.now();
    return batch;
  }

  /** The policy where a second has passed since the newest one, or where it is kept. */
  async policy(progress: Progress, keep: boolean): Promise<void> {
    const { now } = this.parts.options;
    if (!keep && now() - this.policyAt < POLICY_EVERY_MS) return;
    this.out.push({ kind: 'policy', snapshot: await this.snapshotOf(progress), keep });
    this.policyAt = now();
    this.policyStep = this.parts.memory.step;
  }

  /** The policy at the end, unless it was sent. */
  async lastPolicy(progress: Progress): Promise<void> {
    if (this.policyStep === this.parts.memory.step) return;
    this.out.push({ kind: 'policy', snapshot: await this.snapshotOf(progress), keep: true });
  }

  /** The population of a method that has one, where a second has passed since the newest report or `always`. */
  population({ population }: Progress, always: boolean): void {
    const { now } = this.parts.options;
    if (population === undefined || (!always && now() - this.populationAt < POPULATION_EVERY_MS)) return;
    this.out.push({ kind: 'population', report: population() });
    this.populationAt = now();
  }

  /** The policy as it is. */
  async snapshotOf(progress: Progress): Promise<PolicySnapshot> {
    const { config, memory, seed, executor } = this.parts;
    const ref = (r: RunConfig['env']): PolicySnapshot['env'] => ({ id: r.id, version: r.version, config: r.config as JsonObject });
    const own = await progress.snapshot();
    const saved = progress.population === undefined ? own : withPopulation(own, progress.population());
    return {
      kind: 'policy',
      version: 1,
      env: { ...ref(config.env), config: withoutOrder(memory.env) }, // it acts in all tasks
      algo: ref(config.algo),
      seed,
      step: memory.step,
      executor,
      saved,
    };
  }
}
