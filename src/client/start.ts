/**
 * Starts the page's services: says what higher ones do about the news of lower ones, fills the catalogue, opens the link of the address bar or the first
 * experiment, restores the list of runs.
 */
import { openPage } from '#client/address/pages.ts';
import { files } from '#client/files/service.ts';
import { addressBar } from '#client/links/address-bar.ts';
import { installHook } from '#client/links/hook.ts';
import { linkReader } from '#client/links/links.ts';
import { listenToPage } from '#client/links/page.ts';
import { findPinned, links } from '#client/links/service.ts';
import { sendOwnWorldsElsewhere } from '#client/own/elsewhere.ts';
import {
  draftChecked,
  drafts,
  inbox,
  library,
  persistence,
  policyCame,
  pool,
  saving,
  storageOpened,
  tabs,
  trainer,
  visitsCame,
} from '#client/runs/parts.ts';
import { runs, runsAreBack, strengthTests } from '#client/runs/service.ts';
import { currentSubject } from '#client/runs/subject.ts';
import { offerUnfinished } from '#client/runs/unfinished.ts';
import { firstPicture, frontPageMoves } from '#client/stage/first-picture.ts';
import { inspector, stageController, tickGame } from '#client/stage/service.ts';
import { startClock } from '#client/stage/stage-clock.ts';
import { probeMachine, reportStorage } from '#client/workers/machine.ts';
import { workers } from '#client/workers/service.ts';
import type { Json } from '#contract/kit/json.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore, isOpen } from '#stores/draft.ts';
import { policiesStore } from '#stores/policies.ts';
import { embedded, embeddedCard, inLesson, routeStore } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { cellsVisited, stageStore } from '#stores/stage.ts';

sendOwnWorldsElsewhere();
workers.restarted.on((stuck) => {
  stageController.forgetHeld();
  if (catalogStore.getState().catalog === null) void workers.loadCatalog();
  else if (stuck) stageController.tookTooLong();
  else void stageController.nextEpisode();
  void drafts.checkAgain();
});
draftChecked.on(() => void stageController.refresh());
policyCame.on((runId) => {
  if (runsStore.getState().activeId !== runId) return;
  stageController.listCheckpoints();
  stageController.renew();
  if (stageStore.getState().policy?.runId !== runId && stageStore.getState().mode === 'live') void stageController.refresh();
});
visitsCame.on((runId, seed, visits) => {
  const subject = currentSubject();
  if (subject?.group?.id === runId && subject.seed === seed) cellsVisited(visits);
});
/** What the storage held before this visit is shown beside what was made meanwhile. */
storageOpened.on(async () => {
  const kept = await persistence;
  try {
    await kept.restore();
    await reportStorage(await library);
    await kept.readAll();
  } catch (error) {
    saving.pageWrote(error);
  }
});

/** The experiment of a visit without a link. A lesson opens a set-up of its own: until it is left, nothing else is drawn before it. */
async function openFirst(): Promise<void> {
  if (inLesson(routeStore.getState())) {
    const stop = routeStore.subscribe((state) => {
      if (inLesson(state)) return;
      stop();
      void openFirst();
    });
    return;
  }
  if (isOpen(draftStore.getState())) return;
  const card = catalogStore.getState().catalog?.experiments[0];
  if (card === undefined) return;
  const first = await workers.player().complete(card.config as Json);
  // A lesson may have opened its own set-up meanwhile: its page is there before the laboratory.
  if (!isOpen(draftStore.getState())) draftStore.getState().openUnasked(first, card.id);
}

const onFrontPage = (): boolean => routeStore.getState().route?.page === 'home';

/** Resolves when the front page plays a scene, or is left. */
function frontPageShown(): Promise<void> {
  if (!onFrontPage()) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      stop();
      resolve();
    };
    const stop = routeStore.subscribe(() => onFrontPage() || done());
    void firstPicture().then(done);
  });
}

/** What a run has measured and learned may still be on the disk: the stage looks again when it is here. */
async function showActive(runId: string | null): Promise<void> {
  if (runId !== null) await stageController.leaveGame();
  await stageController.refresh();
  if (runId === null) return;
  await runs.read(runId);
  if (runsStore.getState().activeId === runId) await stageController.refresh();
}

/** Stage, inspector and runs follow each other from now on. */
function follow(): void {
  startClock({
    ready: (t) => (stageStore.getState().source as { has?: (t: number) => boolean } | null)?.has?.(t) ?? true,
    onEnd: () => stageController.atEnd(),
    onPlay: tickGame,
  });
  stageStore.subscribe((state, before) => {
    if (state.t === before.t && state.replay === before.replay) return;
    stageController.updateReturn();
    stageController.renew();
  });
  runsStore.subscribe((state, before) => {
    if (state.activeId !== before.activeId) void showActive(state.activeId);
    else stageController.renew();
  });
  policiesStore.subscribe(() => void strengthTests.wake());
  runsStore.subscribe(() => void strengthTests.wake());
  document.addEventListener('visibilitychange', () => void strengthTests.wake());
  stageStore.subscribe(() => inspector.tick());
  inspector.tick();
}

const perf = { bootMs: 0, catalogMs: 0 };

/** Never throws: what fails is in the stores. */
export async function startServices(): Promise<void> {
  const begun = performance.now();
  const asked = location.hash; // a press may lead to a page while the catalogue is on its way
  installHook({ events: () => inbox.log, perf: () => ({ ...perf, eventsReceived: inbox.received }) });
  probeMachine();
  if (asked.length > 1 && !asked.startsWith('#/')) void linkReader().catch(() => {}); // while the catalogue comes; opening the link asks again
  if (onFrontPage()) await frontPageMoves();
  await workers.loadCatalog();
  if (catalogStore.getState().catalog === null) return;
  perf.catalogMs = performance.now() - begun;
  drafts.follow();
  const { route } = routeStore.getState();
  const framed = embedded() && route !== null && !embeddedCard(route);
  const link = framed ? `#${route.id}` : asked.startsWith('#/') ? '' : asked; // '' opens the first experiment
  const { hash } = location;
  const opened = await addressBar.open(openPage(hash) ? link : hash);
  // Scenes of the front page are made by the worker that plays for the laboratory: one below that page waits for the first of them.
  const front = onFrontPage();
  if (opened !== true && !embedded() && !front) await openFirst();
  addressBar.follow();
  follow();
  listenToPage({
    opened: hash,
    links: addressBar,
    openLink: links.open,
    busy: () => pool.busy,
    wasFrozen: (ms) => trainer.wasFrozen(ms),
    leaving: () => {
      trainer.saveAll();
      void persistence.then((kept) => kept.flush());
    },
    closing: () => files.forgetRemoved(),
  });
  perf.bootMs = performance.now() - begun;
  const kept = await persistence;
  await kept.restore().catch((error: unknown) => saving.pageWrote(error)); // the page goes on without what it cannot read
  tabs.ask();
  kept.follow();
  if (front) {
    await frontPageShown();
    if (opened !== true) await openFirst();
  }
  // What is looked at first comes first.
  await offerUnfinished(opened === null && !inLesson(routeStore.getState()), (runId) => kept.readRun(runId))
    .then(() => stageController.refresh())
    .catch((error: unknown) => saving.pageWrote(error));
  await findPinned();
  await kept.sweep().catch((error: unknown) => saving.pageWrote(error));
  runsAreBack();
  await reportStorage(await library);
  await kept.readAll().catch((error: unknown) => saving.pageWrote(error));
}
