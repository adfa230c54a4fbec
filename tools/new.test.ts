/** `npm run new`: what it would write, and what it refuses. That the code itself works is the business of the walk-through tests. */
import { expect, test } from 'vitest';
import { plan } from './new.mjs';

const imports = (index: string): readonly string[] =>
  [...index.matchAll(/^import \{ \w+ \} from '(\.\/(?!api)[^']+)';$/gm)].map((match) => match[1] ?? '');

test('an algorithm: its file with id, name and title of its own, one line in its family', () => {
  const files = plan('algo', 'natural-gradient');
  expect([...files.keys()]).toEqual(['src/core/algos/on-policy/natural-gradient.ts', 'src/core/algos/index.ts']);
  const code = files.get('src/core/algos/on-policy/natural-gradient.ts') ?? '';
  expect(code).toContain("id: 'natural-gradient',");
  expect(code).toContain('export const naturalGradient = defineAlgo');
  expect(code).toContain("title: 'Natural gradient',");
  expect(code).not.toMatch(/policy-gradient|policyGradient/);
  const index = files.get('src/core/algos/index.ts') ?? '';
  const line = "'natural-gradient': async () => (await import('./on-policy/natural-gradient.ts')).naturalGradient,";
  const [list] = /algos: \{[^}]*on-policy\/ppo\.ts[^}]*\}/.exec(index) ?? ['']; // the first list with a member of that folder
  expect(list.trimEnd()).toMatch(/naturalGradient,\s*\}$/);
  expect(list).toContain(line);
});

test('an environment comes with its test; a new family gets a folder and a list', () => {
  const files = plan('env', 'icy-lake', { family: 'winter', isNew: true });
  expect([...files.keys()]).toEqual([
    'src/core/envs/winter/icy-lake.ts',
    'src/core/envs/winter/icy-lake.test.ts',
    'src/core/envs/index.ts',
  ]);
  expect(files.get('src/core/envs/winter/icy-lake.test.ts')).toContain("from './icy-lake.ts'");
  expect(files.get('src/core/envs/index.ts')).toContain(
    "{ title: 'Winter', envs: { 'icy-lake': async () => (await import('./winter/icy-lake.ts')).icyLake, } },",
  );
});

test('--like copies a member: its own id, title and exported name, in its first version, without the changes of the other', () => {
  const files = plan('algo', 'boltzmann-q', { like: 'q-learning' });
  expect([...files.keys()]).toEqual(['src/core/algos/tabular/boltzmann-q.ts', 'src/core/algos/index.ts']);
  const code = files.get('src/core/algos/tabular/boltzmann-q.ts') ?? '';
  expect(code).toMatch(/^\/\*\*\n \* Boltzmann q: a copy of q-learning\.ts\. Write here/);
  expect(code).toMatch(/id: 'boltzmann-q',\s*version: 1,\s*title: 'Boltzmann q',/);
  expect(code).not.toMatch(/changes:|'q-learning'|\bqLearning\b/);
  expect(code.match(/^export .*/gm)).toEqual(['export const boltzmannQ = tabularMethod(']);
  const lake = plan('env', 'ice-lake', { like: 'frozen-lake' }).get('src/core/envs/tabular/ice-lake.ts');
  expect(lake).toContain("title: 'Ice lake',");
  expect(lake).not.toContain("title: 'Frozen lake'");
});

test('a family without --like: its shortest member; another folder reaches what the copied one stands beside', () => {
  const files = plan('env', 'warm-lake', { family: 'bsuite' });
  expect([...files.keys()]).toEqual(['src/core/envs/bsuite/warm-lake.ts', 'src/core/envs/index.ts']);
  expect(files.get('src/core/envs/bsuite/warm-lake.ts')).toMatch(/a copy of [\w-]+\.ts/);
  const moved = plan('algo', 'boltzmann-q', { like: 'q-learning', family: 'bandits' }).get('src/core/algos/bandits/boltzmann-q.ts');
  expect(moved).toContain("from '../tabular/lib/td.ts'");
  expect(() => plan('algo', 'x-y', { like: 'no-such' })).toThrow(/has no no-such to copy/);
  expect(() => plan('explainer', 'x-y', { like: 'features' })).toThrow(/--like is for/);
});

test('an explainer has no family: one file, one import in its place, the last of the list', () => {
  const files = plan('explainer', 'sum-of-parts');
  expect([...files.keys()]).toEqual(['src/core/explain/sum-of-parts.ts', 'src/core/explain/index.ts']);
  const code = files.get('src/core/explain/sum-of-parts.ts') ?? '';
  expect(code).toContain('export const sumOfParts = defineExplainer');
  expect(code).toContain("ref: { id: 'sum-of-parts' },");
  expect(code).toContain("title: 'Sum of parts',");
  const index = files.get('src/core/explain/index.ts') ?? '';
  expect(imports(index)).toEqual(imports(index).toSorted());
  expect(index).toContain("import { sumOfParts } from './sum-of-parts.ts';");
  expect(index).toMatch(/,\n {2}sumOfParts,\n\];/);
});

test('a paper takes its number and title from the list', () => {
  const files = plan('paper', 'p044-frontier');
  const code = files.get('src/claims/papers/p044-frontier.ts') ?? '';
  expect(code).toContain("id: 'P044',");
  expect(code).toContain('export const frontier = definePaper');
  const index = files.get('src/claims/papers/index.ts') ?? '';
  expect(imports(index)).toEqual(imports(index).toSorted());
  expect(index).toMatch(/const papers[^;]*\blearnToFollow,\s*frontier,/); // by number
});

test('an experiment is a benchmark until it has a rule', () => {
  const files = plan('experiment', 'ppo-lake');
  const card = files.get('src/claims/experiments/ppo-lake.ts') ?? '';
  expect(card).toContain("id: 'ppo-lake',");
  expect(card).toContain("kind: 'benchmark',");
  expect(card).not.toMatch(/suite|expect:/);
  expect(files.get('src/claims/experiments/index.ts')).toMatch(/,\n {2}ppoLake,\n\];/);
});

test('says what cannot be', () => {
  expect(() => plan('algo', 'ppo')).toThrow(/index.ts has ppo already/);
  expect(() => plan('algo', 'My_Algo')).toThrow(/lower-case words/);
  expect(() => plan('robot', 'x')).toThrow(/There is no "robot"/);
  expect(() => plan('env', 'x-y', { family: '../up' })).toThrow(/folder name/);
  expect(() => plan('explainer', 'x-y', { family: 'values' })).toThrow(/has no family/);
  expect(() => plan('env', 'x-y', { family: 'grid' })).toThrow(/no family "grid": use one of .*\bgrids\b.*--new-family/);
  expect(() => plan('env', 'x-y', { family: 'grids', isNew: true })).toThrow(/there already/);
  expect(() => plan('paper', 'p999-none')).toThrow(/number in src\/claims\/list.json/);
  expect(() => plan('paper', 'p033-again')).toThrow(/P033 is built already: src\/claims\/papers\/p033-mansa.ts/);
  expect(() => plan('explainer', 'config')).toThrow(/uses the name config itself/);
  expect(() => plan('algo', 'class')).toThrow(/uses the name class itself/);
});
