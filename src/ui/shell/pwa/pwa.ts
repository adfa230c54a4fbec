/**
 * Offline and updates. A new version waits until a person takes it; it is offered only while nothing trains. A panel whose code
 * vanished with an old release reloads the page once, and only while nothing trains.
 */
import { registerSW } from 'virtual:pwa-register';
import { firstPicture } from '#client/stage/first-picture.ts';
import { serverAnswers } from '#client/workers/machine.ts';
import { serviceWorkers } from '#client/workers/offline-worker.ts';
import { servedEnv } from '#client/workers/served.ts';
import { draftStore } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { machineStore, updateIsReady } from '#stores/machine.ts';
import { runsStore } from '#stores/runs.ts';
import { isHandled } from '#ui/kit/late.tsx';
import { phaseOf } from '#ui/kit/progress.ts';
import { toast } from '#ui/kit/toasts.ts';
import { watchInstall } from './install.ts';

let update: ((reload?: boolean) => Promise<void>) | null = null;
let offered = false;
/** After the service worker is ready, ms: the page is used first. */
const SETTLE_MS = 4000;
/**
 * Before the service worker is installed, ms. It fetches a thousand files: with five seeds training meanwhile, a third of their steps and three times the
 * long tasks of the page.
 */
const QUIET_MS = 5000;
/** A training is waited for this long, ms. */
const PATIENCE_MS = 120_000;

export function startPwa(): void {
  watchInstall();
  window.addEventListener('vite:preloadError', (event) => void notFetched(event.payload));

  const workers = serviceWorkers();
  if (workers === null || servedEnv() !== null) return; // a page that belongs to one server is not kept for offline
  void firstPicture()
    .then(untilNothingTrains)
    .then(() => {
      update = registerSW({
        immediate: true,
        onNeedRefresh: () => {
          updateIsReady();
          offerWhenIdle();
        },
        onRegisterError: () => undefined, // no worker here (a private window): the page works, online
      });
    });
  runsStore.subscribe(offerWhenIdle);
  void workers.ready.then(() =>
    setTimeout(() => {
      settle();
      keepTrainings();
    }, SETTLE_MS),
  );
}

/** Downloads the training code of the environment of the draft, so that Train works offline. */
function keepTrainings(): void {
  let last = '';
  const keep = (): void => {
    const { id } = draftStore.getState().config.env;
    if (id === last) return;
    last = id;
    void firstPicture()
      .then(() => import('#client/files/offline.ts'))
      .then(({ offline }) => offline.keepTraining(id))
      .catch(() => undefined); // offline, or no space: the training says what is missing
  };
  keep();
  draftStore.subscribe(keep);
}

async function untilNothingTrains(): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += QUIET_MS) {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    if (!training()) return;
  }
}

/** The service worker answers for this page from now on: what was loaded before is kept as well. */
function settle(): void {
  import('#client/files/offline.ts').then(({ offline }) => offline.settle()).catch(() => undefined); // offline, or no space: the next visit tries again
}

/**
 * A part of the page could not be fetched; the caller gets the error. Where the server answers, the file was removed with an older release; where it does
 * not, the part is not on this device.
 */
async function notFetched(error: unknown): Promise<void> {
  if (!(await serverAnswers())) sayMissing(error);
  else if (training())
    toast('A panel belongs to an older version of the page. It opens after a reload, once training is over.', { tone: 'caution' });
  else reloadOnce();
}

/** Of a part that no boundary on the page speaks for. */
function sayMissing(error: unknown): void {
  if (isHandled(error) || document.querySelector('[data-missing]') !== null) return;
  toast('This part of the page is not on this device. Connect once to open it, or keep everything for offline (dotted menu, Storage).', {
    tone: 'caution',
  });
}

function training(): boolean {
  return runsStore.getState().groups.some((group) => phaseOf(group) === 'running');
}

function offerWhenIdle(): void {
  if (offered || !machineStore.getState().updateReady || training()) return;
  offered = true;
  toast('A newer version is ready.', { action: { label: 'Update', run: () => layoutStore.getState().set('dialog', 'update') } });
}

export function applyUpdate(): void {
  if (!training()) void update?.(true);
}

/** Once per minute at most, so that a chunk that is truly gone cannot reload for ever. */
function reloadOnce(): void {
  const KEY = 'rl-workbench:reloaded';
  try {
    const last = Number(sessionStorage.getItem(KEY) ?? '0');
    if (Date.now() - last < 60_000) return;
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    return;
  }
  location.reload();
}
