/** The size of an element in CSS px, [0, 0] before it is laid out. The element may come in a later render, or be another one then. */
import { type RefObject, useEffect, useState } from 'react';

export function useSize(ref: RefObject<Element | null>): readonly [width: number, height: number] {
  const [size, setSize] = useState<readonly [number, number]>([0, 0]);
  const [element, setElement] = useState<Element | null>(null);
  useEffect(() => setElement(ref.current));
  useEffect(() => {
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      const next = [Math.round(element.clientWidth), Math.round(element.clientHeight)] as const;
      setSize((now) => (now[0] === next[0] && now[1] === next[1] ? now : next));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
