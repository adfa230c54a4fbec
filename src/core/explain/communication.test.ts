/** The inspector of messages tells the truth about teams whose messages are known to matter. */
import { expect, it } from 'vitest';
import type { Policy } from '../algos/api/types.ts';
import { randomPolicy } from '../algos/lib/random-policy.ts';
import { getEnv } from '../envs/all.ts';
import { createBuffers } from '../envs/api/buffers.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { tell, tellLater } from '../testing/talk-probes.ts';
import { train } from '../testing/tell.ts';
import { channelValue } from './channel-value.ts';
import { messagesAt } from './communication.ts';

/** Frame t of an episode in which all agents do action 0. */
function moments(env: EnvEntry, seed: number) {
  const copy = env.create({}, 1);
  const buffers = createBuffers(copy.meta, 1);
  return {
    meta: copy.meta,
    at(t: number) {
      copy.reset(Uint32Array.of(seed), buffers);
      for (let s = 0; s < t; s++) copy.step(new Int32Array(copy.meta.agentCount), buffers);
      return buffers;
    },
  };
}

it('who knows moves who does not, and not the other way round', async () => {
  const { policy } = await train(tell, 'commnet', 8000, { rounds: 1 });
  const talk = await messagesAt(policy, { ...moments(tell, 3), t: 0 });
  expect(talk).toMatchObject({ kind: 'peer', size: 16 });
  const [, forward, back] = talk!.influence;
  expect(forward).toBeGreaterThan(0.5);
  expect(back).toBeLessThan(0.2 * forward!);
  expect(talk!.influenceOfAll[1]).toBeCloseTo(forward!, 6); // there is nobody else to be unheard
});

it('what was said in the step before is carried to the frame that is asked about', async () => {
  const { policy } = await train(tellLater, 'dial', 20_000, {});
  const chosen = new Set<number>();
  let most = 0; // a deaf listener does one of the two by habit: only the other cue changes its mind
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const talk = await messagesAt(policy, { ...moments(tellLater, seed), t: 1 });
    most = Math.max(most, talk!.influence[1]!);
    expect(Array.from(talk!.messages).every((bit) => Math.abs(bit) === 1)).toBe(true);
    chosen.add(talk!.actions[1]!);
  }
  expect(most).toBeGreaterThan(0.5);
  expect(chosen.size).toBe(2); // it did what it was told, which differs
});

it('a messenger tells the one who needs it', async () => {
  const { policy } = await train(tell, 'hammer', 8000, {});
  let most = 0;
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const talk = await messagesAt(policy, { ...moments(tell, seed), t: 0 });
    expect(talk).toMatchObject({ kind: 'central', size: 4 });
    expect(talk!.influence).toHaveLength(0); // nobody says anything to anybody else
    most = Math.max(most, talk!.influenceOfAll[1]!);
  }
  expect(most).toBeGreaterThan(0.5);
});

it('a muted team is worth what guessing is worth', async () => {
  const { policy } = await train(tell, 'hammer', 8000, {});
  const { withMessages, muted, halfWidth } = await channelValue(policy, tell, {}, 100);
  expect(withMessages).toBe(1);
  expect(muted).toBeLessThan(0.7);
  expect(withMessages - muted).toBeGreaterThan(halfWidth);
});

it('symbols that agents say as actions are messages too', async () => {
  const env = getEnv('mpe-simple-speaker-listener');
  const meta = env.meta({});
  const hear = meta.obsSize - 3;
  /** The listener goes left if it heard the second symbol. */
  const policy: Policy = {
    initial: () => new Float32Array(0),
    act: ({ obs, rows }) => {
      const logits = new Float32Array(rows * 5);
      for (let row = 1; row < rows; row += 2) logits[row * 5 + 1] = 4 * obs[row * meta.obsSize + hear + 1]!;
      return {
        actions: Int32Array.from({ length: rows }, (_, row) => (logits[row * 5 + 1]! > 0 ? 1 : 0)),
        hidden: new Float32Array(0),
        logits,
      };
    },
    dispose() {},
  };
  const buffers = createBuffers(meta, 1);
  buffers.obs[meta.obsSize + hear + 1] = 1;
  const talk = await messagesAt(policy, { meta, t: 0, at: () => buffers });
  expect(talk).toMatchObject({ kind: 'environment', size: 3 });
  expect(Array.from(talk!.messages)).toEqual([Number.NaN, Number.NaN, Number.NaN, 0, 1, 0]);
  expect(talk!.influenceOfAll[0]).toBe(0);
  expect(talk!.influenceOfAll[1]).toBeGreaterThan(1);
  expect([talk!.actions[1], talk!.actionsMuted[1]]).toEqual([1, 0]);
});

it('policies without words say nothing', async () => {
  const random = randomPolicy(tell.meta({}));
  expect(await messagesAt(random, { ...moments(tell, 1), t: 0 })).toBeNull();
});
