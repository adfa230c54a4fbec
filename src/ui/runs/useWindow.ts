/** Which lines of a long list of equal rows are in sight, with some more on both sides, and the heights that stand in for the rest. */
import { type RefObject, useEffect, useState } from 'react';

const MORE = 8;
const HEIGHT = 32; // px, as in Runs.module.css

export interface Windowed {
  readonly first: number;
  readonly last: number;
  readonly before: number;
  readonly after: number;
}

export function useWindow(scroller: RefObject<HTMLElement | null>, count: number): Windowed {
  const [seen, setSeen] = useState({ from: 0, rows: 30 });
  const some = count > 0;
  useEffect(() => {
    const element = scroller.current;
    if (element === null || !some) return;
    const look = () => {
      const height = rowHeight(element);
      setSeen({ from: Math.floor(element.scrollTop / height), rows: Math.ceil(element.clientHeight / height) });
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      watcher.disconnect();
    };
  }, [scroller, some]);

  const first = Math.max(0, Math.min(seen.from, count - seen.rows) - MORE);
  const last = Math.min(count, seen.from + seen.rows + MORE);
  const height = scroller.current === null ? HEIGHT : rowHeight(scroller.current);
  return { first, last, before: first * height, after: (count - last) * height };
}

function rowHeight(element: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(element).getPropertyValue('--row')) || HEIGHT;
}
