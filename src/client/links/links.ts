/**
 * The address bar and the draft: a link opens as a fresh draft and touches nothing stored; while a person edits, the hash follows
 * (replaced, not pushed, 300 ms after the last change). A link that cannot be opened stays in the bar, explains itself, and runs nothing.
 */

import { laboratory } from '#client/address/laboratory.ts';
import { openedFrom } from '#client/runs/origin.ts';
import { late } from '#client/workers/late.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { curvesStore } from '#stores/curves.ts';
import { draftStore, isComing, isOpen, unlessLater } from '#stores/draft.ts';
import { layoutStore, refuseLink } from '#stores/layout.ts';
import { openAfterAsking } from '#stores/own.ts';
import { LAB, routeStore } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import type { ReadLink } from './reading.ts';

/** Most visits begin without a link: what reads and writes them is not needed before the first picture. */
export const linkReader = late(() => import('./reading.ts'));
const linkWriter = late(() => import('./writing.ts'));

const SETTLE_MS = 300;
/** In the tab's storage: what the address bar of this tab was made to say, which after a reload is no link that was received. */
const OWN_LINK = 'rl-workbench:own-link';

function ownLink(): string | null {
  try {
    return sessionStorage.getItem(OWN_LINK);
  } catch {
    return null; // storage is blocked: a reload counts as a link
  }
}

function rememberOwn(hash: string): void {
  try {
    sessionStorage.setItem(OWN_LINK, hash);
  } catch {
    // Storage is blocked.
  }
}

export class Links {
  private readonly watch: () => WatchApi;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private following = false;
  /** The newest address that the page has answered: one that has come since is on its way and must not be written over. */
  private answered = location.hash;

  constructor(watch: () => WatchApi) {
    this.watch = watch;
  }

  /**
   * Opens a hash as a draft. true: it is open, or what was chosen or asked for meanwhile; false: it was refused and the reason is shown, or something
   * else was asked for meanwhile and nothing is open yet; null: an empty hash.
   */
  async open(hash: string): Promise<boolean | null> {
    if (hash.length < 2) return null;
    try {
      const read = await unlessLater(linkReader().then(({ readLink }) => readLink(hash, this.watch())));
      if (read !== null) this.apply(hash, read);
      // The address is still that of this link: it is written anew from what is set up, unless another link is on its way.
      else if (!isComing(draftStore.getState())) this.later();
      return isOpen(draftStore.getState());
    } catch (error) {
      clearTimeout(this.timer);
      this.timer = undefined; // it may have passed, and wait for the code that writes
      if (!openAfterAsking(() => this.open(hash))) refuseLink(toFailure(error));
      return false;
    }
  }

  /** What a link says, once all of it is known to be good. */
  private apply(hash: string, { config, experiment, change, show }: ReadLink): void {
    show();
    laboratory.moved(hash);
    draftStore.getState().open(config, experiment);
    if (hash !== ownLink()) openedFrom(config, { kind: 'link', title: '', address: hash });
    layoutStore.getState().set('linkFailure', null);
    layoutStore.getState().set('ruleChange', change);
  }

  /** From now on the address bar follows the draft and the view. */
  follow(): void {
    if (this.following) return;
    this.following = true;
    const later = (): void => this.later();
    draftStore.subscribe((state, before) => {
      if (state.hash !== before.hash || state.experimentId !== before.experimentId) later();
    });
    layoutStore.subscribe((state, before) => {
      if (state.depth !== before.depth || state.projector !== before.projector || state.tab !== before.tab) later();
    });
    stageStore.subscribe((state, before) => {
      if (state.camera !== before.camera || state.overlays !== before.overlays) later();
    });
    runsStore.subscribe((state, before) => {
      if (state.filter !== before.filter) later();
    });
    curvesStore.subscribe((state, before) => {
      if (state.metric !== before.metric) later();
    });
    routeStore.subscribe((state, before) => {
      if (state.route === null && before.route !== null) later();
    });
  }

  private later(): void {
    clearTimeout(this.timer);
    const timer = setTimeout(async () => {
      const writer = await linkWriter().catch(() => null); // without a network
      if (this.timer === timer) this.write(writer);
    }, SETTLE_MS);
    this.timer = timer;
  }

  /** Called on hashchange, before anything is made of it. */
  answer(hash: string): void {
    this.answered = hash;
  }

  /** Called on hashchange: true if the hash is not one that this page wrote. */
  isForeign(hash: string): boolean {
    return hash !== laboratory.address;
  }

  private write(writer: Awaited<ReturnType<typeof linkWriter>> | null): void {
    const draft = draftStore.getState();
    if (draft.problems.length > 0 || !isOpen(draft) || routeStore.getState().route !== null) return;
    if (location.hash !== laboratory.address && location.hash !== this.answered) {
      this.later();
      return;
    }
    const own = writer?.draftHash() ?? null;
    // Too long for a link, or the code is not here. An old one in the bar would say something else than the page: better one that says nothing of it.
    laboratory.moved(own ?? LAB);
    history.replaceState(history.state, '', own ?? LAB);
    if (own !== null) rememberOwn(own);
  }
}
