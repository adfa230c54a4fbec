/** `npm run new -- page|panel|lesson`: what it would write, what it refuses, and that it type-checks and passes its own tests in a copy of the sources. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { plan } from './new.mjs';

/** Lines of a list after the command that it did not have before. */
function added(path: string, after: string | undefined): readonly string[] {
  const before = new Set(readFileSync(path, 'utf8').split('\n'));
  return (after ?? '').split('\n').filter((line) => !before.has(line));
}

test('a page: a folder in the room of its door, one line among the pages of that door', () => {
  const files = plan('page', 'ledger', { door: 'papers' });
  expect([...files.keys()]).toEqual([
    'src/ui/claims/ledger/ledger.page.tsx',
    'src/ui/claims/ledger/ledger.ts',
    'src/ui/claims/ledger/Ledger.module.css',
    'src/ui/claims/ledger/ledger.test.tsx',
    'src/stores/pages.ts',
  ]);
  expect(added('src/stores/pages.ts', files.get('src/stores/pages.ts'))).toEqual([
    "  ledger: { door: 'papers', title: 'Ledger', words: 'ledger' },",
  ]);
  expect(files.get('src/ui/claims/ledger/ledger.page.tsx')).toContain('export default function LedgerPage(');
});

test('a panel: a folder and one line before the last panel', () => {
  const files = plan('panel', 'action-count');
  expect([...files.keys()]).toEqual([
    'src/ui/explain/action-count/ActionCountPanel.tsx',
    'src/ui/explain/action-count/ActionCount.module.css',
    'src/ui/explain/action-count/action-count.test.tsx',
    'src/ui/explain/panels.ts',
  ]);
  const [line, ...more] = added('src/ui/explain/panels.ts', files.get('src/ui/explain/panels.ts'));
  expect(line).toContain("{ id: 'action-count', label: msg('Action count'), View: late(");
  expect(more).toEqual([]);
});

test('a lesson: data, its view, an import and its name; a step alone is one line of its lesson', () => {
  const lesson = plan('lesson', 'small-steps');
  expect([...lesson.keys()]).toEqual([
    'src/ui/lessons/views/small-steps/View.tsx',
    'src/ui/lessons/views/small-steps/descent.ts',
    'src/ui/lessons/views/small-steps/small-steps.test.tsx',
    'src/lessons/small-steps.ts',
    'src/lessons/index.ts',
  ]);
  expect(lesson.get('src/lessons/index.ts')).toMatch(/, smallSteps\];/);
  const step = plan('lesson', 'small-steps', { into: 'dilemma' });
  expect([...step.keys()].at(-1)).toBe('src/lessons/dilemma.ts');
  expect(added('src/lessons/dilemma.ts', step.get('src/lessons/dilemma.ts'))).toEqual([
    "    { title: 'Small steps', say: 'What is seen here, in two or three sentences.', show: [], view: 'small-steps' },",
  ]);
});

test('what cannot be is refused in words', () => {
  expect(() => plan('page', 'two-words')).toThrow(/one word, lower case/);
  expect(() => plan('page', 'sweeps')).toThrow(/pages.ts has sweeps already/);
  expect(() => plan('page', 'ledger', { door: 'cellar' })).toThrow(/no door "cellar": use one of worlds, learn, papers, runs/);
  expect(() => plan('panel', 'network')).toThrow(/panels.ts has network already/);
  expect(() => plan('panel', 'x-y', { door: 'runs' })).toThrow(/Only a page has a door/);
  expect(() => plan('lesson', 'cliff')).toThrow(/index.ts has cliff already/);
  expect(() => plan('lesson', 'x-y', { into: 'slope' })).toThrow(/no lesson "slope": use one of .*cliff/);
  expect(() => plan('page', 'ledger', { family: 'values' })).toThrow(/has no family/);
});

describe('in a copy of the sources', () => {
  const copy = mkdtempSync(join(tmpdir(), 'rl-new-'));
  afterAll(() => rmSync(copy, { recursive: true, force: true }));
  const from = (path: string): string => readFileSync(join(copy, path), 'utf8');
  const roots: string[] = [];

  test('everything that is generated type-checks', { timeout: 240_000 }, () => {
    cpSync('src', join(copy, 'src'), { recursive: true });
    mkdirSync(join(copy, 'docs'));
    for (const file of ['package.json', 'tsconfig.base.json', 'docs/adding-to-the-page.md']) cpSync(file, join(copy, file));
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
    const plans = [
      () => plan('page', 'ledger', { read: from }),
      () => plan('panel', 'action-count', { read: from }),
      () => plan('lesson', 'small-steps', { read: from }),
      () => plan('lesson', 'large-steps', { into: 'small-steps', read: from }),
    ];
    for (const make of plans)
      for (const [path, text] of make()) {
        mkdirSync(dirname(join(copy, path)), { recursive: true });
        writeFileSync(join(copy, path), text);
        if (/\.tsx?$/.test(path)) roots.push(path);
      }
    const compilerOptions = { lib: ['ES2023', 'DOM', 'DOM.Iterable'], types: ['vite/client'], noEmit: true, composite: false };
    const options = { ...compilerOptions, incremental: false, emitDeclarationOnly: false };
    const config = {
      extends: './tsconfig.base.json',
      compilerOptions: options,
      files: ['src/ui/env.d.ts', 'src/client/env.d.ts', 'src/text/po.d.ts', ...new Set(roots)],
    };
    writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config));
    const tsc = [resolve('node_modules/typescript/bin/tsc'), '--checkers', '1', '-p', join(copy, 'tsconfig.json')];
    expect(spawnSync(process.execPath, tsc, { encoding: 'utf8' }).stdout).toBe('');
  });

  test('its tests pass, and those that hold lists and folders together', { timeout: 240_000 }, () => {
    writeFileSync(join(copy, 'vitest.config.mjs'), 'export default {};\n');
    const tests = [...roots.filter((path) => path.includes('.test.')), 'src/ui/Pages.test.ts', 'src/ui/lessons/views.test.ts'];
    const vitest = [resolve('node_modules/vitest/vitest.mjs'), 'run', '--root', copy, '--reporter=json', ...tests];
    const { numPassedTests, numFailedTests, success } = JSON.parse(
      execFileSync(process.execPath, vitest, { cwd: copy, encoding: 'utf8', stdio: 'pipe' }),
    );
    expect({ success, numFailedTests }).toEqual({ success: true, numFailedTests: 0 });
    expect(numPassedTests).toBe(9);
  });
});
