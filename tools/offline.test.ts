import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LATE, lateFiles, offlineList } from './offline.ts';

const chunk = (fileName: string, moduleId: string, isEntry = false, imports: readonly string[] = []) => ({
  fileName,
  moduleIds: [moduleId],
  isEntry,
  imports,
});

test('large parts come at their first use; what the page begins with does not, whatever is in it', () => {
  const late = lateFiles([
    chunk('assets/dist-a.js', '/x/node_modules/@tensorflow/tfjs-core/dist/index.js'),
    chunk('assets/sandbox-b.js', '\0virtual:sandbox'),
    chunk('assets/ppo-c.js', '/x/src/core/algos/on-policy/ppo.ts'),
    chunk('assets/session.worker-d.js', '/x/node_modules/@tensorflow/tfjs-core/dist/index.js', true),
  ]);
  const kept = ['assets/ppo-c.js', 'assets/session.worker-d.js', 'index.html', 'icon.svg'];
  const later = [
    'assets/dist-a.js',
    'assets/sandbox-b.js',
    'assets/mujoco-12345678.wasm',
    'results/papers/p001.json',
    'pictures/cartpole.webp',
  ];
  expect(kept.filter(late)).toEqual([]);
  expect(later.filter((url) => !late(url))).toEqual([]);
});

test('what a worker imports before it runs is kept with it, and what that imports', () => {
  const tfjs = '/x/node_modules/@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm?url';
  const late = lateFiles([
    chunk('assets/session.worker-a.js', '/x/workers/session.worker.ts', true, ['assets/first-b.js']),
    chunk('assets/first-b.js', '/x/src/core/envs/index.ts', false, ['assets/packages-c.js']),
    chunk('assets/packages-c.js', tfjs),
    chunk('assets/tensors-d.js', tfjs),
  ]);
  expect(['assets/first-b.js', 'assets/packages-c.js'].filter(late)).toEqual([]);
  expect(late('assets/tensors-d.js')).toBe(true);
});

test('what a training asks for in an environment whose code comes late, and of its worker alone', () => {
  const worker = (name: string, ask: readonly string[]) => ({
    ...chunk(`assets/${name}.worker-a.js`, `/x/workers/${name}.worker.ts`, true),
    dynamicImports: ask,
  });
  const { training, playing } = offlineList(
    [],
    [
      worker('session', ['assets/mujoco-ant-s.js', 'assets/lake-s.js']),
      worker('watch', ['assets/mujoco-ant-w.js']),
      chunk('assets/mujoco-ant-s.js', '/x/src/core/envs/mujoco/mujoco-ant.ts', false, ['assets/rules-s.js', 'assets/session.worker-a.js']),
      chunk('assets/mujoco-ant-w.js', '/x/src/core/envs/mujoco/mujoco-ant.ts', false, ['assets/rules-w.js']),
      chunk('assets/rules-s.js', '/x/src/core/envs/mujoco/lib/rules.ts'),
      chunk('assets/rules-w.js', '/x/src/core/envs/mujoco/lib/rules.ts'),
      chunk('assets/lake-s.js', '/x/src/core/envs/grids/lake.ts'),
    ],
  );
  expect(training).toEqual({ 'mujoco-ant': ['assets/mujoco-ant-s.js', 'assets/rules-s.js'] });
  expect(playing).toEqual({ 'mujoco-ant': ['assets/mujoco-ant-w.js', 'assets/rules-w.js'] });
});

test('a thing that is kept by itself brings its views, and its texts in the language of the page', () => {
  const { parts } = offlineList(
    [],
    [
      chunk('assets/explain-a.js', '/x/src/core/explain/index.ts', false, ['assets/saliency-b.js', 'assets/kit-c.js']),
      chunk('assets/saliency-b.js', '/x/node_modules/recharts/index.js'),
      chunk('assets/kit-c.js', '/x/src/ui/kit/Button.tsx'),
      chunk('assets/de-d.js', '/x/src/text/catalogues/lessons/de.po'),
      chunk('assets/paper-e.js', '/x/src/ui/claims/PaperPage.tsx'),
      chunk('assets/sandbox-f.js', '\0virtual:sandbox'),
    ],
  );
  expect(parts).toEqual({
    explainers: ['assets/explain-a.js', 'assets/saliency-b.js'],
    'lessons/de': ['assets/de-d.js'],
    paper: ['assets/paper-e.js'],
    code: ['assets/sandbox-f.js'],
  });
});

test('what is kept at its first use only is there: a file that moved would be kept at the first visit', () => {
  const own = LATE.filter((part) => part.startsWith('/src/'));
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter((part) => !existsSync(new URL(`..${part}`, import.meta.url)))).toEqual([]);
});
