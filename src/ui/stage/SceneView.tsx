/** The picture: the page's one canvas, kept in step with the stage, named by what it shows, turned by pointer and arrow keys. */
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { game } from '#client/stage/service.ts';
import { type FrameSource, frameSize, isGrid } from '#contract/game/frames.ts';
import { finiteRange } from '#scenes/lib/colours.ts';
import { agentOffset } from '#scenes/lib/frames.ts';
import { NO_OVERLAY, type SceneOverlay } from '#scenes/types.ts';
import { layoutStore } from '#stores/layout.ts';
import { stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { onThemeChange } from '#ui/kit/theme/theme-change.ts';
import { agentsOf, marksOf } from './agents.ts';
import { cellStore, hoverCell, pinCell } from './cell.ts';
import { frameInWords } from './describe.ts';
import { heatStore } from './heat.ts';
import { marksStore } from './marks.ts';
import { useReducedMotion } from './motion.ts';
import { startPlayer } from './player.ts';
import { potentialRange, usePotential } from './potential.ts';
import styles from './Stage.module.css';
import { type HostedScene, hostScene } from './scene-host.ts';
import { signsOf } from './signs.ts';
import { aimAt, aimStore } from './team/aim.ts';
import { useStageEnv } from './useStageEnv.ts';

const DESCRIBE_MS = 700;
const TURN = 0.12;

interface Props {
  /** Something else is shown in its place: nothing is drawn meanwhile. */
  readonly covered: boolean;
  readonly onScene: (hosted: HostedScene) => void;
  /** Called with each source whose first frame is on the canvas. */
  readonly onShown: (source: FrameSource) => void;
}

/** Id of the element of the scene, which takes the focus while a person plays. */
export const SCENE = 'stage-scene';

export function SceneView({ covered, onScene, onShown }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const [hosted, setHosted] = useState<HostedScene | null>(null);
  const [notice, setNotice] = useState('');
  const camera = useStore(stageStore, (state) => state.camera);
  const overlay = useOverlay();
  const description = useDescription();
  const teach = useStore(layoutStore, (state) => state.depth === 'teach');
  const reduced = useReducedMotion();
  const still = useRef(reduced);
  still.current = reduced;

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    let stop: () => void = () => {};
    let gone = false;
    hostScene(element, {
      reducedMotion: still.current,
      onHover: hoverCell,
      onPick: (cell) => {
        if (!aimAt(cell)) pinCell(cell);
      },
      onPull: (pull) => void game.pull(pull),
      onContext: (state) => setNotice(state === 'lost' ? t('The graphics card took the picture away; it comes back by itself.') : ''),
    }).then(
      (ready) => {
        if (gone) return;
        const { canvas, scene } = ready;
        if (canvas.parentElement !== element) element.append(canvas);
        stop = onThemeChange(() => scene.refreshTheme());
        setHosted(ready);
        onScene(ready);
      },
      () =>
        setNotice(
          t(
            'This browser can draw neither with WebGL nor on a 2D canvas. Training works all the same; the text below the scene describes what happens.',
          ),
        ),
    );
    return () => {
      gone = true;
      stop();
    };
  }, [onScene]);

  // A new size draws the scene anew: one that is covered waits with it.
  useEffect(() => {
    const element = host.current;
    if (hosted === null || covered || element === null) return;
    const toSize = (): void => {
      if (element.clientWidth > 0) hosted.scene.resize(element.clientWidth, element.clientHeight, devicePixelRatio);
    };
    const observer = new ResizeObserver(toSize);
    observer.observe(element);
    toSize();
    return () => observer.disconnect();
  }, [hosted, covered]);
  useEffect(
    () => (hosted === null || covered ? undefined : startPlayer(hosted.scene, () => still.current, onShown)),
    [hosted, covered, onShown],
  );
  useEffect(() => {
    if (!covered) hosted?.scene.setOverlay(overlay);
  }, [hosted, overlay, covered]);
  useEffect(() => hosted?.scene.setCamera(camera), [hosted, camera]);
  useEffect(() => hosted?.scene.setReducedMotion(reduced), [hosted, reduced]);

  const keys = (event: KeyboardEvent): void => {
    if (hosted === null || stageStore.getState().mode === 'play' || event.ctrlKey || event.metaKey || event.altKey) return;
    const { scene } = hosted;
    if (event.key === 'ArrowLeft') scene.orbit(-TURN, 0, 1);
    else if (event.key === 'ArrowRight') scene.orbit(TURN, 0, 1);
    else if (event.key === 'ArrowUp') scene.orbit(0, TURN, 1);
    else if (event.key === 'ArrowDown') scene.orbit(0, -TURN, 1);
    else if (event.key === '+' || event.key === '=') scene.orbit(0, 0, 0.85);
    else if (event.key === '-') scene.orbit(0, 0, 1 / 0.85);
    else if (event.key === 'Home') scene.setCamera(stageStore.getState().camera);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div
        ref={host}
        id={SCENE}
        className={styles.view}
        role="img"
        tabIndex={teach ? -1 : 0} // in teach there is no camera to move
        aria-label={description}
        data-drawn={hosted === null ? undefined : hosted.flat ? 'flat' : 'webgl'}
        onKeyDown={keys}
      />
      {notice !== '' && (
        <p className={styles.notice} role="status">
          {notice}
        </p>
      )}
    </>
  );
}

