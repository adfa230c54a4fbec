/** A million random agent-steps of every environment, or as many as five seconds allow, with every property checked (npm run soak: all of them). */
import { expect, it } from 'vitest';
import { createSoak } from '../testing/soak.ts';
import { envs } from './index.ts';

const AGENT_STEPS = 1_000_000;
const MILLISECONDS = 5000;
const BATCH = 8;

it.each(envs.map((entry) => ({ name: entry.id, entry })))(
  '$name keeps its promises',
  ({ entry }) => {
    const soak = createSoak(entry, {}, BATCH, 7);
    const end = performance.now() + MILLISECONDS;
    // A slice is small enough to end in time and takes a slow environment through its first episodes at least.
    do soak.run(50);
    while (soak.agentSteps < AGENT_STEPS && performance.now() < end);
    expect(soak.agentSteps).toBeGreaterThan(0);
  },
  120_000,
);
