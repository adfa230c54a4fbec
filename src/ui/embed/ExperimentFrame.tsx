/**
 * An experiment in a frame of another page: a poster until it is pressed or told to start; then the scene, the curve and the transport of one
 * experiment, which trains at once. Keeps nothing. Tells the page around it how training goes: kit/embed-protocol.ts.
 */

import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { runTitle } from '#client/runs/own-name.ts';
import { runs } from '#client/runs/service.ts';
import { startServices } from '#client/start.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { decodeLink } from '#contract/link/link.ts';
import { titleIn } from '#contract/own/text.ts';
import { CODE_SETTING } from '#contract/run/own-world.ts';
import { finiteOrNull } from '#math/finite.ts';
import { catalogStore } from '#stores/catalog.ts';
import { curves } from '#stores/curves.ts';
import { draftStore } from '#stores/draft.ts';
import { arrangePage, layoutStore } from '#stores/layout.ts';
import { ownStore } from '#stores/own.ts';
import type { Route } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import type { LayoutState } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { Boundary } from '#ui/kit/Boundary.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { type Command, type News, originOf } from '#ui/kit/embed-protocol.ts';
import { failureText } from '#ui/kit/format/failure.ts';
import { namedPicture } from '#ui/kit/picture/named.ts';
import { useStoredPicture } from '#ui/kit/picture/stored.ts';
import { phaseOf, progressOf } from '#ui/kit/progress.ts';
import { pressMain, transportNow } from '#ui/runs/useTransport.ts';
import { PhoneBar } from '#ui/shell/header/PhoneBar.tsx';
import styles from './Embed.module.css';
import { FrameBar, LONGEST_TITLE, useCommands, useTell } from './frame.tsx';

const loadStage = () => import('#ui/stage/Stage.tsx').then((module) => ({ default: module.Stage }));
const Stage = lazy(loadStage);
const CurvesRoom = lazy(() => import('#ui/runs/curves/CurvesRoom.tsx').then((module) => ({ default: module.CurvesRoom })));

const NEWS_MS = 250;

export default function ExperimentFrame({ route }: { readonly route: Route }) {
  const [begun, setBegun] = useState(false);
  const [opened, setOpened] = useState<Opened>('opening');
  const poster = useMemo(() => posterOf(route), [route]);
  const { picture, depth, problem } = poster;
  const named = useName(poster);
  const title = route.query.title?.slice(0, LONGEST_TITLE) ?? named;
  const origin = originOf(route.query.origin);
  const starting = useRef(false);
  const wrong = origin === null ? t('The "origin" of this address is no origin such as https://example.org.') : problem;

  const tell = useTell(origin);
  const start = useCallback(() => {
    if (starting.current || wrong !== '') return;
    starting.current = true;
    setBegun(true);
    void loadStage().catch(() => {}); // meanwhile; where it cannot be loaded, the scene says so when it is shown
    void startServices().then(async () => {
      arrangePage({ depth });
      const how = await openedHow();
      setOpened(how);
      if (how === 'open') void runs.train();
      else if (how === 'declined') tell({ type: 'failure', message: declined() });
    });
  }, [wrong, depth, tell]);

  useEffect(() => {
    if (wrong !== '') tell({ type: 'failure', message: wrong });
    else if (title !== null) tell({ type: 'ready', title });
  }, [tell, title, wrong]);

  useCommands(
    origin,
    useCallback((command: Command) => (command === 'start' ? start() : obey(command)), [start]),
  );

  useEffect(() => (begun ? follow(tell) : undefined), [begun, tell]);

  const address = useStoredPicture(picture);
  const still = picture !== '' && <img className={styles.picture} src={address} alt="" decoding="async" />;
  const whole = `${location.href.replace(/#.*$/, '')}#${route.id ?? ''}`;
  return (
    <div className={styles.embed}>
      <FrameBar title={title} whole={whole} />
      {begun ? (
        <main className={styles.main}>
          {opened === 'declined' && (
            <p className={styles.problem} role="alert">
              {declined()}
            </p>
          )}
          <section className={styles.stage} aria-label={t('Scene')}>
            <Boundary name={t('The scene')}>
              {/* Until the link is open the configuration is another one. */}
              {opened === 'opening' ? still : <Suspense fallback={still}>{opened !== 'declined' && <Stage />}</Suspense>}
            </Boundary>
          </section>
          <section className={styles.curves} aria-label={t('Curves')}>
            <Boundary name={t('Curves')}>
              <Suspense fallback={null}>
                <CurvesRoom />
              </Suspense>
            </Boundary>
          </section>
          <PhoneBar />
        </main>
      ) : (
        <main className={styles.poster}>
          {still}
          {wrong === '' ? (
            <Button kind="solid" icon="play" onClick={start}>
              {t('Train it here')}
            </Button>
          ) : (
            <p className={styles.problem} role="alert">
              {wrong}
            </p>
          )}
          {wrong === '' && <p className={styles.words}>{t('Loaded when it is pressed; nothing is stored.')}</p>}
        </main>
      )}
    </div>
  );
}

const declined = (): string =>
  t('Its code was not allowed to run, so there is nothing to train here. Load the page again to be asked again.');

