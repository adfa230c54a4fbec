/** Whether an element is on the screen, or nearly; while the page is printed, always. What is far away need not be there. */
import { type RefObject, useEffect, useState } from 'react';

/** Around the screen, so that a scroll finds things drawn. */
const NEAR = '200px';

export function useInSight(ref: RefObject<Element | null>): boolean {
  const [near, setNear] = useState(false);
  const [printed, setPrinted] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting === true), { rootMargin: NEAR });
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  useEffect(() => {
    const before = (): void => setPrinted(true);
    const after = (): void => setPrinted(false);
    addEventListener('beforeprint', before);
    addEventListener('afterprint', after);
    return () => {
      removeEventListener('beforeprint', before);
      removeEventListener('afterprint', after);
    };
  }, []);
  return near || printed;
}
