// @vitest-environment happy-dom
import { act, Suspense } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { machineStore } from '#stores/machine.ts';
import { Boundary } from './Boundary.tsx';
import { isHandled, late } from './late.tsx';

let root: Root;
let home: HTMLElement;
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.spyOn(console, 'error').mockImplementation(() => {}); // React reports what a boundary has caught
  home = document.createElement('div');
  root = createRoot(home);
});
afterEach(() => {
  act(() => root.unmount());
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Draws a view whose code comes as `answers` say, one for each time that it is asked for. */
async function draw(...answers: readonly (() => string)[]): Promise<{ readonly asked: () => number }> {
  let asked = 0;
  const View = late(async () => {
    const text = (answers[asked++] ?? answers.at(-1))?.() ?? '';
    return { default: ({ mark }: { readonly mark: string }) => <p>{`${text}${mark}`}</p> };
  });
  await act(async () =>
    root.render(
      <Boundary name="The atlas">
        <Suspense>
          <View mark="!" />
        </Suspense>
      </Boundary>,
    ),
  );
  return { asked: () => asked };
}

const missing = new TypeError('Failed to fetch dynamically imported module: http://127.0.0.1/assets/atlas.js');
const offline = (): string => {
  throw missing;
};
const networkBack = (): Promise<void> =>
  act(async () => {
    machineStore.setState({ online: false });
    machineStore.setState({ online: true });
  });
const press = (label: string): Promise<void> =>
  act(async () => [...home.querySelectorAll('button')].find(({ textContent }) => textContent === label)?.click());

test('a part that could not be fetched says that it is not on this device, and is fetched when a person tries again', async () => {
  const { asked } = await draw(offline, offline, () => 'maps');
  expect(home.textContent).toContain('The atlas: not on this device.');
  expect(home.textContent).not.toContain('stopped working');
  expect(isHandled(missing)).toBe(true);
  expect(asked()).toBe(1);
  await press('Try again');
  expect(home.textContent).toContain('not on this device');
  expect(asked()).toBe(2);
  await press('Try again');
  expect(home.textContent).toBe('maps!');
});

test('it comes by itself when the network is back', async () => {
  await draw(offline, () => 'maps');
  await networkBack();
  expect(home.textContent).toBe('maps!');
});

test('a fault is a fault: it is reported, and the network brings nothing', async () => {
  await draw(() => {
    throw new Error('two maps of one place');
  });
  expect(home.textContent).toContain('The atlas stopped working.');
  expect(home.textContent).toContain('Copy report');
  await networkBack();
  expect(home.textContent).toContain('The atlas stopped working.');
});
