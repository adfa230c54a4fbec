// @vitest-environment happy-dom
import { act, useRef } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useSize } from './useSize.ts';

let root: Root;
let home: HTMLElement;
let observed: Element[] = [];
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  observed = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly told: () => void;
      constructor(told: () => void) {
        this.told = told;
      }
      observe(element: Element): void {
        observed.push(element);
        Object.defineProperty(element, 'clientWidth', { value: 320 });
        this.told();
      }
      disconnect(): void {
        observed.pop();
      }
    },
  );
  home = document.createElement('div');
  root = createRoot(home);
});
afterEach(() => {
  act(() => root.unmount());
  vi.unstubAllGlobals();
});

function Figure({ rows }: { readonly rows: number }) {
  const box = useRef<HTMLDivElement>(null);
  const [width] = useSize(box);
  return rows === 0 ? <p>nothing yet</p> : <div ref={box}>{width}</div>;
}

test('an element that comes in a later render is measured, and no longer looked at once it has gone', () => {
  act(() => root.render(<Figure rows={0} />));
  expect(observed).toEqual([]);
  act(() => root.render(<Figure rows={3} />));
  expect(home.textContent).toBe('320');
  expect(observed).toHaveLength(1);
  act(() => root.render(<Figure rows={0} />));
  expect(observed).toEqual([]);
});
