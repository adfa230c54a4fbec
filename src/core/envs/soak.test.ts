/** Random play of every environment with every property checked, a fixed number of steps each (`npm run soak`: a million agent-steps). */
import { expect, it } from 'vitest';
import { envs } from '../testing/ready.ts';
import { createSoak } from '../testing/soak.ts';

const AGENT_STEPS = 3000;
/** Long enough for a state to go through bytes and JSON and back on the way. */
const LEAST_STEPS = 1000;
/** Bodies with joints are slow: one row of each. */
const batchFor = (id: string, agents: number): number => (id.startsWith('mujoco-') ? 1 : Math.max(1, Math.min(3, Math.floor(64 / agents))));

/** Bodies of many joints take ten times as long as the others: at night, and `npm run soak`. */
const LARGE = ['mujoco-humanoid', 'mujoco-humanoid-standup'];

it.each(envs.map((entry) => ({ name: `${LARGE.includes(entry.id) ? '@night ' : ''}${entry.id}`, entry })))(
  '$name keeps its promises',
  ({ entry }) => {
    const agents = entry.meta({}).agentCount;
    const batch = batchFor(entry.id, agents);
    const soak = createSoak(entry, {}, batch, 7);
    const row = batch * agents;
    const steps = Math.max(LEAST_STEPS, Math.ceil(AGENT_STEPS / row));
    soak.run(steps);
    expect(soak.agentSteps).toBe(steps * row);
    expect(soak.roundTrips).toBe(Math.floor((steps + 1) / 997));
  },
  120_000,
);
