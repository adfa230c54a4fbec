/**
 * The address bar and the draft: a link opens as a fresh draft and touches nothing stored; while a person edits, the hash follows
 * (replaced, not pushed, 300 ms after the last change). A link that cannot be opened stays in the bar, explains itself, and runs nothing.
 */

import { laboratory } from '#client/address/laboratory.ts';
import { openedFrom } from '#client/runs/origin.ts';
import { ruleChange } from '#client/runs/rules.ts';
import { canonicalJson } from '#contract/canonical.ts';
import type { RunConfig } from '#contract/config.ts';
import { fail, toFailure } from '#contract/errors.ts';
import { flatConfig, nestedPath } from '#contract/flat-settings.ts';
import { type Json, type JsonObject, mergeJson, objectOf } from '#contract/json.ts';
import { decodeLink, encodeLink, type LinkView, LONGEST_LINK, type OpenedLink } from '#contract/link.ts';
import type { Pin } from '#contract/link-pin.ts';
import { CODE_SETTING } from '#contract/own-world.ts';
import type { WatchApi } from '#contract/session.ts';
import { algoCard, catalogStore, envCard } from '#stores/catalog.ts';
import { curvesStore } from '#stores/curves.ts';
import { draftStore, isComing, isOpen, unlessLater } from '#stores/draft.ts';
import { depthOfLink, layoutStore, refuseLink } from '#stores/layout.ts';
import { openAfterAsking } from '#stores/own.ts';
import { openPin } from '#stores/pins.ts';
import { LAB, routeStore } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import type { Overlays } from '#stores/types.ts';

