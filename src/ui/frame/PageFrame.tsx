/** A page beside the laboratory: the bar with the ways to the other pages, a title that takes the focus, and what scrolls below. */
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { lab } from '#client/lab.ts';
import { hashOf, type PageName } from '#stores/route.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Mark } from '#ui/kit/Icon.tsx';
import styles from './PageFrame.module.css';

interface Props {
  readonly title: string;
  /** The page that is open. */
  readonly page: PageName;
  /** Above the title, a way back for instance. */
  readonly above?: ReactNode;
  /** Takes the whole width of a large screen. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

const WAYS: readonly { readonly page: PageName; readonly title: string }[] = [
  { page: 'papers', title: 'Papers' },
  { page: 'methods', title: 'Methods' },
  { page: 'scores', title: 'Scores' },
  { page: 'lessons', title: 'Lessons' },
  { page: 'compare', title: 'Compare' },
  { page: 'side', title: 'Side by side' },
  { page: 'sweeps', title: 'Sweeps' },
  { page: 'data', title: 'Data' },
  { page: 'write', title: 'Write a world' },
];

/** How far each page was scrolled, by its address without filters: the way back leads to where one was. */
const scrolled = new Map<string, number>();
const place = (): string => location.hash.replace(/\?.*$/, '');

export function PageFrame({ title, page, above, wide, children }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    const here = place();
    heading.current?.focus({ preventScroll: true });
    if (element === null) return;
    element.scrollTop = scrolled.get(here) ?? 0;
    const remember = (): void => void scrolled.set(here, element.scrollTop);
    element.addEventListener('scroll', remember, { passive: true });
    return () => element.removeEventListener('scroll', remember);
  }, []);
  return (
    <div ref={scroller} className={styles.page}>
      <header className={styles.bar}>
        <a className={styles.home} href={hashOf({ page: 'home', id: null, query: {} })}>
          <Mark />
          <span>RL Workbench</span>
        </a>
        <nav className={styles.ways} aria-label="Pages">
          {WAYS.map((way) => (
            <a key={way.page} href={hashOf({ page: way.page, id: null, query: {} })} aria-current={way.page === page ? 'page' : undefined}>
              {way.title}
            </a>
          ))}
        </nav>
        <Button onClick={() => lab.links.backToLab()}>Laboratory</Button>
      </header>
      <main className={styles.body} data-wide={wide}>
        {above}
        <h1 ref={heading} className={styles.title} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </main>
    </div>
  );
}
