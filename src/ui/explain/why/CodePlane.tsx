/** The code that a policy makes of its partner, as a point that moves while the episode plays or a person is the partner, beside the codes of episodes before. */
import { useEffect, useState } from 'react';
import { game } from '#client/stage/service.ts';
import { spoken } from '#contract/game/seats.ts';
import type { ExtraCard, Inspection } from '#contract/session/session.ts';
import { explainStore } from '#stores/explain.ts';
import { stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { policyTitle } from '#ui/form/env-words.ts';
import { type CodePoint, inPlane, type PlacedPoint, withPoint } from './plane.ts';
import styles from './Why.module.css';

/** One drawing per so many ms, whatever the speed of the episode. */
const EVERY_MS = 200;
const SIZE = 200; // of the picture, in its own units
const EDGE = 14;
const LEAST = 3;

interface Seen {
  readonly key: string;
  /** The episode that was shown last: its replay, or the scene of a game. */
  readonly replay: unknown;
  readonly episode: number;
  readonly points: readonly CodePoint[];
}
/** Kept while the panel is closed: other partners are compared over episodes. */
let seen: Seen = { key: '', replay: null, episode: 0, points: [] };

interface Told {
  readonly key: string;
  readonly code: Float32Array;
  /** What tells this episode from others. */
  readonly of: unknown;
  readonly frame: number;
  readonly who: string;
}

/** Takes a code, if it is a new one. */
function take({ key, code, of, frame, who }: Told): void {
  const before = key === seen.key ? seen : { key, replay: of, episode: 0, points: [] };
  const episode = before.replay === of ? before.episode : before.episode + 1;
  const last = before.points.at(-1);
  const known = last !== undefined && last.episode === episode && last.t === frame;
  seen = { key, replay: of, episode, points: known ? before.points : withPoint(before.points, { code, episode, t: frame, who }) };
}

const valuesIn = (extras: Inspection['extras'] | undefined, id: string): Float32Array | undefined =>
  extras?.find(({ card }) => card.id === id)?.values.slice();

/** Takes the code of what is shown now. */
function look(id: string): Seen {
  const { inspection, replay, policy, t: frame } = stageStore.getState();
  const code = valuesIn(inspection?.extras, id);
  if (code === undefined || replay === null) return seen;
  const who = (replay.partners ?? []).map(({ seat, player }) => `${spoken(seat)} ${policyTitle(player)}`).join(', ');
  take({ key: `${policy?.key ?? ''} ${explainStore.getState().agent}`, code, of: replay, frame, who });
  return seen;
}

const at = (value: number): number => SIZE / 2 + value * (SIZE / 2 - EDGE);

/** Shapes tell partners apart where colours do not. */
function Mark({ x, y, shape, colour, faint }: { x: number; y: number; shape: number; colour: string; faint: boolean }) {
  const opacity = faint ? 0.45 : 1;
  if (shape % 3 === 0) return <circle cx={x} cy={y} r="3" fill={colour} opacity={opacity} />;
  const turn = shape % 3 === 2 ? `rotate(45 ${x} ${y})` : undefined;
  return <rect x={x - 2.75} y={y - 2.75} width="5.5" height="5.5" fill={colour} opacity={opacity} transform={turn} />;
}

/** Of the policy on the stage. */
export function CodePlane({ card }: { readonly card: ExtraCard }) {
  const [now, setNow] = useState(() => look(card.id));
  useEffect(() => {
    const timer = setInterval(() => setNow(look(card.id)), EVERY_MS);
    return () => clearInterval(timer);
  }, [card.id]);
  return <Plane {...now} />;
}

/** Of the policy that plays beside a person, in the game and after it: the person’s own moments come among those of episodes watched before. */
export function CodePlaneOfGame() {
  const [now, setNow] = useState(() => (seen.points.at(-1)?.who === t('you') ? seen : null));
  useEffect(() => {
    let open = true;
    const ask = async (): Promise<void> => {
      const { source, t: frame } = stageStore.getState();
      const beside = await game.besideSays().catch(() => null); // the game has ended meanwhile
      const card = beside?.extras.find((one) => one.card.plane === true)?.card;
      if (!open || beside === null || card === undefined) return;
      const code = valuesIn(beside.extras, card.id);
      const key = `${beside.policy} ${explainStore.getState().agent}`;
      if (code !== undefined) take({ key, code, of: source, frame, who: t('you') });
      setNow(seen);
    };
    const timer = setInterval(() => void ask(), EVERY_MS);
    return () => {
      open = false;
      clearInterval(timer);
    };
  }, []);
  return now && <Plane {...now} />;
}

function Plane({ points, episode }: Seen) {
  if (points.length < LEAST) return null;
  const placed = inPlane(points);
  const names = [...new Set(points.map(({ who }) => who))];
  const colourOf = (who: string): string => `var(--series-${names.indexOf(who) % 8})`;
  const now = placed.filter(({ point }) => point.episode === episode).toSorted((a, b) => a.point.t - b.point.t);
  const here = placed.at(-1);
  const path = now.map(({ x, y }: PlacedPoint) => `${at(x)},${at(-y)}`).join(' ');
  return (
    <figure className={styles.plane}>
      <h3>{t('The code as a point')}</h3>
      <svg
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        role="img"
        aria-label={t('Codes of {n} moments in a plane; the ring is the code of this frame.', { n: points.length })}
      >
        <path d={`M${SIZE / 2} ${EDGE}V${SIZE - EDGE}M${EDGE} ${SIZE / 2}H${SIZE - EDGE}`} className={styles.planeAxes} />
        {placed.map(({ x, y, point }) => (
          <Mark
            key={`${point.episode} ${point.t}`}
            x={at(x)}
            y={at(-y)}
            shape={names.indexOf(point.who)}
            colour={colourOf(point.who)}
            faint={point.episode !== episode}
          />
        ))}
        {now.length > 1 && <polyline points={path} className={styles.planeTrail} stroke={colourOf(now[0]!.point.who)} />}
        {here !== undefined && <circle cx={at(here.x)} cy={at(-here.y)} r="7" className={styles.planeHere} />}
      </svg>
      {names.some((name) => name !== '') && (
        <p className={styles.keys}>
          {names.map((name, i) => (
            <span key={name}>
              <svg width="12" height="12" aria-hidden="true" focusable="false">
                <Mark x={6} y={6} shape={i} colour={colourOf(name)} faint={false} />
              </svg>
              {name === '' ? t('none drawn') : name}
            </span>
          ))}
        </p>
      )}
      <figcaption className={styles.hint}>
        {t(
          'The two directions in which the codes seen so far differ most. Watch more episodes: partners that it tells apart come to lie apart.',
        )}
      </figcaption>
    </figure>
  );
}