const SETTLE_MS = 300;
type Shown = NonNullable<LinkView['overlays']>;
const OVERLAYS = ['values', 'policy', 'visits', 'view'] as const;
const NORMAL_OVERLAYS: Shown = ['view'];
/** View settings that older links lack, each with the value that differs from the default. */
const LATER_OVERLAYS = [
  ['trails', '-trails'],
  ['rays', '-rays'],
  ['messages', '-messages'],
  ['forces', 'forces'],
  ['payouts', '-payouts'],
  ['potential', '-potential'],
] as const;

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
      const read = await unlessLater(this.read(hash));
      if (read !== null) this.apply(hash, read.link, read.config);
      // The address is still that of this link: it is written anew from what is set up, unless another link is on its way.
      else if (!isComing(draftStore.getState())) this.later();
      return isOpen(draftStore.getState());
    } catch (error) {
      clearTimeout(this.timer);
      if (!openAfterAsking(() => this.open(hash))) refuseLink(toFailure(error));
      return false;
    }
  }

  /** What a link says, once all of it is known to be good. */
  private apply(hash: string, link: OpenedLink, config: RunConfig): void {
    this.show(link.view, config);
    laboratory.moved(hash);
    draftStore.getState().open(config, link.experiment ?? link.view.experiment ?? null);
    if (hash !== ownLink()) openedFrom(config, { kind: 'link', title: '', address: hash });
    layoutStore.getState().set('linkFailure', null);
    layoutStore.getState().set('ruleChange', link.experiment === null ? ruleChange(link.config) : null);
  }

  /** The hash of the draft; throws link-too-long. */
  hash(room = LONGEST_LINK): string {
    const { config, experimentId } = draftStore.getState();
    return encodeLink(config, defaultsOf(config), currentView(experimentId), room);
  }

  /** The hash of any complete config, the page as usual or as `view` says; null where it is too long for a link. */
  hashOf(config: RunConfig, view: LinkView = {}): string | null {
    try {
      return encodeLink(config, defaultsOf(config), view);
    } catch {
      return null; // link-too-long is all that encoding throws
    }
  }

  /** The whole address of a complete config pinned to an explanation; throws link-too-long. */
  pinned(config: RunConfig, pin: Pin): string {
    const page = location.href.replace(/#.*$/, '');
    return page + encodeLink(config, defaultsOf(config), { tab: 'why', pin }, LONGEST_LINK - page.length);
  }

  /** The whole address of the draft; '' if it is too long, with the reason in the layout store. */
  address(): string {
    const page = location.href.replace(/#.*$/, '');
    try {
      const address = page + this.hash(LONGEST_LINK - page.length);
      layoutStore.getState().set('linkFailure', null);
      return address;
    } catch (error) {
      layoutStore.getState().set('linkFailure', toFailure(error));
      return '';
    }
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
    this.timer = setTimeout(() => this.write(), SETTLE_MS);
  }

  /** Called on hashchange, before anything is made of it. */
  answer(hash: string): void {
    this.answered = hash;
  }

  /** Called on hashchange: true if the hash is not one that this page wrote. */
  isForeign(hash: string): boolean {
    return hash !== laboratory.address;
  }

  private write(): void {
    const { problems, hash } = draftStore.getState();
    if (problems.length > 0 || hash === '' || routeStore.getState().route !== null) return;
    if (location.hash !== laboratory.address && location.hash !== this.answered) {
      this.later();
      return;
    }
    try {
      const hash = this.hash();
      laboratory.moved(hash);
      history.replaceState(history.state, '', hash);
      rememberOwn(hash);
    } catch {
      // Too long for a link. An old one in the bar would say something else than the page: better one that says nothing of it.
      laboratory.moved(LAB);
      history.replaceState(history.state, '', LAB);
    }
  }

  private async read(hash: string): Promise<{ readonly link: OpenedLink; readonly config: RunConfig }> {
    const link = decodeLink(hash)!; // an empty hash is not read
    return { link, config: await this.configOf(link) };
  }

  private async configOf(link: OpenedLink): Promise<RunConfig> {
    if (link.experiment === null) return this.watch().complete(await this.withRecommended(link.config));
    const card = catalogStore.getState().catalog?.experiments.find(({ id }) => id === link.experiment);
    if (card === undefined) {
      throw fail('link-foreign', `There is no experiment "${link.experiment}".`, 'Choose one from the gallery.');
    }
    // what an experiment calls by flat names, the link must call so too to stand over it
    const flat = (room: 'env' | 'algo'): JsonObject => {
      const ref = objectOf(link.config[room]);
      const id = typeof ref.id === 'string' ? ref.id : String(objectOf(card.config[room]).id);
      return { ...ref, config: flatConfig(id, objectOf(ref.config)) };
    };
    const over = { ...link.config, env: flat('env'), algo: flat('algo') };
    return this.watch().complete(mergeJson(card.config, over) as Json);
  }

  /**
   * A link that names an environment alone takes what is recommended for it; what the link says besides goes over it. The card of an own world comes
   * from its sandbox, which rejects where its code has to be asked about first.
   */
  private async withRecommended(config: JsonObject): Promise<JsonObject> {
    const { env, algo, run } = config as { readonly env: JsonObject; readonly algo: JsonObject; readonly run?: JsonObject };
    if (algo.id !== undefined) return config;
    const id = String(env.id);
    const code = objectOf(env.config)[CODE_SETTING];
    const card = envCard(id) ?? (typeof code === 'string' ? await this.watch().describe({ id, config: { [CODE_SETTING]: code } }) : null);
    if (card === null) return { ...config, algo: { ...algo, id: 'ppo' } }; // the unknown environment is what will be refused, by name
    const { recommended } = card;
    return mergeJson(
      { algo: { id: recommended.algo, config: recommended.config }, run: { steps: recommended.steps } },
      { env, algo, ...(run && { run }) },
    );
  }

  private show(view: LinkView, { algo, env }: RunConfig): void {
    const layout = layoutStore.getState();
    depthOfLink(view.depth);
    layout.set(
      'lock',
      (view.lock ?? []).map((path) => nestedPath({ algo: algo.id, env: env.id }, path)),
    );
    if (view.tab !== undefined) layout.set('tab', view.tab);
    if (view.projector !== undefined) layout.set('projector', view.projector);
    if (view.camera !== undefined) stageStore.getState().setCamera(view.camera);
    if (view.metric !== undefined) curvesStore.getState().setMetric(view.metric);
    if (view.filter !== undefined) runsStore.getState().setFilter(view.filter);
    openPin(view.pin ?? null);
    const { overlays } = view;
    if (overlays !== undefined) showOverlays(overlays);
  }
}

/** The code of an own world is a default of its card, but no one who opens the link has it. */
function defaultsOf({ env, algo }: RunConfig): { readonly env: JsonObject; readonly algo: JsonObject } {
  const { [CODE_SETTING]: _, ...own } = envCard(env.id)?.defaults ?? {};
  return { env: own, algo: algoCard(algo.id)?.defaults ?? {} };
}

function showOverlays(shown: Shown): void {
  const { setOverlay } = stageStore.getState();
  const usual = stageStore.getInitialState().overlays;
  for (const name of OVERLAYS) setOverlay(name, shown.includes(name));
  for (const [name, word] of LATER_OVERLAYS) setOverlay(name, usual[name] !== shown.includes(word));
}

function overlaysShown(overlays: Overlays): Shown {
  const usual = stageStore.getInitialState().overlays;
  const unusual = LATER_OVERLAYS.filter(([name]) => overlays[name] !== usual[name]);
  return [...OVERLAYS.filter((name) => overlays[name]), ...unusual.map(([, word]) => word)];
}

/** What of the view differs from a fresh page. */
function currentView(experiment: string | null): LinkView {
  const layout = layoutStore.getState();
  const { camera, overlays } = stageStore.getState();
  const { metric } = curvesStore.getState();
  const { filter } = runsStore.getState();
  const shown = overlaysShown(overlays);
  return {
    ...(layout.depth === 'lab' ? {} : { depth: layout.depth }),
    ...(layout.lock.length === 0 ? {} : { lock: [...layout.lock] }),
    ...(layout.tab === 'scene' ? {} : { tab: layout.tab }),
    ...(layout.projector ? { projector: true } : {}),
    ...(camera === 'home' ? {} : { camera }),
    ...(canonicalJson(shown) === canonicalJson(NORMAL_OVERLAYS) ? {} : { overlays: [...shown] }),
    ...(metric === curvesStore.getInitialState().metric ? {} : { metric }),
    ...(filter === '' ? {} : { filter }),
    ...(experiment === null ? {} : { experiment }),
  };
}