/** The layers that are switched on, as the scene wants them. */
function useOverlay(): SceneOverlay {
  const source = useStore(stageStore, (state) => state.source);
  const overlays = useStore(stageStore, (state) => state.overlays);
  const valueMap = useStore(stageStore, (state) => state.valueMap);
  const visits = useStore(stageStore, (state) => state.visits);
  const pinned = useStore(cellStore, (state) => state.pinned);
  const action = useStore(cellStore, (state) => state.action);
  const heat = useStore(heatStore, (state) => state.cells);
  const said = useStore(marksStore, (state) => (state.on ? state.said : null));
  const env = useStageEnv();
  const potential = usePotential();
  const layout = source?.layout;
  const flags = useFlags();
  const aiming = useStore(aimStore, (state) => state.cell);
  return useMemo(() => {
    const { view, trails, rays, messages, forces, payouts } = overlays;
    const agents = env === null ? [] : marksOf(env);
    const plain = { agents, marks: said?.marks ?? [], ties: said?.ties ?? [], view, trails, rays, messages, forces, payouts };
    if (source === null || !isGrid(layout)) return { ...NO_OVERLAY, ...plain };
    const cells = layout.width * layout.height;
    const map = valueMap !== null && valueMap.values.length === cells ? valueMap : null;
    const labels = env?.action.labels ?? [];
    const judged = heat !== null && heat.length === cells ? heat : overlays.values && map !== null ? map.values : null;
    const painted = overlays.potential && judged === null ? potential : null;
    const values = judged ?? painted?.map((phi) => (phi === 0 ? Number.NaN : phi)) ?? null;
    return {
      values,
      range: painted !== null ? potentialRange(painted) : values === null ? NO_OVERLAY.range : finiteRange(values),
      signs: overlays.policy && map !== null ? signsOf(map, layout, labels, heading(), action) : [],
      visits: overlays.visits && visits !== null && visits.length === cells ? visits : null,
      ...plain,
      flags,
      marked: aiming >= 0 ? aiming : pinned,
    };
  }, [source, layout, overlays, valueMap, visits, pinned, action, heat, said, env, potential, flags, aiming]);
}

const NO_FLAGS: SceneOverlay['flags'] = [];

/** Cells that agents go to, as long as they stay the same the same list. */
function useFlags(): SceneOverlay['flags'] {
  const told = useStore(stageStore, ({ source, t: now }) => Array.from(source?.cells?.(now) ?? []).join(' '));
  return useMemo(() => {
    if (told === '') return NO_FLAGS;
    return told.split(' ').flatMap((cell, agent) => (cell === '-1' ? [] : [{ cell: Number(cell), agent }]));
  }, [told]);
}

/** Where the first agent looks in the frame shown now: value maps are made for that heading. */
function heading(): number {
  const { source, t } = stageStore.getState();
  const layout = source?.layout;
  if (source === null || !isGrid(layout) || layout.agents === 0) return 0;
  const frame = new Float32Array(frameSize(layout));
  return source.read(t, frame) ? Math.round(frame[agentOffset(layout) + 2]!) & 3 : 0;
}

/** What the picture shows, in words; brought up to date at once while it stands still, else now and then. */
function useDescription(): string {
  const source = useStore(stageStore, (state) => state.source);
  const message = useStore(stageStore, (state) => state.message);
  const playing = useStore(stageStore, (state) => state.playing);
  const env = useStageEnv();
  const [text, setText] = useState(() => t('The scene is loading.'));
  useEffect(() => {
    if (source === null) return;
    const frame = new Float32Array(frameSize(source.layout));
    const names = env === null ? [] : agentsOf(env).map(({ name }) => name);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = (): void => {
      timer = undefined;
      if (source.read(stageStore.getState().t, frame)) setText(`${message} ${frameInWords(source.layout, frame, names)}`.trim());
    };
    const later = (): void => {
      timer ??= setTimeout(say, playing ? DESCRIBE_MS : 30);
    };
    later();
    const stop = stageStore.subscribe(later);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [source, message, playing, env]);
  return text;
}