/** `refused`: the page says why; `declined`: a person has looked at its code and does not run it. */
type Opened = 'opening' | 'open' | 'refused' | 'declined';

/**
 * How opening the link ended. Code that it carries is asked about first, and until that is answered, or where the link was refused, the set-up is another
 * one, which is not to be trained.
 */
async function openedHow(): Promise<Exclude<Opened, 'opening'>> {
  const { asked } = ownStore.getState();
  const answered = (): boolean => Object.values(ownStore.getState()).every((code) => code === null);
  if (!answered())
    await new Promise<void>((resolve) => {
      const stop = ownStore.subscribe(() => {
        if (!answered()) return;
        stop();
        resolve();
      });
    });
  if (layoutStore.getState().linkFailure !== null) return 'refused';
  return asked === null || draftStore.getState().config.env.id === asked.id ? 'open' : 'declined';
}

interface Poster {
  /** '': none is stored of the world as the link sets it. */
  readonly picture: string;
  /** Ids; null: the link names none. */
  readonly algo: string | null;
  readonly env: string | null;
  /** The title of an own world, whose id says nothing to a person. */
  readonly own: string | null;
  /** A frame has room for few controls, unless its link asks for more. */
  readonly depth: LayoutState['depth'];
  readonly problem: string;
}

/** What can be said of a link before the workbench is loaded. */
function posterOf({ id }: Route): Poster {
  const none = { picture: '', algo: null, env: null, own: null, depth: 'teach' } as const;
  try {
    const link = id === null ? null : decodeLink(`#${id}`);
    if (link === null) return { ...none, problem: t('The address of this frame names no experiment.') };
    const { env, algo } = link.config as {
      readonly env?: { readonly id?: string; readonly config?: JsonObject };
      readonly algo?: { readonly id?: string };
    };
    const code = env?.config?.[CODE_SETTING];
    return {
      picture: namedPicture(`#${id}`),
      algo: algo?.id ?? null,
      env: env?.id ?? null,
      own: typeof code === 'string' ? (titleIn(code) ?? t('a world in code')) : null,
      depth: link.view.depth ?? 'teach',
      problem: '',
    };
  } catch (error) {
    return { ...none, problem: failureText(toFailure(error)) };
  }
}

type Titles = typeof import('virtual:titles')['default'];
const NO_TITLES: Titles = { algos: {}, envs: {} };

/** What a link names, in words; null until the list of titles is here. Where it is not to be had, ids stand for them. */
function useName({ algo, env, own, problem }: Poster): string | null {
  const [titles, setTitles] = useState<Titles | null>(null);
  useEffect(() => {
    import('virtual:titles').then(
      ({ default: all }) => setTitles(all),
      () => setTitles(NO_TITLES),
    );
  }, []);
  if (problem !== '') return 'RL Workbench';
  if (titles === null) return null;
  const [method, world] = [algo === null ? null : (titles.algos[algo] ?? algo), own ?? (env === null ? null : (titles.envs[env] ?? env))];
  if (method !== null && world !== null) return runTitle(method, world);
  const only = method ?? world;
  return only === null ? t('An experiment') : t(only);
}

function obey(command: Exclude<Command, 'start'>): void {
  const transport = transportNow();
  if (transport.group === null) return;
  if (command === 'stop') runs.stop(transport.group.id);
  else if (transport.main === command) pressMain(transport);
}

/** Tells how the run goes until it is over; answers what stops the telling. */
function follow(tell: (news: News) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let told = '';
  const say = (): void => {
    timer = undefined;
    const { groups, activeId } = runsStore.getState();
    const group = groups.find(({ id }) => id === activeId);
    const { linkFailure } = layoutStore.getState();
    const [problem] = draftStore.getState().problems;
    const failure =
      group?.seeds.find((seed) => seed.failure !== null)?.failure ?? linkFailure ?? catalogStore.getState().failure ?? problem;
    if (failure !== undefined && failure !== null) {
      const text = failureText(failure);
      if (text !== told) tell({ type: 'failure', message: text });
      told = text;
      return;
    }
    if (group === undefined) return;
    const state = phaseOf(group);
    const { step, total } = progressOf(group);
    const key = `${group.id} ${state} ${step}`;
    if (key === told) return;
    told = key;
    const returns = group.seeds.map(({ seed }) => finiteOrNull(curves.series(group.id, seed, 'episodicReturn')?.values.at(-1)));
    tell({ type: 'progress', state, step, total, returns });
    if (state !== 'done') return;
    const seeds = group.seeds.flatMap(({ seed, result }) =>
      result === null
        ? []
        : [
            {
              seed,
              steps: result.steps,
              evalReturn: finiteOrNull(result.evalReturn),
              finalReturn: finiteOrNull(result.finalReturn),
              parameterHash: result.parameterHash,
            },
          ],
    );
    tell({ type: 'result', config: group.hash, seeds });
  };
  const later = (): void => {
    timer ??= setTimeout(say, NEWS_MS);
  };
  const stops = [runsStore.subscribe(later), catalogStore.subscribe(later), layoutStore.subscribe(later), draftStore.subscribe(later)];
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
