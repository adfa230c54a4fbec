import { describe, expect, it } from 'vitest';
import { type Front, frontOf, withPreference } from '#contract/files/pareto.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { runConfigSchema } from '#contract/run/config.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { nonDominated, supported } from '#math/pareto.ts';
import { getEnv } from '../../envs/all.ts';
import { paretoFront } from '../../envs/multi-objective/lib/sea.ts';
import { evaluate } from '../../run/evaluate.ts';
import { buildPolicy, completeRun, createSession } from '../../run/loaded.ts';
import { getAlgo } from '../all.ts';

async function sweep(env: JsonObject, settings: JsonObject, steps: number) {
  const config = completeRun({
    env: { id: 'deep-sea-treasure', config: env },
    algo: { id: 'pareto-sweep', config: settings },
    run: { steps, evalEpisodes: 1 },
  });
  let snapshot: PolicySnapshot | undefined;
  const last: Record<string, number> = {};
  for await (const event of createSession({ config, seed: 1, now: () => 0 })) {
    if (event.kind === 'policy') snapshot = event.snapshot;
    if (event.kind === 'state' && event.error !== undefined) throw new Error(event.error.message);
    if (event.kind !== 'metrics') continue;
    const width = event.columns.length + 1;
    for (let at = 0; at < event.rows.length; at += width)
      event.columns.forEach((name, i) => {
        if (!Number.isNaN(event.rows[at + 1 + i])) last[name] = event.rows[at + 1 + i]!;
      });
  }
  if (snapshot === undefined) throw new Error('no policy');
  return { snapshot, front: frontOf(snapshot) as Front, last };
}

const found = ({ points }: Front): number[][] =>
  nonDominated(points.map((p) => p.value))
    .map((i) => (points[i] as Front['points'][number]).value)
    .sort((a, b) => a[0]! - b[0]!);
const rounded = (points: readonly (readonly number[])[]): number[][] => points.map((p) => p.map((x) => Math.round(100 * x) / 100));

describe('pareto sweep', () => {
  it('finds all ten trade-offs of the convex sea, and policies play what they are asked for', async () => {
    const { snapshot, front, last } = await sweep({}, { referencePoint: [0, -50] }, 150_000);
    expect(rounded(found(front))).toEqual(rounded(paretoFront('convex', 100)));
    expect(last.coverage).toBeCloseTo(1, 6);
    expect(last.policies).toBe(10);
    expect(last.utilityLoss).toBeCloseTo(0, 5);
    for (const wish of [
      [0, 1],
      [1, 0],
      [0.45, 0.55],
    ]) {
      const { policy, free } = await buildPolicy(withPreference(snapshot, wish));
      const { scores } = await evaluate(policy, getEnv('deep-sea-treasure'), {}, { episodes: 1 });
      const [treasure, time] = front.points[Math.round(100 * wish[0]!)]!.value as [number, number];
      expect(scores[0]).toBeCloseTo(treasure + time, 4);
      free();
    }
  }, 60_000);

  it('of the concave sea it finds the two ends, which is all that weighted sums can', async () => {
    const { front, last } = await sweep({ front: 'concave' }, { referencePoint: [0, -25] }, 150_000);
    const all = paretoFront('concave', 100);
    expect(rounded(found(front))).toEqual(rounded([all[0]!, all[9]!]));
    expect(supported(all)).toEqual([0, 9]);
    expect(last.coverage).toBeLessThan(0.8);
  }, 60_000);

  it('goes on bit for bit after a save', async () => {
    const config = runConfigSchema.parse({
      env: { id: 'deep-sea-treasure', config: getEnv('deep-sea-treasure').parse({}) },
      algo: { id: 'pareto-sweep', config: getAlgo('pareto-sweep').parse({ parts: 10 }) },
      run: { steps: 6000, evalEpisodes: 1 },
    });
    const hashes: string[] = [];
    let clock = 0;
    const first = createSession({ config, seed: 2, now: () => (clock += 30) }); // events come often
    let saved: Awaited<ReturnType<typeof first.save>> | undefined;
    let asked = false;
    for await (const event of first) {
      if (!asked && first.step >= 2500) {
        asked = true;
        void first.save().then((s) => {
          saved = structuredClone(s);
        });
      }
      if (event.kind === 'result') hashes.push(event.result.parameterHash);
    }
    expect(saved?.meta.session).toMatchObject({ step: expect.any(Number) });
    if (saved === undefined) throw new Error('not saved');
    for await (const event of createSession({ config, seed: 2, now: () => 0, resume: saved }))
      if (event.kind === 'result') hashes.push(event.result.parameterHash);
    expect(hashes).toHaveLength(2);
    expect(hashes[0]).toBe(hashes[1]);
  });

  it('says what it cannot learn on', () => {
    const algo = getAlgo('pareto-sweep');
    expect(() => algo.fits(getEnv('frozen-lake').meta({}), {})).toThrow('several rewards');
    expect(() => algo.fits(getEnv('deep-sea-treasure').meta({ weights: [1, 1] }), {})).toThrow('several rewards');
    expect(() => algo.fits(getEnv('deep-sea-treasure').meta({}), { preference: [1, 1, 1] })).toThrow('3 numbers for 2 rewards');
  });
});
