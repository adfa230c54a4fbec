import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findBrowser, onPath } from './browser.mjs';
import { aptInstall, ensureBrowser, ensureRedis, nodeProblem } from './install.mjs';

let bin = '';
const command = (name: string): void => {
  writeFileSync(join(bin, name), '#!/bin/sh\n');
  chmodSync(join(bin, name), 0o755);
};

beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'rl-bin-'));
  vi.stubEnv('PATH', bin);
  vi.stubEnv('CHROMIUM_PATH', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(bin, { recursive: true });
});

/** Answers of apt-get, one after another; what was asked stands in `asked`. */
function apt(...codes: number[]) {
  const asked: string[] = [];
  const run = (program: string, args?: unknown) => {
    const words = [program, ...(args as string[])];
    asked.push(words.filter((word) => !/^-|Timeout/.test(word)).join(' '));
    const status = codes.shift() ?? 0;
    return { status, stderr: status === 0 ? '' : 'E: Unable to locate package chromium' };
  };
  return { asked, run: run as Parameters<typeof aptInstall>[1] };
}

test('a list of packages that is missing is fetched once; then the answer of apt-get is the reason', () => {
  command('apt-get');
  command('sudo');
  const missing = apt(100, 0, 0);
  expect(aptInstall(['chromium'], missing.run)).toBe(null);
  expect(missing.asked.map((words) => words.replace(/^sudo /, ''))).toEqual([
    'apt-get install chromium',
    'apt-get update',
    'apt-get install chromium',
  ]);
  const never = apt(100, 0, 100);
  expect(aptInstall(['chromium'], never.run)).toContain('E: Unable to locate package chromium');
  const offline = apt(100, 100);
  expect(aptInstall(['chromium'], offline.run)).toContain('could not install chromium');
  expect(offline.asked).toHaveLength(2);
});

test('a machine without apt-get gets a sentence, and nothing is run', () => {
  const none = apt();
  expect(aptInstall(['chromium'], none.run)).toBe('There is no apt-get here.');
  expect(none.asked).toEqual([]);
});

test('a user who is not root installs through sudo, which may not ask for a password', () => {
  command('apt-get');
  vi.spyOn(process, 'getuid').mockReturnValue(1000);
  const none = apt();
  expect(aptInstall(['chromium'], none.run)).toContain('no sudo');
  command('sudo');
  expect(aptInstall(['chromium'], none.run)).toBe(null);
  expect(none.asked).toEqual(['sudo apt-get install chromium']);
});

test('a browser that is here is used; one is installed where there is none', async () => {
  const said: string[] = [];
  const say = (text: string): number => said.push(text);
  const refuse = () => expect.unreachable('nothing is to be installed');
  expect(await ensureBrowser({ find: async () => '/b/chromium', install: refuse, say })).toBe('/b/chromium');
  expect(said).toEqual([]);

  let here: string | null = null;
  const install = (packages: readonly string[]): null => {
    expect(packages).toContain('chromium');
    here = '/new/chromium';
    return null;
  };
  expect(await ensureBrowser({ find: async () => here, install, say })).toBe('/new/chromium');
});

test('where no browser can be installed, the reason and what to do are said', async () => {
  const said: string[] = [];
  expect(await ensureBrowser({ find: async () => null, install: () => 'There is no apt-get here.', say: (text) => said.push(text) })).toBe(
    null,
  );
  expect(said.join('\n')).toContain('There is no apt-get here.\nNo browser found. Set CHROMIUM_PATH');
});

test('a CHROMIUM_PATH that names no browser is told as such', async () => {
  vi.stubEnv('CHROMIUM_PATH', join(bin, 'nothing'));
  const said: string[] = [];
  const install = () => expect.unreachable('nothing is to be installed');
  expect(await ensureBrowser({ find: findBrowser, install, say: (text) => said.push(text) })).toBe(null);
  expect(said.join()).toContain('CHROMIUM_PATH');
});

test('a server for the queue is asked for once, and its absence is said', () => {
  const said: string[] = [];
  ensureRedis({ has: () => true, install: () => expect.unreachable('it is here') });
  ensureRedis({ has: onPath, install: () => 'There is no apt-get here.', say: (text) => said.push(text) });
  expect(said.join()).toContain('tests of the queue will be skipped');
});

test('an old Node is named', () => {
  expect(nodeProblem('18.20.1')).toContain('18.20.1');
  expect(nodeProblem('20.0.0')).toBe(null);
});
