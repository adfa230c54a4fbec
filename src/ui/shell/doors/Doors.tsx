/** The four doors, on every screen: in a bar at the top, on a phone at the thumb. Beside them the open run, the command box and the help. */
import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { laboratory } from '#client/address/laboratory.ts';
import { nameShown } from '#client/runs/own-name.ts';
import { catalogStore } from '#stores/catalog.ts';
import { DOORS, type DoorId, pageFacts } from '#stores/pages.ts';
import { hashOf, inLesson, type Route, routeStore } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { pressable } from '#ui/kit/action.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Icon, Mark } from '#ui/kit/Icon.tsx';
import { useSetupName } from '#ui/kit/useTitle.ts';
import { useTransport } from '#ui/runs/useTransport.ts';
import { commandBox, help } from '../actions.ts';
import styles from './Doors.module.css';
import { howFar } from './how-far.ts';

export const DOORS_ID = 'doors';

/** The first paint does not wait for it; its place is kept. */
const LanguageMenu = lazy(() => import('./LanguageMenu.tsx').then((module) => ({ default: module.LanguageMenu })));

/** The door under which an address stands: the laboratory shows a world. */
const doorOf = (route: Route | null): DoorId | null => (route === null ? 'worlds' : pageFacts(route.page).door);

export function Doors({ phone }: { readonly phone: boolean }) {
  const route = useStore(routeStore, (state) => state.route);
  const lesson = useStore(routeStore, inLesson);
  const here = doorOf(route);
  const away = route !== null && !lesson;
  const languages = (
    <Suspense fallback={<span className={styles.languageWait} />}>
      <LanguageMenu phone={phone} />
    </Suspense>
  );
  const doors = (
    <nav id={DOORS_ID} className={styles.doors} aria-label={t('Main')}>
      {DOORS.map(({ id, title, page, icon }) => (
        <a
          key={id}
          href={hashOf({ page, id: null, query: {} })}
          // On the page itself, or somewhere behind the door.
          aria-current={id !== here ? undefined : route?.page === page && route.id === null ? 'page' : 'true'}
        >
          <Icon name={icon} size={phone ? 20 : 16} />
          <span>{t(title)}</span>
        </a>
      ))}
      {phone && (
        <button type="button" onClick={() => commandBox.perform()}>
          <Icon name="search" size={20} />
          <span>{t('Search')}</span>
        </button>
      )}
      {phone && languages}
    </nav>
  );
  if (phone)
    return (
      <div className={styles.bottom}>
        {away && <OpenRun />}
        {doors}
      </div>
    );
  return (
    <header className={styles.bar}>
      <a className={styles.brand} href={hashOf({ page: 'home', id: null, query: {} })} aria-label={t('RL Workbench')}>
        <Mark />
        <span>{t('RL Workbench')}</span>
      </a>
      {doors}
      <span className={styles.space} />
      {away && <OpenRun />}
      <button type="button" className={styles.search} aria-keyshortcuts="Control+K Meta+K" onClick={() => commandBox.perform()}>
        <Icon name="search" />
        <span>{t('Search')}</span>
        <kbd>Ctrl K</kbd>
      </button>
      {languages}
      <Button kind="bare" icon="help" {...pressable(help)} />
    </header>
  );
}

/** The way back to what is open in the laboratory, with how far its run is. */
function OpenRun() {
  const title = useSetupName();
  const { group } = useTransport();
  const far = group === null ? '' : howFar(group);
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const name = group !== null ? nameShown(group, catalog) : title === '' ? t('Laboratory') : title;
  return (
    <button
      type="button"
      className={styles.open}
      aria-label={`${t('Laboratory: {name}', { name })}${far === '' ? '' : `, ${far}`}`}
      title={t('Back to the laboratory')}
      onClick={() => laboratory.back()}
    >
      <span className={styles.swatch} style={{ background: group === null ? 'var(--line-strong)' : `var(--series-${group.colour % 8})` }} />
      <span className={styles.name}>{name}</span>
      {far !== '' && <span className={styles.far}>{far}</span>}
    </button>
  );
}
