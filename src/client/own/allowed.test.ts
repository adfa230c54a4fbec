/** Two programs that were made to have one short id: what a person allowed of the one is asked about for the other. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { codeHash, worldId } from '#contract/run/config-hash.ts';
import { FRIENDLY, OTHER } from '../../../tools/own-cases.mjs';

vi.mock('#client/workers/workers.ts', () => ({ namespaceHere: () => 'test' }));
const written = vi.hoisted(() => ({ list: [] as { code: string }[] }));
vi.mock('./versions.ts', () => ({ worldVersions: { list: () => Promise.resolve(written.list) } }));

const stored = new Map<string, string>();
beforeEach(() => {
  vi.resetModules(); // a visit of its own
  stored.clear();
  written.list = [];
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

const visit = () => import('./allowed.ts');

test('the programs are what they are said to be', () => {
  expect(worldId(FRIENDLY)).toBe(worldId(OTHER));
  expect(codeHash(FRIENDLY)).not.toBe(codeHash(OTHER));
});

test('allowing one says nothing of the other, in this visit and the next', async () => {
  const first = await visit();
  first.allow(FRIENDLY);
  expect(await first.isAllowed(FRIENDLY)).toBe(true);
  expect(await first.isAllowed(OTHER)).toBe(false);
  vi.resetModules();
  const next = await visit();
  expect(await next.isAllowed(FRIENDLY)).toBe(true);
  expect(await next.isAllowed(OTHER)).toBe(false);
});

test('what was written here is allowed, by all of it', async () => {
  written.list = [{ code: FRIENDLY.replaceAll('\n', '\r\n') }];
  const { isAllowed } = await visit();
  expect(await isAllowed(FRIENDLY)).toBe(true); // whatever a system ends its lines with
  expect(await isAllowed(OTHER)).toBe(false);
});

test('an id that an earlier version remembered allows nothing: it is asked again', async () => {
  stored.set('rl-workbench:allowed-code:test', JSON.stringify([worldId(FRIENDLY)]));
  const { isAllowed, allow } = await visit();
  expect(await isAllowed(FRIENDLY)).toBe(false);
  allow(FRIENDLY);
  expect(JSON.parse(stored.get('rl-workbench:allowed-code:test') ?? '')).toEqual([codeHash(FRIENDLY)]);
});
