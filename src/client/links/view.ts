/** What of the page's view travels in a link: showing what a link says, and saying what is shown. */
import { canonicalJson } from '#contract/kit/canonical.ts';
import type { LinkView } from '#contract/link/link.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { nestedPath } from '#contract/run/flat-settings.ts';
import { curvesStore } from '#stores/curves.ts';
import { depthOfLink, layoutStore } from '#stores/layout.ts';
import { openPin } from '#stores/pins.ts';
import { runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import type { LayoutState, Overlays } from '#stores/types.ts';

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

/**
 * The page shows what a link says of its view; what the link leaves out stays. `config`: the set-up of the link, complete; `usual`: the depth of a link
 * that says none.
 */
export function showView(view: LinkView, { algo, env }: RunConfig, usual: LayoutState['depth']): void {
  const layout = layoutStore.getState();
  depthOfLink(view.depth, usual);
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
export function currentView(experiment: string | null): LinkView {
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
