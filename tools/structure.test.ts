/** The measure of tools/structure.mjs on a small house of its own: what it counts, and what it calls growth. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { measure, violations } from './structure.mjs';

const ROOT = 'node_modules/.cache/rl-workbench/structure';
const files: { readonly [path: string]: string } = {
  'package.json': '{ "imports": { "#math/*": "./src/math/*" } }',
  'src/math/one.ts': '/** Comment. */\nexport const one = 1;\n\n// more\nexport const two = [1][0] as number;\n',
  'src/core/algos/api/types.ts': "import { far } from '../lib/far.ts';\nexport type T = typeof far;\n",
  'src/core/algos/lib/near.ts': "import type { T } from '../api/types.ts';\nimport { far } from './far.ts';\nexport const near: T = far;\n",
  'src/core/algos/lib/far.ts': "import { one } from '#math/one.ts';\nexport const far = [one][0]! + new Map([[1, 1]]).get(1)!;\n",
  'src/core/algos/value/a.ts':
    "import { near } from '../lib/near.ts';\nimport type { b } from './b.ts';\nexport const a: typeof b = near;\n",
  'src/core/algos/value/b.ts': "import { T } from '../api/types.ts';\nexport const b: T = 1;\n",
  'src/core/algos/value/b.test.ts': "import { b } from './b.ts';\nexport const c = b!;\n",
  'src/ui/kit/low.ts': "import { high } from '../shell/high.ts';\nexport const low = high;\n",
  'src/ui/shell/high.ts': "import type { low } from '../kit/low.ts';\nexport const high: typeof low = 1;\n",
  'src/core/algos/index.ts': "import { a } from './value/a.ts';\nimport { b } from './value/b.ts';\nexport default [a, b];\n",
};

beforeAll(() => {
  rmSync(ROOT, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
  }
});

test('files by imports of values, api/ left out; lines without comments; casts by kind; arrows by rooms', () => {
  const found = measure(ROOT);
  expect(found.files.algos).toEqual({ a: 3, b: 1 });
  expect(found.rooms['src/math']).toBe(2);
  expect(found.casts).toEqual({ reads: 1, readsAsNumber: 1, others: 1 });
  expect(found.upward).toEqual({ 'src/core/algos/api -> src/core/algos/lib': 1, 'src/ui/kit -> src/ui/shell': 1 });
});

test('what passes a limit is named, what meets it is not', () => {
  const found = measure(ROOT);
  const limits = { files: { algos: 3, envs: 0, explain: 0 }, casts: { others: 1 } };
  const upward = ['src/core/algos/api -> src/core/algos/lib', 'src/ui/kit -> src/ui/shell'].map((arrow) => `${arrow}: 1 imports upwards`);
  expect(violations(found, limits)).toEqual(upward);
  const tighter = { files: { algos: 2, envs: 0, explain: 0 }, casts: { others: 0 } };
  expect(violations(found, tighter)).toEqual(['method a reaches 3 files of its room, at most 2', ...upward, '1 casts (others), at most 0']);
});
