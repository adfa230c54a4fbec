/** What a prompt asks, in words: a sentence for every task of every world, with all that the prompt names. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { getEnv } from '../../all.ts';
import { createBuffers } from '../../api/buffers.ts';
import { GAME_NAMES } from './games.ts';
import { STEP_TASKS } from './steps.ts';
import { TASK_NAMES } from './tasks.ts';
import { decode } from './tokens.ts';

const WORLDS: readonly (readonly [id: string, config: JsonObject])[] = [
  ...TASK_NAMES.map((task) => ['t-reason', { task }] as const),
  ['t-reason', { task: 'brackets', mode: 'check' }],
  ...['copy', 'reverse', 'sort'].map((order) => ['t-reason', { order, scratch: true }] as const),
  ...STEP_TASKS.map((task) => ['t-steps', { task }] as const),
  ...GAME_NAMES.map((game) => ['t-turns', { game }] as const),
  ...['path', 'relation', 'rule'].map((asks) => ['t-search', { asks, fields: 2, hops: 3, lookups: 5 }] as const),
  ...['patient', 'twenty', 'customer'].map((talk) => ['t-talk', { talk }] as const),
  ...['OpenRedDoor', 'PutNextLocalS5N3'].map((level) => ['t-house', { level }] as const),
  ...['commands', 'aloud', 'apart'].map((form) => ['t-tools', { form, jobs: 2 }] as const),
];

/** Prompts of the first seeds. */
function promptsOf(id: string, config: JsonObject): readonly string[] {
  const env = getEnv(id).create(config, 8);
  const buffers = createBuffers(env.meta, 8);
  env.reset(
    Uint32Array.from({ length: 8 }, (_, seed) => seed),
    buffers,
  );
  const places = env.meta.obsSize;
  return Array.from({ length: 8 }, (_, b) => decode([...buffers.obs.subarray(b * places + 1, (b + 1) * places)].filter((id) => id > 0)));
}

describe.each(WORLDS)('%s %j', (id, given) => {
  it('is asked in a sentence', () => {
    const entry = getEnv(id);
    const config = entry.parse(given);
    for (const prompt of promptsOf(id, config)) {
      const words = entry.question?.(config, prompt) ?? '';
      expect(words, prompt).toMatch(/^[A-Z].*[.?]$/);
      expect(words, prompt).not.toMatch(/undefined|NaN| {2}|: *[.?]/);
      // numbers of the prompt are named
      if (id === 't-reason')
        for (const number of prompt.match(/\d{2,}/g) ?? []) expect(words.replaceAll(' ', ''), prompt).toContain(number.replace(/^0/, ''));
    }
  });
});

it('names what the prompt names', () => {
  const asked = (id: string, config: JsonObject, prompt: string) => getEnv(id).question?.(getEnv(id).parse(config), prompt);
  expect(asked('t-reason', { task: 'add' }, '40+17=')).toBe('What is 40 + 17?');
  expect(asked('t-reason', { task: 'mod' }, '(7-3)%13=')).toBe('What remains of 7 − 3 after division by 13?');
  expect(asked('t-reason', { task: 'countdown' }, '24:8,3,1=')).toBe(
    'Write a calculation that gives 24, with any of the numbers 8, 3 and 1 used once.',
  );
  expect(asked('t-reason', { task: 'rewrite' }, 'ab>c,bc>a;abc=')).toBe(
    'In a b c replace ab by c and bc by a, the first rule that fits each time, until none fits.',
  );
  expect(asked('t-reason', { task: 'lookup' }, 'ab,b4?a=')).toBe(
    'Each entry is a name and what it leads to: ab, b4. To which digit does a lead?',
  );
  expect(asked('t-house', {}, '@r|:..000?')).toBe(
    'Mission: go to the red door. What follows the colon says what is carried and seen; the answer is one of left, right, go, pick, drop, open.',
  );
  expect(asked('t-tools', {}, 'cab,tc:')).toBe(
    'Copy file a into b; meet c at the time in the mail of c. A full stop says that it is done.',
  );
});
