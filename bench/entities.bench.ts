/**
 * What a body of entities costs: one step of the optimiser on ten things in sight (spread with five agents: itself, five landmarks, four mates)
 * beside the same step with dense layers, in turns. Wanted of PPO, IPPO and MAPPO: at most four times. MAPPO's critic reads what each of the five
 * agents sees, fifty things, once per step for the values of all five.
 */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { getAlgo } from '#core/algos/all.ts';
import { createEngine } from '#core/engine/index.ts';
import { getEnv } from '#core/envs/all.ts';
import { loadBody } from '#core/nets/body.ts';
import { compare } from './engine-timing.ts';
import type { BenchOptions } from './training.ts';

const CASES: readonly { readonly algo: string; readonly config?: JsonObject; readonly most: number | null }[] = [
  { algo: 'ippo', most: 4 },
  { algo: 'ppo', config: { envs: 16 }, most: 4 },
  { algo: 'mappo', most: 4 },
  { algo: 'qmix', config: { agentId: false }, most: null },
];

export async function run({ quick, only, log }: BenchOptions): Promise<Json> {
  const meta = getEnv('mpe-simple-spread').meta({ agents: 5 });
  const found: Record<string, Json> = {};
  for (const { algo: id, config = {}, most } of CASES) {
    if (only.length > 0 && !only.includes(id)) continue;
    const algo = getAlgo(id);
    await loadBody({ body: { kind: 'entities', units: 16, heads: 2, blocks: 1 } });
    const engines = [await createEngine('wasm'), await createEngine('wasm')];
    const steps = engines.map((engine, i) => {
      const all = algo.parse({ ...config, body: i === 0 ? 'dense' : 'entities' });
      algo.fits(meta, all);
      const step = algo.benchmark?.({ config: all, meta, engine });
      if (step === undefined) throw new Error(`${id} has no step to be timed`);
      return { name: i === 0 ? 'dense' : 'entities', run: () => step.run() };
    });
    const [dense, entities] = await compare(steps, quick ? 5 : 25, quick ? 20 : 100);
    if (dense === undefined || entities === undefined) throw new Error('two steps were timed');
    const times = Number((entities.us / dense.us).toPrecision(3));
    found[id] = {
      denseUs: Math.round(dense.us),
      entitiesUs: Math.round(entities.us),
      times,
      ...(most !== null && { most, met: times <= most }),
    };
    log(
      `${id.padEnd(8)} dense ${dense.us.toFixed(0)} us, entities ${entities.us.toFixed(0)} us: ${times} times${most === null ? '' : ` (at most ${most})`}`,
    );
    for (const engine of engines) engine.dispose();
  }
  return found;
}
