/** Every registered environment, as its file declares it: config, spaces, batches, saved states, resets. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { envSuite } from '../testing/env-suite.ts';
import { envs } from '../testing/ready.ts';
import { getEnv } from './all.ts';

describe('the registry', () => {
  it('is sorted, without doubles, each in a file of its name', () => {
    const ids = envs.map((e) => e.id);
    expect(ids).toEqual([...new Set(ids)].sort());
    const worlds = readdirSync('src/core/envs', { recursive: true, encoding: 'utf8' }).flatMap(
      (file) => /^(?!api|lib)[\w-]+[\\/]([\w-]+)\.ts$/.exec(file)?.[1] ?? [],
    );
    for (const id of ids) expect(worlds).toContain(id);
  });

  it('places the agent elsewhere in the worlds whose visits are counted', () => {
    const counted = envs.map((entry) => entry.create({}, 1)).filter((env) => env.cellOf !== undefined);
    expect(counted.filter((env) => env.placements !== undefined).length).toBeGreaterThanOrEqual(41);
  });

  it('names what there is when asked for something else', () => {
    expect(() => getEnv('no-such-world')).toThrow(/cartpole/);
  });
});

/** Slow bodies whose rules and joints are those of another one here. */
const AT_NIGHT = ['mujoco-humanoid-standup'];
for (const entry of envs) {
  if (AT_NIGHT.includes(entry.id)) describe('@night', () => envSuite(entry));
  else envSuite(entry);
}
