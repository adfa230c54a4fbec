/**
 * The whole page: the doors, the laboratory or a page over it, dialogs and messages. The laboratory, once entered, stays in the tree below
 * every page; its code is loaded when it is first entered, and before that as soon as a front page has nothing else to do.
 */
import { Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { firstPicture } from '#client/stage/first-picture.ts';
import { embedded, inLaboratory, inLesson, routeStore } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { Boundary } from '#ui/kit/Boundary.tsx';
import { late, viewsFetched } from '#ui/kit/late.tsx';
import { useRoom } from '#ui/kit/media.ts';
import { Toasts } from '#ui/kit/Toasts.tsx';
import { Dialogs } from '#ui/shell/dialogs/Dialogs.tsx';
import { DropTarget } from '#ui/shell/dialogs/DropTarget.tsx';
import { DOORS_ID, Doors } from '#ui/shell/doors/Doors.tsx';
import { LabTitle } from '#ui/shell/doors/LabTitle.tsx';
import styles from './App.module.css';
import { Pages } from './Pages.tsx';

const loadLaboratory = () => import('./Laboratory.tsx');
const Laboratory = late(loadLaboratory);
const Announcer = late(() => import('./Announcer.tsx'));

// A visit that begins in the laboratory waits for no view before it asks for the code.
if (inLaboratory(routeStore.getState())) void loadLaboratory();

export function App() {
  const room = useRoom();
  useStore(viewsFetched);
  const route = useStore(routeStore, (state) => state.route);
  const lesson = useStore(routeStore, inLesson);
  const page = route === null || lesson ? null : <Pages route={route} />;
  // A visit that begins on a page makes the laboratory when it first goes there; from then on it stays.
  const [entered, setEntered] = useState(page === null);
  if (page === null && !entered) setEntered(true);
  useEffect(() => (entered || embedded() ? undefined : whenRested(() => void loadLaboratory())), [entered]);

  const phone = room === 'phone';
  const doors = embedded() ? null : <Doors key="doors" phone={phone} />;
  const wait = <div className={styles.wait} />;

  return (
    <DropTarget>
      <div className={styles.shell}>
        {phone && doors !== null && (
          <button key="doors" type="button" className={styles.skip} onClick={toDoors}>
            {t('Skip to the menu below')}
          </button>
        )}
        {page === null && entered && (
          <a key="skip" className={styles.skip} href="#stage" data-from="lab">
            {t('Skip to the scene')}
          </a>
        )}
        {!phone && doors}
        <div key="content" className={styles.content}>
          {page === null && !lesson && <LabTitle />}
          {entered && (
            <Boundary name={t('The laboratory')}>
              <Suspense fallback={page === null ? wait : null}>
                <Laboratory hidden={page !== null} />
                <Announcer />
              </Suspense>
            </Boundary>
          )}
          {page !== null && (
            <Boundary name={t('This page')} page>
              <Suspense fallback={wait}>{page}</Suspense>
            </Boundary>
          )}
        </div>
        {phone && doors}
      </div>
      <Dialogs />
      <Toasts />
    </DropTarget>
  );
}

/** On a phone the doors come last, as they stand: behind all tiles of the front page. */
const toDoors = (): void => document.querySelector<HTMLElement>(`#${DOORS_ID} a`)?.focus();

/** Calls back once the page shows its first picture and rests; browsers without the idle callback wait a second. Answers how to give it up. */
function whenRested(then: () => void): () => void {
  let wanted = true;
  const call = (): void => {
    if (wanted) then();
  };
  void firstPicture().then(() => {
    if (typeof requestIdleCallback === 'undefined') setTimeout(call, 1000);
    else requestIdleCallback(call, { timeout: 5000 });
  });
  return () => {
    wanted = false;
  };
}
