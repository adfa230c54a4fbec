/** What every frame in another page has: its bar, what it tells the page around it, and what that may ask of it. */
import { useCallback, useEffect } from 'react';
import { t } from '#text/text.ts';
import { type Command, message, type News, readCommand } from '#ui/kit/embed-protocol.ts';
import { Mark } from '#ui/kit/Icon.tsx';
import styles from './Embed.module.css';

/** Characters of a title in the address. */
export const LONGEST_TITLE = 120;

/** `whole`: the address of the same in the whole workbench. */
export function FrameBar({ title, whole }: { readonly title: string | null; readonly whole: string }) {
  return (
    <header className={styles.bar}>
      <h1 className={styles.title}>{title}</h1>
      <a className={styles.whole} href={whole} target="_blank" rel="noopener noreferrer" title={t('Open it in the whole workbench')}>
        <Mark />
        RL Workbench
      </a>
    </header>
  );
}

/** `origin`: see embed-protocol.ts; null: messages go nowhere. */
export const useTell = (origin: string | null): ((news: News) => void) =>
  useCallback(
    (news: News) => {
      if (window.parent !== window && origin !== null) window.parent.postMessage(message(news), origin);
    },
    [origin],
  );

/** Hears the commands of the page around the frame; `obey` must stay the same between two drawings. */
export function useCommands(origin: string | null, obey: (command: Command) => void): void {
  useEffect(() => {
    const listen = (event: MessageEvent<unknown>): void => {
      if (event.source !== window.parent || window.parent === window) return;
      if (origin === null || (origin !== '*' && event.origin !== origin)) return;
      const command = readCommand(event.data);
      if (command !== null) obey(command);
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [origin, obey]);
}
