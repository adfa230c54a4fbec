import { describe, expect, it } from 'vitest';
import { createActions, createBuffers } from '../../api/buffers.ts';
import { droneVolleyball } from '../drone-volleyball.ts';

const RALLY = { 1: { 'far side': 'rally' }, 3: { far: 'rally' } };

/** Episodes against the rally in which the near side does what `choose` names, per drone: shares won and lost, mean length. */
function play(config: object, episodes: number, choose: (drone: number) => string) {
  const env = droneVolleyball.create(config, episodes);
  const { meta } = env;
  const skills = droneVolleyball.skills(config)!;
  const buffers = createBuffers(meta, episodes);
  const actions = createActions(meta, episodes);
  const ended = new Uint8Array(episodes);
  const result = { won: 0, lost: 0, steps: 0 };
  env.reset(
    Uint32Array.from({ length: episodes }, (_, i) => i + 1),
    buffers,
  );
  for (let t = 0; ended.includes(0); t++) {
    for (let i = 0; i < episodes * meta.agentCount; i++) {
      const skill = meta.skills!.indexOf(choose(i % meta.agentCount));
      skills.act(skill, buffers.obs, i * meta.obsSize, actions, i * meta.actionSize);
    }
    env.step(actions, buffers);
    for (let b = 0; b < episodes; b++) {
      if (ended[b] === 1 || (buffers.terminated[b] === 0 && buffers.truncated[b] === 0)) continue;
      ended[b] = 1;
      result.steps += (t + 1) / episodes;
      const reward = buffers.reward[b * meta.agentCount]!;
      if (reward > 50) result.won += 1 / episodes;
      if (reward < -50) result.lost += 1 / episodes;
    }
    // A row that has ended goes on from its start, unseen.
    env.restart(
      buffers.terminated.map((over, b) => over | buffers.truncated[b]!),
      buffers,
    );
  }
  return result;
}

describe('skills of a drone', () => {
  it.each([
    { actionType: 'ctbr', seats: RALLY[1] },
    { actionType: 'prt', seats: RALLY[1] },
  ])('one against one with $actionType: returns keep the rally up, attacks win it, waiting loses it', (config) => {
    const returned = play(config, 8, () => 'return middle');
    expect(returned.lost).toBe(0);
    expect(returned.steps).toBeGreaterThan(500);
    for (const where of ['left', 'middle', 'right']) expect(play(config, 8, () => `attack ${where}`).won).toBeGreaterThan(0.8);
    expect(play(config, 8, () => 'hold').lost).toBe(1);
  });

  it('teams: who plays must be chosen; all at once run into each other', () => {
    const config = { teamSize: 3, seats: RALLY[3] };
    // Only the server plays the first ball over; then all three want the next.
    const crowd = play(config, 8, () => 'return middle');
    expect(crowd.won).toBe(0);
    expect(crowd.steps).toBeLessThan(300);
    expect(play(config, 8, () => 'hold').lost).toBe(1);
  });

  it('teams: a drone goes where it is sent', () => {
    const config = { teamSize: 3, startNoise: 0 };
    const env = droneVolleyball.create(config, 1);
    const { obsSize: O, actionSize: D, skills: names } = env.meta;
    const skills = droneVolleyball.skills(config)!;
    const buffers = createBuffers(env.meta, 1);
    const actions = createActions(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    for (let t = 0; t < 40; t++) {
      for (let k = 0; k < 6; k++) skills.act(names!.indexOf(k === 2 ? 'go to the back' : 'hold'), buffers.obs, k * O, actions, k * D);
      env.step(actions, buffers);
    }
    const x = buffers.obs[2 * O]!;
    expect(x).toBeLessThan(5.8); // from 6 m towards 5.4 m
    expect(x).toBeGreaterThan(5.2);
    expect(buffers.obs[0]).toBeGreaterThan(2.8); // the others wait at 3 m
  });

  it('a moment is another once the turn has passed, the ball has been touched or is at its top', () => {
    const env = droneVolleyball.create({}, 1);
    const skills = droneVolleyball.skills({})!;
    const rally = droneVolleyball.policies({}).rally!;
    const buffers = createBuffers(env.meta, 1);
    const actions = createActions(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    const seen: number[] = [];
    for (let t = 0; t < 150; t++) {
      const moment = skills.moment(buffers.obs, 0);
      if (moment !== seen.at(-1)) seen.push(moment);
      rally.act(env, buffers, actions);
      env.step(actions, buffers);
    }
    expect(seen).toEqual([3, 6, 2, 7, 3, 6]); // mine and falling; theirs, rising; theirs, falling; mine, rising; mine, falling ..
  });

  it('stay with their seats: the far side performs them in its own view', () => {
    const config = { seats: { 'near side': 'rally' } };
    const result = play(config, 4, () => 'hold');
    expect(result.won).toBe(0);
    expect(result.steps).toBeLessThan(1000);
  });
});
