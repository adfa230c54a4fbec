/** P084: the mazes that the learner is given, trained here, from easy to hard, and one of the visitor's own, drawn and handed to what it learned. */
import { useEffect, useId, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { type Maze, mazeOf, playMaze, type Tried } from '#client/compare/mazes.ts';
import { quickPolicy } from '#client/compare/papers.ts';
import { decodePolicyFile } from '#contract/files/files.ts';
import { levelsOf } from '#contract/files/levels.ts';
import type { Cells } from '#contract/game/map-cells.ts';
import { blocks } from '#contract/game/map-check.ts';
import type { MapFormat } from '#contract/game/maps.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { policiesStore } from '#stores/policies.ts';
import { runsStore } from '#stores/runs.ts';
import { t } from '#text/text.ts';
import { blank, codeOf, inWords, paint, writeRows } from '#ui/form/map/format.ts';
import { MapGrid } from '#ui/form/map/MapGrid.tsx';
import { type Brush, Palette } from '#ui/form/map/Palette.tsx';
import { mapInView, type Start } from '#ui/form/map/start.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact, percent } from '#ui/kit/format/numbers.ts';
import { LevelMaps, type LevelOrder } from '#ui/runs/levels/LevelMaps.tsx';
import { hasPolicy, policyOf } from '../policies.ts';
import { usePaperRuns } from '../usePaperRuns.ts';
import { Episode } from './Episode.tsx';
import styles from './Levels.module.css';

/** Whose mazes are shown, and who plays. */
const ARM = 'frontier';
/** What a maze is made of: nothing, walls and the goal. */
const TILES = 3;
type Size = { readonly width: number; readonly height: number };
const FIRST_START: Start = [1, 1, 0];

/** Steps that are trained here: some tens of seconds. */
const STEPS = 400_000;

export default function Levels({ card }: { readonly card: JudgedCard }) {
  const there = useMemo(() => alone(card), [card]);
  const { now, problem: failed, start, resume } = usePaperRuns(there, true);
  const version = useStore(policiesStore, (state) => state.version);
  const [maze, setMaze] = useState<Maze | null>(null);
  const [policy, setPolicy] = useState<PolicySnapshot | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let live = true;
    const [arm] = there.arms;
    if (arm !== undefined)
      mazeOf(there, arm).then(
        (found) => live && setMaze(found),
        (error: unknown) => live && setProblem(error instanceof Error ? error.message : String(error)),
      );
    return () => {
      live = false;
    };
  }, [there]);
  useEffect(() => {
    let live = true;
    if (hasPolicy(card.id, ARM))
      policyOf(card.id, ARM)
        .then(async (file) => decodePolicyFile(await file.text()))
        .then(
          (found) => live && setPolicy((here) => here ?? found),
          () => {}, // what is trained here takes its place
        );
    return () => {
      live = false;
    };
  }, [card.id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a policy that is newer is shown as soon as it is there
  useEffect(() => {
    let live = true;
    quickPolicy(there, ARM, runsStore.getState().groups).then(
      (found) => live && found !== null && setPolicy(found),
      () => {}, // until there is one, nothing plays
    );
    return () => {
      live = false;
    };
  }, [there, version, now?.done]);
  const training = now?.started === true && !now.done;
  return (
    <div className={styles.levels}>
      <p className={styles.quiet}>
        {t('The learner at the frontier is trained here, in {n} steps: some tens of seconds.', { n: compact(STEPS) })}
      </p>
      <div className={styles.row}>
        <Button icon="play" kind="solid" disabled={now === null || (now.started && resume === null)} onClick={resume ?? start}>
          {t('Train it here')}
        </Button>
        {training && <p role="status">{t('Training: {share}.', { share: percent(Math.floor(100 * now.share)) })}</p>}
      </div>
      {[failed, problem, ...(now?.failures ?? [])].map(
        (text) =>
          text !== '' && (
            <p key={text} role="alert">
              {text}
            </p>
          ),
      )}
      {maze !== null && policy !== null && <Board maze={maze} policy={policy} />}
    </div>
  );
}

/** The learner at the frontier on its own, in few steps; nothing is judged. */
function alone(card: JudgedCard): JudgedCard {
  return {
    ...card,
    arms: card.arms.filter(({ id }) => id === ARM),
    contrasts: [{ id: 'end', kind: 'level', arm: ARM, claim: 'above', none: 0 }],
    quick: { run: { steps: STEPS, evalEpisodes: 20 }, seeds: 1 },
  };
}

/** Of a picture that never changes: what reads its only frame. */
const copyOf =
  (frame: Float32Array) =>
  (_: number, out: Float32Array): boolean => {
    out.set(frame);
    return true;
  };

/** Walls and one goal: nothing else stands in the mazes that were learned in. */
const mazeFormat = (format: MapFormat): MapFormat => ({
  ...format,
  tiles: format.tiles.slice(0, TILES).map((tile) => (tile.look === 'goal' ? { ...tile, once: true } : tile)),
});

/** The goal in the other corner and a wall in between. */
function firstMaze(format: MapFormat, { width, height }: Size): Cells {
  let cells = emptyMaze(format, { width, height });
  for (let y = 1; y < height - 3; y++) cells = paint(format, cells, Math.floor(width / 2), y, codeOf(format.tiles[1]!, ''));
  return paint(format, cells, width - 2, 1, codeOf(format.tiles[2]!, ''));
}

/** Walls all around and the goal in a corner. */
const emptyMaze = (format: MapFormat, { width, height }: Size): Cells =>
  paint(format, blank(format, width, height), width - 2, height - 2, codeOf(format.tiles[2]!, ''));

function Board({ maze, policy }: { readonly maze: Maze; readonly policy: PolicySnapshot }) {
  const shown = useMemo(() => levelsOf(policy), [policy]);
  const format = useMemo(() => mazeFormat(maze.format), [maze]);
  const [order, setOrder] = useState<LevelOrder>('length');
  const [pressed, setPressed] = useState<number | null>(null);
  const [cells, setCells] = useState<Cells>(() => firstMaze(format, maze.frame));
  const [start, setStart] = useState<Start>(FIRST_START);
  const [brush, setBrush] = useState<Brush>(1);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [tries, setTries] = useState<readonly Tried[]>([]);
  const id = useId();
  const tile = brush === 'agent' ? null : (format.tiles[brush] ?? null);
  const last = tries.at(-1) ?? null;

  const put = (next: Cells, at: Start): void => {
    setCells(next);
    setStart(at);
    setTries([]);
    setProblem('');
  };
  /** Where walls stand all around and the agent does not stand in one. */
  const draw = (next: Cells): void => {
    const inside = next.map((row, y) =>
      row.map((code, x) => (x === 0 || y === 0 || x === row.length - 1 || y === next.length - 1 ? (format.edge ?? code) : code)),
    );
    if (!blocks(format, inside[start[1]]?.[start[0]] ?? '')) put(inside, start);
  };
  const turn = (x: number, y: number): string => {
    if (blocks(format, cells[y]?.[x] ?? '')) return t('The agent cannot stand there.');
    const here = start[0] === x && start[1] === y;
    put(cells, [x, y, here ? (start[2] + 1) % 4 : start[2]]);
    return t('agent at row {row}, column {column}', { row: y + 1, column: x + 1 });
  };
  const choose = (key: string): string | null => {
    const next = '1234'.indexOf(key);
    if (next < 0) return null;
    setBrush(next === format.tiles.length ? 'agent' : next);
    return next === format.tiles.length ? t('agent') : inWords(format, codeOf(format.tiles[next]!, ''));
  };
  const hand = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      const tried = await playMaze(maze, policy, { rows: writeRows(format, cells), start, seed: 1 + tries.length });
      setTries((before) => [...before, tried]);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  const solved = tries.filter((one) => one.solved).length;
  return (
    <>
      {shown !== null && (
        <section aria-labelledby={`${id}-given`}>
          <h2 id={`${id}-given`}>{t('The mazes that it is given')}</h2>
          <p className={styles.quiet}>
            {t(
              'Of {kept} mazes that are kept these {count} lie nearest to being solved half of the time. Press one to lay it on the drawing board.',
              {
                kept: shown.kept,
                count: shown.levels.length,
              },
            )}
          </p>
          <LevelMaps
            levels={shown.levels}
            env={maze.env}
            layout={maze.frame}
            order={order}
            onOrder={setOrder}
            pressed={pressed}
            onPress={(level, i) => {
              setPressed(i);
              const source = { layout: maze.frame, length: 1, dt: 1, read: copyOf(level.frame) };
              const laid = mapInView(format, source, maze.frame);
              if (laid !== null) put(laid.cells, laid.start);
            }}
          />
        </section>
      )}
      <section aria-labelledby={`${id}-own`}>
        <h2 id={`${id}-own`}>{t('Draw one and hand it over')}</h2>
        <p className={styles.quiet}>{t('It sees five by five cells ahead of it and remembers nothing.')}</p>
        <Palette format={format} agent chosen={brush} colour="" onChoose={setBrush} onColour={() => {}} />
        <div className={styles.board}>
          <MapGrid
            format={format}
            cells={cells}
            start={start}
            invalid={false}
            labelId={`${id}-own`}
            describedBy={`${id}-said`}
            stroke={(now, x, y, erase) => {
              const put = erase ? format.tiles[0]! : tile;
              return put === null ? null : paint(format, now, x, y, codeOf(put, ''));
            }}
            erases={(x, y) => cells[y]?.[x] === (tile && codeOf(tile, '')) && !tile?.once}
            onPaint={draw}
            onPress={turn}
            onKey={choose}
          />
        </div>
        <div className={styles.row}>
          <Button icon="play" kind="solid" disabled={busy} onClick={() => void hand()}>
            {tries.length === 0 ? t('Hand it over') : t('Once more')}
          </Button>
          <Button kind="bare" onClick={() => put(emptyMaze(format, maze.frame), start)}>
            {t('Clear')}
          </Button>
        </div>
        <p id={`${id}-said`} role="status">
          {problem !== ''
            ? problem
            : busy
              ? t('It plays.')
              : last === null
                ? ''
                : [
                    last.solved ? t('Solved in {n} steps', { n: last.steps }) : t('Not solved in {n} steps', { n: last.steps }),
                    last.solution === undefined
                      ? null
                      : last.solution === null
                        ? t('no solution')
                        : t('at best in {n}', { n: last.solution.steps }),
                    t('solved {solved} of {all} times', { solved, all: tries.length }),
                  ]
                    .filter((part) => part !== null)
                    .join(', ')}
        </p>
        {last !== null && <Episode key={tries.length} replay={last.replay} layout={maze.frame} />}
      </section>
    </>
  );
}
