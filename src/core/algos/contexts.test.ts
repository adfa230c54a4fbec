/** Every method learns where the settings are drawn for each episode: its trial up to the first safe point, in rows that change their copies. */
import { expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { Rng } from '#math/rng.ts';
import { createEngine } from '../engine/index.ts';
import type { Engine } from '../engine/types.ts';
import { getEnv } from '../envs/all.ts';
import { createVectorEnv } from '../envs/api/vector-env.ts';
import { algos } from './all.ts';
import type { AlgoEntry, Progress } from './api/types.ts';

/** Two settings that are the same, so that any world can draw them. */
const CONTEXTS: JsonObject = { list: [{}, {}] };

async function begun(algo: AlgoEntry): Promise<Progress> {
  const { env: id, envConfig = {}, config: given = {}, steps } = algo.trial;
  const env = getEnv(id);
  await env.prepare?.();
  const config = algo.parse(given);
  const world = env.parse({ ...envConfig, contexts: CONTEXTS });
  const meta = env.meta(world);
  algo.fits(meta, config);
  const engines: Engine[] = [];
  let made = 0;
  const training = algo.train({
    config,
    envEntry: env,
    envConfig: world,
    meta,
    steps,
    seed: 1,
    rng: Rng.from(1),
    makeEnv: (batch, other) => createVectorEnv(env, other ?? world, batch, Rng.from(1).split('env', made++)),
    async makeEngine() {
      const engine = await createEngine('wasm');
      engines.push(engine);
      return engine;
    },
  });
  try {
    const next = await training.next();
    if (next.done === true) throw new Error(`${algo.id} trained nothing`);
    return next.value;
  } finally {
    await training.return();
    for (const engine of engines) engine.dispose();
  }
}

/** Methods that read the exact model of one world, or search copies of one game: with several settings there is none. */
const ONE_WORLD = 'incompatible';

/** One of each kind; the others at night. */
const SAMPLE: readonly string[] = ['q-learning', 'ppo', 'dqn', 'sac', 'ippo'];

const learners = algos.filter((algo) => algo.learner !== 'none');

it('the sample names methods that there are', () => {
  for (const id of SAMPLE) expect(learners.map((algo) => algo.id)).toContain(id);
});

it.each(learners.map((algo) => [SAMPLE.includes(algo.id) ? algo.id : `@night ${algo.id}`, algo] as const))('%s', async (_, algo) => {
  try {
    expect((await begun(algo)).step).toBeGreaterThan(0);
  } catch (error) {
    expect(error).toMatchObject({ failure: { id: ONE_WORLD } });
    expect(SAMPLE).not.toContain(algo.id);
  }
});
