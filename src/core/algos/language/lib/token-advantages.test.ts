import { expect, it } from 'vitest';
import { getEnv } from '#core/envs/all.ts';
import { sampleAnswers } from '#core/run/answers.ts';
import { begun } from '#core/testing/trained.ts';
import { Rng } from '#math/rng.ts';
import { createWasmEngine } from '../../../engine/wasm/engine.ts';
import { createVectorEnv } from '../../../envs/api/vector-env.ts';
import { loadGroups } from '../../../state/params.ts';
import { estimate, tokenPpo } from '../token-ppo.ts';
import { linePrograms } from './packing.ts';
import { compileCritic, tokenNetwork, valueHead } from './programs.ts';
import { createCollector } from './rollouts.ts';
import { weighTokens } from './token-advantages.ts';

const ROWS = 8;
const SMALL = { rows: ROWS, minibatches: 1, width: 16, layers: 1, heads: 2, cloneSteps: 4, lr: 0.01, gamma: 0.9, lambda: 0.8 };

/** What a short run ended with; its episodes to one start as the learner collects them, and the advantages it gives their tokens. */
async function learned(id: string, envConfig: object, critic: 'token' | 'turn') {
  const entry = getEnv(id);
  const run = begun({ algo: tokenPpo, env: entry, envConfig: { ...envConfig }, config: { ...SMALL, critic }, steps: 900 });
  let saved: Parameters<typeof tokenPpo.policy>[1] | undefined;
  for await (const point of run.training) saved = await point.snapshot();
  if (saved === undefined) throw new Error('nothing was trained');
  await run.end();
  const config = tokenPpo.parse({ ...SMALL, critic });
  const meta = entry.meta(run.envConfig);
  const policy = await tokenPpo.policy(
    { config, meta, envEntry: entry, envConfig: run.envConfig, makeEngine: () => createWasmEngine() },
    saved,
  );

  const engine = await createWasmEngine();
  const net = tokenNetwork(engine, 'policy', meta, SMALL, Rng.from(0));
  const actorCritic = { ...net, value: valueHead(net.group, net.shape) };
  loadGroups(engine, { net: net.group }, saved);
  const places = net.shape.context;
  const turns = meta.tokens?.rows ?? 1;
  const env = createVectorEnv(entry, run.envConfig, ROWS, Rng.from(7));
  env.reset();
  const { last, collect } = createCollector(env, { group: ROWS, seeds: Rng.from(9), turns });
  const { novice, expert } = entry.policies(run.envConfig);
  const written: number[][] = Array.from({ length: ROWS }, () => []);
  let start: Uint8Array | null = null;
  const wanted = new Int32Array(ROWS);
  await collect((playing, actions) => {
    start ??= env.env.save(0);
    novice!.act(env.env, env.buffers, actions);
    expert!.act(env.env, env.buffers, wanted);
    (actions as Int32Array).set(wanted.subarray(0, ROWS / 2)); // half of them are right
    for (let row = 0; row < ROWS; row++) if (playing.rows[row] === 1) written[row]!.push(actions[row]!);
  });
  const lines = ROWS * turns;
  const each = () => new Float32Array(lines * (places - 1));
  const program = linePrograms(engine, lines, places - 1, (of) => compileCritic(engine, actorCritic, of)).holding(last, lines, (k) => k);
  await program.run();
  const out = { advantages: each(), returns: each(), valued: each() };
  estimate(last, { turns, places, perTurn: critic === 'turn', gamma: 0.9, lambda: 0.8 }, program.out.value.slice(), out);
  const advantages = Array.from({ length: ROWS }, (_, row) => {
    const own: number[] = [];
    for (let line = row * turns; line < (row + 1) * turns; line++)
      for (let t = 0; t < places - 1; t++)
        if (last.written[line * places + t + 1] === 1) own.push(out.advantages[line * (places - 1) + t]!);
    return own;
  });
  const asked = { start, groups: 1, size: ROWS, seed: 1, written };
  const shown = async (c: object) => {
    const weigh = (sampled: Parameters<NonNullable<typeof tokenPpo.weigh>>[1]) => tokenPpo.weigh!({ ...config, ...c }, sampled);
    const [group] = await sampleAnswers(policy, entry, run.envConfig, { ...asked, weigh });
    return group!;
  };
  return { shown, advantages };
}

it.each([
  ['a token each', 't-reason', { length: 4, letters: 6 }, 'token'],
  ['over replies, a turn each', 't-turns', {}, 'turn'],
  ['rows that begin anew', 't-steps', { task: 'exchange', numbers: 5, steps: 4 }, 'turn'],
] as const)('tokens of an answer are shown with the advantages that the learner gives them: %s', async (_, id, envConfig, critic) => {
  const { shown, advantages } = await learned(id, envConfig, critic);
  const group = await shown({});
  expect(group.comparison).toBe('tokens');
  let [compared, largest] = [0, 0];
  group.answers.forEach((answer, row) => {
    const own = answer.tokens.filter(({ written }) => written).map(({ advantage }) => advantage ?? Number.NaN);
    expect(own).toHaveLength(advantages[row]!.length);
    own.forEach((advantage, place) => {
      expect(Math.abs(advantage - advantages[row]![place]!)).toBeLessThan(1e-5);
      largest = Math.max(largest, Math.abs(advantage));
      compared++;
    });
    expect(answer.advantage).toBeCloseTo(own.reduce((a, b) => a + b, 0) / own.length, 9);
    expect(answer.tokens.every(({ written, advantage }) => written || advantage === undefined)).toBe(true);
  });
  expect(compared).toBeGreaterThan(2 * ROWS);
  expect(largest).toBeGreaterThan(0.1);
  // another lambda is another answer: the run's own settings are used
  expect((await shown({ lambda: 0 })).answers).not.toEqual(group.answers);
});

it('by hand: a reward at the end, and values that rise towards it', () => {
  const sampled = { size: 1, rewards: [1], solved: [1], lengths: [3], longest: 5, paid: [[0, 0, 1]], values: [[0.25, 0.5, 0.5]] };
  const of = (c: object) => weighTokens({ gamma: 1, lambda: 0, critic: 'token', ...c }, { ...sampled, turns: [TURNS] });
  expect(of({}).tokens).toEqual([[0.25, 0, 0.5]]);
  expect(of({}).advantages).toEqual([0.25]);
  expect(of({ lambda: 1 }).tokens).toEqual([[0.75, 0.5, 0.5]]);
  expect(of({ critic: 'turn' }).tokens).toEqual([[0.25, 0.25, 0.5]]);
});
const TURNS = [
  { reward: 0, tokens: 2 },
  { reward: 1, tokens: 1 },
];
