/**
 * Grids in which what is needed has to be remembered: T-maze (grids/lib/memory/t-maze.ts), endless T-maze (grids/lib/memory/endless.ts), hidden objects
 * (grids/lib/memory/hidden-object.ts), ballet (grids/lib/memory/ballet.ts). Each file states observation, reward, end and source.
 */
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows } from '../api/state.ts';
import type { EnvMeta } from '../api/types.ts';
import { ballet } from './lib/memory/ballet.ts';
import { type MemoryConfig, type MemoryTask, memoryConfig } from './lib/memory/config.ts';
import { endlessTMaze } from './lib/memory/endless.ts';
import { hiddenObject } from './lib/memory/hidden-object.ts';
import { MEMORY_RETURNS } from './lib/memory/returns.ts';
import { tMaze } from './lib/memory/t-maze.ts';

const MAKERS = { 't-maze': tMaze, 'endless-t-maze': endlessTMaze, 'hidden-object': hiddenObject, ballet } as const;

const PRESETS = [
  { id: 't-maze', title: 'T-maze', config: {} },
  { id: 't-maze-50', title: 'T-maze, long', config: { length: 50 } },
  { id: 't-maze-noise', title: 'T-maze, noisy corridor', config: { noise: true } },
  { id: 't-maze-rewrite', title: 'T-maze, the cue may change', config: { rewriteRate: 0.2 } },
  { id: 'endless', title: 'endless T-maze', config: { task: 'endless-t-maze', rewriteRate: 1 } },
  {
    id: 'endless-random',
    title: 'endless T-maze, random corridors',
    config: { task: 'endless-t-maze', rewriteRate: 1, randomLength: true },
  },
  { id: 'endless-half', title: 'endless T-maze, half of the cues new', config: { task: 'endless-t-maze', rewriteRate: 0.5 } },
  { id: 'object', title: 'hidden object', config: { task: 'hidden-object', objects: 1, phases: 1 } },
  { id: 'objects', title: 'hidden objects that move', config: { task: 'hidden-object', rewriteRate: 0.1 } },
  {
    id: 'objects-places',
    title: 'hidden objects, colours not shown again',
    config: { task: 'hidden-object', rewriteRate: 0.1, fullUpdates: false },
  },
  { id: 'ballet-2', title: 'ballet, 2 dancers', config: { task: 'ballet' } },
  { id: 'ballet-8', title: 'ballet, 8 dancers, long pauses', config: { task: 'ballet', dancers: 8, delay: 48 } },
];
const TEXTS = PRESETS.map(({ config }) => JSON.stringify(memoryConfig.parse(config)));

function taskOf(c: MemoryConfig): MemoryTask {
  return MAKERS[c.task](c);
}

function meta(c: MemoryConfig): EnvMeta {
  const task = taskOf(c);
  const preset = PRESETS[TEXTS.indexOf(JSON.stringify(c))];
  const measured = preset === undefined ? undefined : MEMORY_RETURNS[preset.id];
  return soloMeta({
    id: 'gridworld-memory',
    agent: 'walker',
    obs: task.obs,
    action: task.action,
    gamma: task.gamma,
    maxSteps: task.maxSteps,
    evalMaxSteps: task.maxSteps,
    state: task.state,
    frame: task.frame,
    references: [
      ...(measured === undefined
        ? []
        : [
            { name: 'random', value: measured.random, source: 'uniform actions, measured over 1,000 episodes' },
            { name: 'expert', value: measured.expert, source: 'scripted policy "expert", which remembers, measured over 1,000 episodes' },
          ]),
      ...task.references,
    ],
    keys: task.keys,
    idleAction: task.idleAction,
    fps: 6,
  });
}

export const gridworldMemory = defineEnv<MemoryConfig>({
  spec: {
    id: 'gridworld-memory',
    version: 1,
    title: 'Memory grids',
    summary: 'Remember a cue, an object or a dance, and forget what no longer holds.',
    source: {
      title:
        'Memory retention is not enough to master memory tasks in reinforcement learning; T-maze: Bakker 2002; ballet: Lampinen et al. 2021',
      authors: 'Shchendrigin et al.',
      year: 2026,
      url: 'https://arxiv.org/abs/2601.15086',
    },
    config: memoryConfig,
    recommended: { algo: 'recurrent-ppo', preset: 'memory', steps: 300_000 },
    presets: PRESETS,
    meta,
  },
  create(c, batch, options) {
    const complete = meta(c);
    const rows = allocateRows(complete.state, batch);
    return assemble(complete, batch, rows, taskOf(c).core(rows, new Draws(rows.rng, options?.draws), batch));
  },
  policies: { expert: (c) => taskOf(c).expert() },
});
