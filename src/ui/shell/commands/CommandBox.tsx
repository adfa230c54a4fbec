/**
 * One box that finds everything: worlds, methods, papers, lessons, settings, runs, actions, pages. A combobox after the ARIA pattern: the focus stays
 * in the text, arrows choose, Enter goes. Its code is loaded when it is first opened.
 */
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { t } from '#text/text.ts';
import { corrected } from '#ui/kit/format/search.ts';
import { Icon } from '#ui/kit/Icon.tsx';
import styles from './Commands.module.css';
import { type Command, rank } from './rank.ts';
import { allCommands, suggested } from './sources.ts';

const LONGEST = 100;
const PAGE = 8;

export default function CommandBox({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const [all, setAll] = useState<{ readonly commands: readonly Command[]; readonly missing: number } | null>(null);
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);

  // Before the next frame: what was chosen may move the focus itself.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const box = dialog.current;
    box?.showModal();
    return () => {
      box?.close(); // while it is open nothing outside can have the focus
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => {
    let live = true;
    void allCommands().then((found) => live && setAll(found));
    return () => {
      live = false;
    };
  }, []);

  const { found, meant } = useMemo(() => search(all?.commands ?? [], query), [all, query]);
  const chosen = found[Math.min(at, found.length - 1)];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the option that is chosen now comes into sight
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  const take = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    command.perform();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const last = found.length - 1;
    const now = Math.min(at, last);
    const to = { ArrowDown: now === last ? 0 : now + 1, ArrowUp: now <= 0 ? last : now - 1, PageDown: now + PAGE, PageUp: now - PAGE }[
      event.key
    ];
    if (to !== undefined) setAt(Math.max(0, Math.min(last, to)));
    else if (event.key === 'Enter') take(chosen);
    else return;
    event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the dialog's own way out; the press on the scrim only adds to it
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label={t('Search')}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className={styles.box}>
        <div className={styles.field}>
          <Icon name="search" />
          <input
            autoFocus
            type="text"
            role="combobox"
            aria-label={t('Search worlds, methods, papers, lessons, settings and actions')}
            aria-expanded={found.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={chosen === undefined ? undefined : `${id}-${found.indexOf(chosen)}`}
            placeholder={t('Worlds, methods, papers, lessons, settings, actions')}
            maxLength={LONGEST}
            autoComplete="off"
            spellCheck={false}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
          />
          <button type="button" className={styles.close} aria-label={t('Close (Esc)')} onClick={onClose}>
            <kbd>Esc</kbd>
          </button>
        </div>
        <p className={styles.meant} role="status" data-empty={meant === null && found.length > 0 ? '' : undefined}>
          {meant !== null ? (
            <>
              {t('Nothing is called “{value}”.', { value: query.trim() })} {t('Shown for')} <b>{meant}</b>:
            </>
          ) : all === null ? (
            t('Reading …')
          ) : found.length === 0 ? (
            t('Nothing is called “{value}”.', { value: query.trim() })
          ) : (
            <span className="visually-hidden">{t('{n} found', { n: found.length })}</span>
          )}
        </p>
        <div ref={list} id={`${id}-list`} className={styles.list} role="listbox" aria-label={t('Found')}>
          {found.map((command, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are taken by the text field, which keeps the focus
            <div
              key={command.id}
              id={`${id}-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={command === chosen}
              className={styles.option}
              onPointerMove={() => setAt(i)}
              onClick={() => take(command)}
            >
              <span className={styles.kind}>{command.kind}</span>
              <span className={styles.title}>{command.title}</span>
              {command.detail !== undefined && <span className={styles.detail}>{command.detail}</span>}
            </div>
          ))}
        </div>
        {all !== null && all.missing > 0 && (
          <p className={styles.note}>{t('Some lists could not be loaded: they are not on this device.')}</p>
        )}
      </div>
    </dialog>
  );
}

/** What matches; where nothing does, what matches the words that were probably meant. */
function search(commands: readonly Command[], query: string): { readonly found: readonly Command[]; readonly meant: string | null } {
  if (query.trim() === '') return { found: suggested(commands), meant: null };
  const found = rank(commands, query);
  if (found.length > 0) return { found, meant: null };
  const meant = corrected(
    query,
    commands.map(({ title }) => title),
  );
  return { found: meant === null ? [] : rank(commands, meant), meant };
}
