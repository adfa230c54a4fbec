/** Who takes which seat: a line for each kind of agent, and one for each agent where they differ or are opened up. */
import { useState } from 'react';
import { useStore } from 'zustand';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { spoken } from '#contract/game/seats.ts';
import { draftStore } from '#stores/draft.ts';
import { t } from '#text/text.ts';
import { langOf } from '#ui/kit/format/fact.ts';
import type { ControlProps } from './control.ts';
import { policyTitle } from './env-words.ts';
import styles from './Field.module.css';
import { configOfSeats, kindsOf, type PoolSeat, type SeatChoice, type SeatKind, seatsOf, withMember, withSeat } from './seats.ts';

const LEARNS = '';
const EACH = 'each';
const DRAWN = 'drawn';
const NO_SEATS: readonly string[] = [];

export function SeatsControl({ leaf, value, labelId, describedBy, problem, onChange }: ControlProps) {
  const roster = useStore(draftStore, (state) => state.env?.roster ?? NO_SEATS);
  const [open, setOpen] = useState<readonly string[]>([]);
  const players = playersIn(leaf.schema);
  const seats = seatsOf(value);
  const kinds = kindsOf(roster);
  if (roster.length < 2) return <p className={styles.help}>{t('Only one agent acts with these settings.')}</p>;

  const put = (kind: SeatKind, name: string | null, player: SeatChoice): void => {
    const next = withSeat(seats, kind, name, player);
    onChange(next && configOfSeats(next));
  };
  const choice = (label: string, id: string, current: SeatChoice, choose: (player: SeatChoice) => void, each = false) => (
    <li key={id}>
      <div className={styles.seat}>
        <label htmlFor={`${labelId}-${id}`}>{label}</label>
        <select
          id={`${labelId}-${id}`}
          className={styles.select}
          aria-describedby={describedBy}
          aria-invalid={problem !== null}
          value={typeof current === 'string' ? current : DRAWN}
          onChange={({ target }) => choose(target.value === DRAWN ? { pool: players.slice(0, 2), tell: false } : target.value)}
        >
          <option value={LEARNS}>{t('learns')}</option>
          {players.map((player) => (
            <option key={player} value={player} lang={langOf(player)}>
              {policyTitle(player)}
            </option>
          ))}
          <option value={DRAWN}>{t('drawn for each episode')}</option>
          {each && <option value={EACH}>{t('each by itself')}</option>}
        </select>
      </div>
      {typeof current !== 'string' && <PoolMembers label={label} seat={current} players={players} onChange={choose} />}
    </li>
  );

  return (
    <fieldset className={styles.seats} aria-labelledby={labelId}>
      <ul>
        {kinds.flatMap((kind) => {
          const several = kind.names.length > 1;
          const apart = several && (open.includes(kind.name) || kind.names.some((name) => name in seats));
          const whole = choice(
            several ? t('all {n} of {name}', { n: kind.names.length, name: t(spoken(kind.name)) }) : spoken(kind.names[0] ?? kind.name),
            kind.name,
            apart ? EACH : (seats[kind.name] ?? seats[kind.names[0] ?? ''] ?? LEARNS),
            (player) => {
              setOpen(player === EACH ? [...open, kind.name] : open.filter((name) => name !== kind.name));
              if (player !== EACH) put(kind, null, player);
            },
            several,
          );
          if (!apart) return [whole];
          const members = kind.names.map((name) =>
            choice(spoken(name), name, seats[name] ?? seats[kind.name] ?? LEARNS, (player) => put(kind, name, player)),
          );
          return [whole, ...members];
        })}
      </ul>
      {problem !== null && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

interface PoolMembersProps {
  readonly label: string;
  readonly seat: PoolSeat;
  readonly players: readonly string[];
  readonly onChange: (seat: PoolSeat) => void;
}

/** Who is in the pool, and whether learners are told who was drawn. */
function PoolMembers({ label, seat, players, onChange }: PoolMembersProps) {
  return (
    <fieldset className={styles.seats} aria-label={t('players of {name}', { name: label })}>
      <ul>
        {players.map((player) => {
          const inside = seat.pool.includes(player);
          return (
            <li key={player}>
              <label className={styles.task}>
                <input
                  type="checkbox"
                  checked={inside}
                  disabled={inside && seat.pool.length <= 2}
                  onChange={() => onChange(withMember(seat, player, !inside, players))}
                />
                <span lang={langOf(player)}>{policyTitle(player)}</span>
              </label>
            </li>
          );
        })}
        <li>
          <label className={styles.task}>
            <input type="checkbox" checked={seat.tell} onChange={() => onChange({ ...seat, tell: !seat.tell })} />
            {t('learners are told who plays')}
          </label>
        </li>
      </ul>
    </fieldset>
  );
}

/** The players that a seat may have: the choices of its schema. */
function playersIn(schema: FieldSchema): readonly string[] {
  const items = schema.additionalProperties;
  const single = typeof items === 'object' ? items.anyOf?.find((option) => option.enum !== undefined) : undefined;
  return (single?.enum ?? []).map(String);
}
