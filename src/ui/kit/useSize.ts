/** The size of an element in CSS px, [0, 0] before it is laid out. */
import { type RefObject, useEffect, useState } from 'react';

export function useSize(ref: RefObject<Element | null>): readonly [width: number, height: number] {
  const [size, setSize] = useState<readonly [number, number]>([0, 0]);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      const next = [Math.round(element.clientWidth), Math.round(element.clientHeight)] as const;
      setSize((now) => (now[0] === next[0] && now[1] === next[1] ? now : next));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
}
