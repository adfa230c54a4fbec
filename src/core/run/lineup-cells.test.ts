/** Cells that agents go to: sent there from the picture, told in the picture, kept in the replay. */
import { expect, it } from 'vitest';
import { frameSize, isGrid, placesOf } from '#contract/game/frames.ts';
import type { Policy } from '../algos/api/types.ts';
import { getEnv } from '../envs/all.ts';
import { createBuffers } from '../envs/api/buffers.ts';
import { Lineup } from './lineup.ts';
import { playLineup } from './replay.ts';

/** Stays where it is, turning where it can, and goes to the offset that it was sent to. */
const sent: Policy = {
  extras: [{ id: 'to', kind: 'place', title: 'to', description: '', labels: ['right', 'ahead'] }],
  initial: (rows) => new Float32Array(2 * rows),
  aim(hidden, row, right, ahead) {
    hidden.set([right, ahead], 2 * row);
  },
  act: ({ rows, hidden }) => ({ actions: new Int32Array(rows), hidden, extras: { to: hidden.slice() } }),
  dispose() {},
};

it.each(['minigrid-doorkey', 'level-based-foraging'])(
  '%s: a cell of the picture is where the agent is sent, whichever way it looks',
  async (id) => {
    const entry = getEnv(id);
    const env = entry.create({}, 1);
    const { frame, agentCount } = env.meta;
    if (!isGrid(frame)) throw new Error('a grid');
    const buffers = createBuffers(env.meta, 1);
    const looked = new Set<number>();
    for (let seed = 0; seed < 12; seed++) {
      env.reset(Uint32Array.of(seed), buffers);
      const shown = new Float32Array(frameSize(frame));
      env.frame(0, shown);
      looked.add(shown[placesOf(frame)!.column(0) + 2]!);
      const lineup = new Lineup(new Array(agentCount).fill({ kind: 'policy', policy: sent }), { seed: 1, greedy: true });
      for (let agent = 0; agent < agentCount; agent++) expect(lineup.aim(env, agent, 2 + agent, 3)).toBe(true);
      await lineup.act(env, buffers, new Int32Array(agentCount));
      expect([...lineup.cells!]).toEqual(Array.from({ length: agentCount }, (_, a) => 3 * frame.width + 2 + a));
    }
    expect(looked.size).toBe(frame.headings ? 4 : 1);
  },
);

it('a replay keeps them, one for each agent and step', async () => {
  const entry = getEnv('level-based-foraging');
  const lineup = new Lineup(new Array(2).fill({ kind: 'policy', policy: sent }), { seed: 1, greedy: true });
  const replay = await playLineup(lineup, entry, entry.parse({}), 3);
  expect(replay.cells).toHaveLength(replay.reward.length);
});
