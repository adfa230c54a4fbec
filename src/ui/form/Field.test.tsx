// @vitest-environment happy-dom
/// <reference types="vite/client" />
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import type { Json } from '#contract/kit/json.ts';
import { Field } from './Field.tsx';
import { clearAllBad, invalidStore } from './invalid.ts';
import { leavesOf } from './leaves.ts';

const schema: FieldSchema = {
  type: 'object',
  properties: {
    lr: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 1,
      default: 2.5e-4,
      title: 'learning rate',
      unit: '1',
      log: true,
      slider: [1e-5, 1e-1],
      live: true,
    },
    kl: { anyOf: [{ type: 'number' }, { type: 'null' as never }], default: null, title: 'target KL', empty: 'never' },
    wait: { anyOf: [{ type: 'number' }, { type: 'null' as never }], default: null, title: 'wait' },
    anneal: { type: 'boolean', default: true, title: 'anneal' },
    act: { type: 'string', enum: ['tanh', 'relu'], default: 'tanh', title: 'activation' },
    hidden: { type: 'array', items: { type: 'integer', minimum: 1 }, default: [64, 64], title: 'hidden layers' },
    map: {
      type: 'array',
      items: { type: 'string' },
      editor: 'grid-map',
      title: 'map',
      map: {
        size: [1, 8],
        tiles: [
          { code: 'F', title: 'ice', look: 'ice' },
          { code: 'H', title: 'hole', look: 'hole' },
          { code: 'S', title: 'start', look: 'start', once: true },
          { code: 'G', title: 'goal', look: 'goal' },
        ],
        rules: [],
      },
    },
  },
};
const values: { [key: string]: Json } = {
  lr: 2.5e-4,
  kl: null,
  wait: null,
  anneal: true,
  act: 'tanh',
  hidden: [64, 64],
  map: ['SF', 'HG'],
};
const leaves = leavesOf('algo', schema);

let host: HTMLElement;
let root: Root;
let changed: [string, Json | undefined][];

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

beforeEach(async () => {
  await import('./map/MapField.tsx'); // loaded with the first field of its kind
  clearAllBad();
  changed = [];
  host = document.createElement('div');
  document.body.append(host);
  root = createRoot(host);
  await act(async () =>
    root.render(
      leaves.map((leaf) => (
        <Field
          key={leaf.path}
          leaf={leaf}
          value={values[leaf.path.slice(5)]}
          base={values[leaf.path.slice(5)]}
          problem={null}
          running={false}
          onChange={(path, value) => changed.push([path, value])}
          onReset={() => {}}
        />
      )),
    ),
  );
});
afterEach(() => {
  act(() => root.unmount());
  host.remove();
});

function control(title: string): HTMLElement[] {
  const labels = [...host.querySelectorAll<HTMLElement>('label, [id$="-label"]')].filter((label) => label.textContent === title);
  return [...host.querySelectorAll<HTMLElement>('input, select, textarea, [role="grid"], button')].filter((element) =>
    labels.some(
      (label) => label.getAttribute('for') === element.id || element.getAttribute('aria-labelledby')?.split(' ').includes(label.id),
    ),
  );
}

function type(input: HTMLInputElement, text: string): void {
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
const press = (element: HTMLElement, key: string) =>
  act(() => void element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })));

test('every leaf has exactly one labelled control', () => {
  for (const leaf of leaves) expect(control(leaf.title), leaf.path).toHaveLength(1);
});

test.each(['1e9', '-1', 'NaN', ''])('%s in a number field is marked, named, and keeps Train off', (text) => {
  const input = control('learning rate')[0] as HTMLInputElement;
  type(input, text);
  expect(input.getAttribute('aria-invalid')).toBe('true');
  expect(input.value).toBe(text);
  expect(host.querySelector('[role="alert"]')?.textContent).toContain('more than 0 and at most 1');
  expect(Object.keys(invalidStore.getState().fields)).toEqual(['algo.lr']);
  expect(changed).toEqual([]);
  press(input, 'Escape');
  expect(input.value).toBe('2.5e-4');
  expect(invalidStore.getState().fields).toEqual({});
});

test('a good text becomes the value on Enter', () => {
  const input = control('learning rate')[0] as HTMLInputElement;
  type(input, '3e-4');
  press(input, 'Enter');
  expect(changed).toEqual([['algo.lr', 3e-4]]);
});

test('Home, End and the page keys move along the logarithm, and the value is spoken with its unit', () => {
  const input = control('learning rate')[0] as HTMLInputElement;
  expect(input.getAttribute('aria-valuetext')).toBe('2.5e-4 1 (log)');
  for (const key of ['Home', 'End', 'PageUp', 'PageDown']) press(input, key);
  expect(changed.map(([, value]) => value)).toEqual([1e-5, 1e-1, 2.5e-3, 2.5e-5]);
});

test('the map is painted with the keys', () => {
  const grid = host.querySelector<HTMLElement>('[role="grid"]')!;
  press(grid, 'ArrowRight');
  press(grid, '2');
  press(grid, 'Enter');
  expect(changed).toEqual([['algo.map', ['SH', 'HG']]]);
  expect(host.querySelector('[aria-live]')?.textContent).toBe('row 1, column 2: hole');
});

test('an empty field shows what empty means there', () => {
  expect((control('target KL')[0] as HTMLInputElement).placeholder).toBe('never');
  expect((control('wait')[0] as HTMLInputElement).placeholder).toBe('auto');
});
