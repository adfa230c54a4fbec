/** Who takes which seat: a line for each kind of agent, and one for each agent where they differ or are opened up. */
import { useState } from 'react';
import { useStore } from 'zustand';
import { spoken } from '#contract/game/seats.ts';
import { draftStore } from '#stores/draft.ts';
import { t } from '#text/text.ts';
import { langOf } from '#ui/kit/format/fact.ts';
import type { ControlProps } from './control.ts';
import { policyTitle } from './env-words.ts';
import styles from './Field.module.css';
import { kindsOf, type SeatKind, seatsOf, withSeat } from './seats.ts';

const LEARNS = '';
const EACH = 'each';
const NO_SEATS: readonly string[] = [];

export function SeatsControl({ leaf, value, labelId, describedBy, problem, onChange }: ControlProps) {
  const roster = useStore(draftStore, (state) => state.env?.roster ?? NO_SEATS);
  const [open, setOpen] = useState<readonly string[]>([]);
  const items = leaf.schema.additionalProperties;
  const players = typeof items === 'object' ? (items.enum ?? []).map(String) : [];
  const seats = seatsOf(value);
  const kinds = kindsOf(roster);
  if (roster.length < 2) return <p className={styles.help}>{t('Only one agent acts with these settings.')}</p>;

  const put = (kind: SeatKind, name: string | null, player: string) => onChange(withSeat(seats, kind, name, player));
  const choice = (label: string, id: string, current: string, choose: (player: string) => void, each = false) => (
    <li key={id} className={styles.seat}>
      <label htmlFor={`${labelId}-${id}`}>{label}</label>
      <select
        id={`${labelId}-${id}`}
        className={styles.select}
        aria-describedby={describedBy}
        aria-invalid={problem !== null}
        value={current}
        onChange={(event) => choose(event.target.value)}
      >
        <option value={LEARNS}>{t('learns')}</option>
        {players.map((player) => (
          <option key={player} value={player} lang={langOf(player)}>
            {policyTitle(player)}
          </option>
        ))}
        {each && <option value={EACH}>{t('each by itself')}</option>}
      </select>
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
