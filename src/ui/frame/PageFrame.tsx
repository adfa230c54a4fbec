/** A page beside the laboratory: the pages of its door, a title that takes the focus when the page is gone to, and what scrolls below. */
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { pageFacts, pagesOf } from '#stores/pages.ts';
import { atFirstPage, hashOf, type PageName } from '#stores/route.ts';
import { locale, t } from '#text/text.ts';
import styles from './PageFrame.module.css';
import { useTabTitle } from './tab-title.ts';

interface Props {
  readonly title: string;
  /** The page that is open. */
  readonly page: PageName;
  /** What of the page is open, in the title of the browser's tab: "P125"; missing: the page itself. */
  readonly tab?: string | undefined;
  /** Above the title, a way back for instance. */
  readonly above?: ReactNode;
  readonly children: ReactNode;
}

/** How far each page was scrolled, by its address without filters: the way back leads to where one was. */
const scrolled = new Map<string, number>();
const place = (): string => location.hash.replace(/\?.*$/, '');

export function PageFrame({ title, page, tab, above, children }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const english = pageFacts(page).english === true && locale() !== 'en';
  useTabTitle(tab, t(pageFacts(page).title));
  useLayoutEffect(() => {
    const element = scroller.current;
    const here = place();
    // At the start of a visit Tab begins at the top, where the doors are.
    if (!atFirstPage()) heading.current?.focus({ preventScroll: true });
    if (element === null) return;
    element.scrollTop = scrolled.get(here) ?? 0;
    const remember = (): void => void scrolled.set(here, element.scrollTop);
    element.addEventListener('scroll', remember, { passive: true });
    return () => element.removeEventListener('scroll', remember);
  }, []);
  return (
    <div ref={scroller} className={styles.page}>
      <Rooms page={page} />
      <main className={styles.body}>
        {above}
        <h1 ref={heading} className={styles.title} tabIndex={-1}>
          {title}
        </h1>
        {english ? (
          <>
            <p className={styles.english}>{t('The texts of this page are in English only.')}</p>
            <div className={styles.as} lang="en">
              {children}
            </div>
          </>
        ) : (
          children
        )}
      </main>
    </div>
  );
}

/** The pages of the same door. */
function Rooms({ page }: { readonly page: PageName }) {
  const { door } = pageFacts(page);
  const pages = door === null ? [] : pagesOf(door);
  if (pages.length < 2) return null;
  return (
    <nav className={styles.rooms} aria-label={t('Pages')}>
      {pages.map((name) => (
        <a key={name} href={hashOf({ page: name, id: null, query: {} })} aria-current={name === page ? 'page' : undefined}>
          {t(pageFacts(name).title)}
        </a>
      ))}
    </nav>
  );
}
