/**
 * What settings drawn for each episode, and episodes begun in stored states, cost of the steps per second of whole PPO runs: 5 % at most. Runs of
 * one kind after the other in turn, by processor time, which a busy machine changes less than the clock; of each kind the fastest of `rounds` runs.
 */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { completeRun, createSession } from '#core/run/loaded.ts';
import type { BenchOptions } from './training.ts';

const WORLDS: readonly { readonly env: string; readonly drawn: JsonObject }[] = [
  { env: 'cartpole', drawn: { halfLength: { from: 0.3, to: 0.8 }, force: { from: 8, to: 12 } } },
  { env: 'pendulum', drawn: { mass: { from: 0.7, to: 1.4 }, length: { from: 0.8, to: 1.2 } } },
];
const MOST = 0.05;

/** Steps a second of processor time, from the first safe point on. */
async function speed(config: JsonObject): Promise<number> {
  let [step, from, first, end] = [0, 0, -1, 0];
  const now = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  for await (const event of createSession({ config: completeRun(config), seed: 1, now: () => performance.now(), sliceMs: 50 })) {
    if (event.kind !== 'progress' || event.step === step) continue; // none of the evaluation at the end
    [step, end] = [event.step, now()];
    if (first < 0) [first, from] = [step, end];
  }
  return (step - first) / (end - from);
}

export async function run({ quick, log }: BenchOptions): Promise<Json> {
  const steps = quick ? 100_000 : 200_000;
  const found: Record<string, Json> = {};
  for (const { env, drawn } of WORLDS) {
    const plain: JsonObject = { env: { id: env }, algo: { id: 'ppo' }, run: { steps, seeds: 1, evalEpisodes: 1 } };
    const kinds: Readonly<Record<string, JsonObject>> = {
      plain,
      contexts: { ...plain, env: { id: env, config: { contexts: { draw: drawn } } } },
      starts: { ...plain, run: { steps, seeds: 1, evalEpisodes: 1, starts: { share: 0.5, from: 'random', steps: 50, states: 100 } } },
    };
    const best: Record<string, number> = {};
    for (let round = 0; round < (quick ? 3 : 6); round++)
      for (const [kind, config] of Object.entries(kinds)) best[kind] = Math.max(best[kind] ?? 0, await speed(config));
    const base = best.plain ?? Number.NaN;
    for (const kind of ['contexts', 'starts']) {
      const cost = Number((1 - (best[kind] ?? Number.NaN) / base).toFixed(3));
      found[`${env}, ${kind}`] = {
        stepsPerSecond: Math.round(best[kind] ?? 0),
        plain: Math.round(base),
        cost,
        target: MOST,
        met: cost <= MOST,
      };
      log(
        `${`${env}, ${kind}`.padEnd(28)} ${Math.round(best[kind] ?? 0)} steps/s of processor time, plain ${Math.round(base)}: ${(100 * cost).toFixed(1)} %`,
      );
    }
  }
  return found;
}
