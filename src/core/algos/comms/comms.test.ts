/** Teams that talk: the channel carries what it should, gradients pass through it, and runs resume bit for bit. */
import { expect, it } from 'vitest';
import { runConfigSchema } from '#contract/run/config.ts';
import { getEnv } from '../../envs/all.ts';
import { createBuffers } from '../../envs/api/buffers.ts';
import { createSession } from '../../run/loaded.ts';
import { play } from '../../testing/play.ts';
import { mortal, outlived, returning } from '../../testing/probes.ts';
import { savedAt } from '../../testing/saved-at.ts';
import { tell, tellLater } from '../../testing/talk-probes.ts';
import { fast, train } from '../../testing/tell.ts';
import { getAlgo } from '../all.ts';
import type { Act } from '../api/types.ts';

it.each([
  ['commnet', tell],
  ['hammer', tell],
  ['dial', tellLater],
] as const)('%s knows nothing while its channel is silent', async (algo, env) => {
  const { evalReturn } = await train(env, algo, 4000, { channel: 'silent' });
  expect(evalReturn).toBeGreaterThan(0.2);
  expect(evalReturn).toBeLessThan(0.8);
});

it('messages drawn at random are no messages', async () => {
  const { evalReturn, ask } = await train(tell, 'hammer', 4000, { channel: 'random' });
  expect(evalReturn).toBeGreaterThan(0.2);
  expect(evalReturn).toBeLessThan(0.8);
  const first = await ask([[1], [0]], [0, 1]);
  expect(first.messages).toHaveLength(2 * 4);
  expect(Array.from(first.messages!).some((x) => x !== 0)).toBe(true);
  // the same words whatever the first one sees, as long as the generator is the same
  expect(Array.from((await ask([[-1], [0]], [0, 1])).messages!)).toEqual(Array.from(first.messages!));
});

it('muting the one who knows takes the other’s choice away, muting the other changes nothing for it', async () => {
  const { ask } = await train(tell, 'commnet', 8000, { rounds: 1 });
  const chance = (act: Act): number => act.logits![3]! - act.logits![2]!; // of the second agent, as log odds
  for (const cue of [1, -1]) {
    const heard = await ask([[cue], [0]], [0, 1]);
    expect(Math.sign(chance(heard))).toBe(cue);
    expect(heard.messages).toHaveLength(2 * 16);
    expect(chance(await ask([[cue], [0]], [0, 1], [0, 1]))).toBe(chance(heard));
  }
  const yes = chance(await ask([[1], [0]], [0, 1], [1, 0]));
  expect(chance(await ask([[-1], [0]], [0, 1], [1, 0]))).toBe(yes);
});

it('an agent asked about alone is one whose mates say nothing', async () => {
  const { ask } = await train(tell, 'commnet', 2000, {});
  const alone = await ask([[0]], [1]);
  const silenced = await ask([[1], [0]], [0, 1], [1, 0]);
  expect(Array.from(alone.logits!)).toEqual(Array.from(silenced.logits!.subarray(2)));
});

it.each([['hammer', { channel: 'random' }]] as const)('%s %j goes on bit for bit after being saved', async (id, settings) => {
  const env = getEnv('mpe-simple-speaker-listener');
  const config = runConfigSchema.parse({
    env: { id: env.id, config: env.parse({}) },
    algo: { id, config: getAlgo(id).parse({ ...fast, width: 8, ...settings }) },
    run: { steps: 1024, evalEpisodes: 3 },
  });
  const finish = async (session: ReturnType<typeof createSession>): Promise<string> => {
    let hash = '';
    for await (const event of session) if (event.kind === 'result') hash = event.result.parameterHash;
    return hash;
  };
  const whole = await finish(createSession({ config, seed: 1, now: () => 0 }));
  expect(whole).toHaveLength(16);
  const resume = await savedAt(createSession({ config, seed: 1, now: () => 0, sliceMs: 0 }), 512);
  expect(await finish(createSession({ config, seed: 1, now: () => 0, resume }))).toBe(whole);
});

it('a deaf listener hears nothing of what the speaker says', () => {
  const env = getEnv('mpe-simple-speaker-listener');
  for (const deaf of [false, true]) {
    const copy = env.create({ deaf }, 1);
    const buffers = createBuffers(copy.meta, 1);
    copy.reset(Uint32Array.of(1), buffers);
    copy.step(Int32Array.of(2, 0), buffers);
    expect(Array.from(buffers.obs.slice(-3))).toEqual(deaf ? [0, 0, 0] : [0, 0, 1]);
  }
});

it.each(['commnet', 'dial', 'hammer'])('%s values nothing after the death of an agent with rewards of its own', async (algo) => {
  const { ask } = await train(mortal, algo, 8000, {});
  const { value } = await ask([[1], [-1]], [0, 1]);
  expect(Math.abs(value![1]! - 1)).toBeLessThan(0.25);
  expect(value![0]!).toBeGreaterThan(8);
});

it.each(['commnet', 'dial', 'hammer'])('%s values what an agent gets when it comes back', async (algo) => {
  const { ask } = await train(returning, algo, 8000, {});
  const { value } = await ask([[1], [-0.5]], [0, 1]);
  expect(Math.abs(value![1]! - (1 + 0.9 ** 3))).toBeLessThan(0.25);
});

it.each(['commnet', 'dial', 'hammer'])('%s standardises the advantages of the living only', async (algo) => {
  const hashWith = async (late: number): Promise<string> => (await play(outlived(late), algo, 1024, fast)).hash;
  expect(await hashWith(5)).toBe(await hashWith(0));
});
