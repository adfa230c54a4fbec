/**
 * Runs a stored run again and compares: in separate workers, nothing stored. Live edits are made again; nothing in the record exempts it from the
 * comparison. Loaded with the dialog that asks for it.
 */

import { ruleChange } from '#client/runs/rules.ts';
import { runs } from '#client/runs/service.ts';
import { workers } from '#client/workers/service.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { SeedResult } from '#contract/run/events.ts';
import {
  apartOf,
  type Checked,
  type CurveOf,
  checked,
  editsOf,
  failedHere,
  looseOf,
  type Ran,
  unverified,
  wrongMarks,
} from '#contract/run/verify.ts';
import type { EventBatch } from '#contract/session/session.ts';
import { curves } from '#stores/curves.ts';
import { findGroup } from '#stores/runs.ts';
import type { RunGroup, SeedRun } from '#stores/types.ts';
import { beginVerify, changeCheck, endVerify } from '#stores/verify.ts';

/** Metric rows as they arrive, by name. */
class Rows {
  readonly columns = new Map<string, { readonly steps: number[]; readonly values: number[] }>();

  take({ events }: EventBatch): void {
    for (const event of events) {
      if (event.kind !== 'metrics') continue;
      const width = event.columns.length + 1;
      event.columns.forEach((metric, i) => {
        for (let at = 0; at + width <= event.rows.length; at += width) {
          const value = event.rows[at + 1 + i]!;
          if (Number.isNaN(value)) continue;
          let column = this.columns.get(metric);
          if (column === undefined) this.columns.set(metric, (column = { steps: [], values: [] }));
          column.steps.push(event.rows[at]!);
          column.values.push(value);
        }
      });
    }
  }
}

const storedCurves = (runId: string, seed: number): ReadonlyMap<string, CurveOf> =>
  new Map(
    curves.metrics(runId).flatMap((metric) => {
      const series = curves.series(runId, seed, metric);
      return series === null ? [] : [[metric, series] as const];
    }),
  );

const ranOf = (result: SeedResult, columns: Ran['curves']): Ran => ({
  parameterHash: result.parameterHash,
  numbers: result,
  curves: columns,
});

let cancelled = new AbortController();

/** What is known of a seed before it is run; null: it has to be run. */
function knownBefore(group: RunGroup, marks: SeedRun['marks']): Checked | null {
  const change = ruleChange(group.config as unknown as JsonObject);
  const apart = apartOf(group.config, group) ?? (change === null ? null : `its rules have changed since: ${change.rules.join(' ')}`);
  const [wrong] = wrongMarks(group.config, marks, true);
  if (wrong !== undefined)
    return { outcome: 'differs', differences: [{ kind: 'number', name: 'marks', stored: wrong, here: 'otherwise' }], why: '' };
  return apart === null ? null : unverified(apart);
}

const end = (seed: number, { outcome, differences, why }: Checked): void => changeCheck(seed, { state: outcome, differences, note: why });

async function checkSeed(group: RunGroup, { seed, result, marks }: SeedRun, signal: AbortSignal): Promise<void> {
  if (result === null || signal.aborted) return;
  const known = knownBefore(group, marks);
  if (known !== null) {
    end(seed, known);
    return;
  }
  const rows = new Rows();
  let refuse: (why: Error) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  const worker = workers.spawnSession((message) => refuse(new Error(message)));
  const abort = (): void => refuse(new Error('It was cancelled.'));
  signal.addEventListener('abort', abort, { once: true });
  changeCheck(seed, { state: 'running' });
  try {
    // The result comes on the port of the rows, behind the last of them.
    const whole = new Promise<SeedResult>((resolve, reject) => {
      const hear = (batch: EventBatch): void => {
        if (signal.aborted) return;
        rows.take(batch);
        for (const event of batch.events) {
          if (event.kind === 'progress') changeCheck(seed, { step: event.step });
          if (event.kind === 'result') resolve(event.result);
        }
      };
      worker.simulate(group.config, seed, hear, editsOf(marks)).catch(reject);
    });
    const here = await Promise.race([whole, ended]);
    end(seed, checked(ranOf(result, storedCurves(group.id, seed)), ranOf(here, rows.columns), looseOf(group.config, marks)));
  } catch (error) {
    if (!signal.aborted) end(seed, failedHere(toFailure(error)));
  } finally {
    signal.removeEventListener('abort', abort);
    worker.terminate();
  }
}

export const verification = {
  /** Runs the finished seeds of a run again, as many at a time as the page trains; what it finds stands in verifyStore. */
  async start(runId: string): Promise<void> {
    verification.cancel();
    cancelled = new AbortController();
    const { signal } = cancelled;
    await runs.read(runId);
    const group = findGroup(runId);
    if (group === null || signal.aborted) return;
    const done = group.seeds.filter(({ result }) => result !== null);
    beginVerify(
      group.name,
      group.config.run.steps,
      group.parent === null ? group.config.run.seeds : group.seeds.length,
      done.map(({ seed, result }) => ({ seed, stored: result?.parameterHash ?? '' })),
    );
    const waiting = [...done];
    const lane = async (): Promise<void> => {
      for (let run = waiting.shift(); run !== undefined && !signal.aborted; run = waiting.shift()) await checkSeed(group, run, signal);
    };
    await Promise.all(Array.from({ length: Math.min(workers.parallel(), done.length) }, lane));
    if (!signal.aborted) endVerify();
  },

  /** Ends the workers; what was found so far stays. */
  cancel(): void {
    cancelled.abort();
    endVerify();
  },
};
