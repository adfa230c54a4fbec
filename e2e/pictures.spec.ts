/**
 * Scenes look as they did: a moment of each with a fixed clock, pixel by pixel, against e2e/golden (tools/pictures/references.mjs).
 * After a wanted change: `npm run pictures -- --references`, look at every picture, commit them.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { openPictures } from '../tools/pictures/open.mjs';
import { FOLDER, REFERENCES } from '../tools/pictures/references.mjs';
import { differing } from './pixels.ts';

/**
 * Share of pixels that may differ: 72 of 36,000 (pixels.ts says what differing is). Two drawings on one machine are equal; another
 * processor's rounding moves single pixels of edges. The last test shows that four steps of an episode are more, even where one agent walks.
 */
const TOLERANCE = 0.002;
const STEPS = 4;

type Draw = (env: string, preset: string, wish: object) => Promise<{ readonly image: string }>;

let stage: Awaited<ReturnType<typeof openPictures>>;

test.beforeAll(async () => {
  stage = await openPictures();
});

test.afterAll(() => stage.close());

const draw = (env: string, preset: string, wish: object): Promise<string> =>
  stage.page.evaluate(async ([e, p, w]) => (await (globalThis as unknown as { pictures: { draw: Draw } }).pictures.draw(e, p, w)).image, [
    env,
    preset,
    wish,
  ] as const);

const golden = (name: string): string => `data:image/webp;base64,${readFileSync(`${FOLDER}/${name}.webp`).toString('base64')}`;

for (const { name, env, preset, wish } of REFERENCES) {
  test(`${name}: ${env}`, async () => {
    const image = await draw(env, preset, wish);
    const share = await differing(stage.page, golden(name), image);
    test.info().annotations.push({ type: 'differing', description: String(share) });
    if (share > TOLERANCE)
      await test.info().attach(name, { body: Buffer.from(image.split(',')[1] ?? '', 'base64'), contentType: 'image/webp' });
    expect(share).toBeLessThanOrEqual(TOLERANCE);
  });
}

test('some steps later every scene is another picture', { tag: '@night' }, async () => {
  for (const { name, env, preset, wish } of REFERENCES) {
    if (STILL.has(name)) continue;
    const later = await draw(env, preset, { ...wish, steps: wish.steps + STEPS });
    const share = await differing(stage.page, golden(name), later);
    test.info().annotations.push({ type: 'later', description: `${name} ${share}` });
    expect(share, name).toBeGreaterThan(TOLERANCE);
  }
});

/** Scenes in which steps may change less than that: a payoff board may show the same choices again. */
const STILL: ReadonlySet<string> = new Set(['matrix']);
