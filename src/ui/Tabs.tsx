/** Panels one at a time where there is no room for all, after the ARIA tabs pattern: four on the phone, two beside the scene of a low window. */
import { type KeyboardEvent, useRef } from 'react';
import type { LayoutState } from '#stores/types.ts';
import { msg, t } from '#text/text.ts';
import styles from './App.module.css';

type Tab = LayoutState['tab'];
const TABS: readonly { readonly id: Tab; readonly title: string; readonly panel: string }[] = [
  { id: 'setup', title: msg('Set up'), panel: 'panel-left' },
  { id: 'curves', title: msg('Curves'), panel: 'panel-curves' },
  { id: 'why', title: msg('Why'), panel: 'panel-why' },
  { id: 'runs', title: msg('Runs'), panel: 'panel-runs' },
];

interface Props {
  readonly tab: Tab;
  /** Those there are, in this order. */
  readonly offered: readonly Tab[];
  /** A lesson stands in place of the set-up. */
  readonly lesson: boolean;
  readonly onChange: (tab: Tab) => void;
}

export function Tabs({ tab, offered, lesson, onChange }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const tabs = TABS.filter(({ id }) => offered.includes(id));
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex((entry) => entry.id === tab);
    const to =
      event.key === 'ArrowRight' ? at + 1 : event.key === 'ArrowLeft' ? at - 1 : event.key === 'Home' ? 0 : event.key === 'End' ? -1 : null;
    const next = to === null ? undefined : tabs.at(to % tabs.length);
    if (next === undefined) return;
    onChange(next.id);
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
    event.preventDefault();
  };
  return (
    <div ref={list} className={styles.tabs} role="tablist" aria-label={t('Panels')} onKeyDown={onKeyDown}>
      {tabs.map((entry) => (
        <button
          key={entry.id}
          id={`tab-${entry.id}`}
          type="button"
          role="tab"
          aria-selected={entry.id === tab}
          aria-controls={entry.panel}
          tabIndex={entry.id === tab ? 0 : -1}
          onClick={() => onChange(entry.id)}
        >
          {lesson && entry.id === 'setup' ? t('Lesson') : t(entry.title)}
        </button>
      ))}
    </div>
  );
}
