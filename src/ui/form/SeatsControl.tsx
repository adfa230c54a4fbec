/** Who takes which seat: a line for each kind of agent, and one for each agent where they differ or are opened up. */
import { useState } from 'react';
import { useStore } from 'zustand';
import { type Earlier, earlierPolicies, frozenFor } from '#client/runs/frozen.ts';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { spoken } from '#contract/game/seats.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { draftStore } from '#stores/draft.ts';
import { runsStore } from '#stores/runs.ts';
import { t } from '#text/text.ts';
import { langOf } from '#ui/kit/format/fact.ts';
import type { ControlProps } from './control.ts';
import { policyTitle } from './env-words.ts';
import styles from './Field.module.css';
import {
  configOfSeats,
  isPool,
  kindsOf,
  type Member,
  memberName,
  type PoolSeat,
  type SeatChoice,
  type SeatKind,
  seatsOf,
  withMember,
  withSeat,
} from './seats.ts';

const LEARNS = '';
const EACH = 'each';
const DRAWN = 'drawn';
/** Before the place of a run among those that can be seated. */
const RUN = 'run ';
const NO_SEATS: readonly string[] = [];

export function SeatsControl({ leaf, value, labelId, describedBy, problem, onChange }: ControlProps) {
  const roster = useStore(draftStore, (state) => state.env?.roster ?? NO_SEATS);
  const env = useStore(draftStore, (state) => state.config.env.id);
  const earlier = earlierPolicies(
    useStore(runsStore, (state) => state.groups),
    env,
  );
  const [refused, setRefused] = useState('');
  const [open, setOpen] = useState<readonly string[]>([]);
  const players = playersIn(leaf.schema);
  const seats = seatsOf(value);
  const kinds = kindsOf(roster);
  if (roster.length < 2) return <p className={styles.help}>{t('Only one agent acts with these settings.')}</p>;

  const put = (kind: SeatKind, name: string | null, player: SeatChoice): void => {
    const next = withSeat(seats, kind, name, player);
    onChange(next && configOfSeats(next));
  };
  /** Freezes the policy of a run as it is now, and seats it. */
  const seat = (from: Earlier | undefined, id: string, choose: (player: Member) => void): void => {
    if (from === undefined) return;
    setRefused('');
    frozenFor(from, id).then(choose, (error: unknown) => setRefused(toFailure(error).message));
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
          value={isPool(current) ? DRAWN : memberName(current)}
          onChange={({ target: { value: chosen } }) => {
            if (chosen.startsWith(RUN)) seat(earlier[Number(chosen.slice(RUN.length))], id, choose);
            else choose(chosen === DRAWN ? { pool: players.slice(0, 2), tell: false } : chosen);
          }}
        >
          <option value={LEARNS}>{t('learns')}</option>
          {players.map((player) => (
            <option key={player} value={player} lang={langOf(player)}>
              {policyTitle(player)}
            </option>
          ))}
          {!isPool(current) && typeof current !== 'string' && <option value={memberName(current)}>{frozenTitle(current)}</option>}
          <option value={DRAWN}>{t('drawn for each episode')}</option>
          {each && <option value={EACH}>{t('each by itself')}</option>}
          {earlier.length > 0 && (
            <optgroup label={t('policies of earlier runs')}>
              {earlier.map((one, i) => (
                <option key={one.label} value={`${RUN}${i}`}>
                  {one.label}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      </div>
      {isPool(current) && (
        <PoolMembers
          label={label}
          seat={current}
          players={players}
          earlier={earlier}
          onChange={choose}
          onFreeze={(from) => seat(from, id, (member) => choose(withMember(current, member, true, players)))}
        />
      )}
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
      {(problem !== null || refused !== '') && (
        <p className={styles.error} role="alert">
          {problem ?? refused}
        </p>
      )}
    </fieldset>
  );
}

/** "ppo, seed 1, step 5 (0123ab)": the same title may be of two policies. */
const frozenTitle = (member: Exclude<Member, string>): string => `${member.title} (${member.frozen.slice(0, 6)})`;

interface PoolMembersProps {
  readonly label: string;
  readonly seat: PoolSeat;
  readonly players: readonly string[];
  readonly earlier: readonly Earlier[];
  readonly onChange: (seat: PoolSeat) => void;
  readonly onFreeze: (from: Earlier | undefined) => void;
}

/** Who is in the pool, and whether learners are told who was drawn. */
function PoolMembers({ label, seat, players, earlier, onChange, onFreeze }: PoolMembersProps) {
  const frozen = seat.pool.flatMap((member) => (typeof member === 'string' ? [] : [member]));
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
        {frozen.map((member) => (
          <li key={member.frozen}>
            <label className={styles.task}>
              <input
                type="checkbox"
                checked
                disabled={seat.pool.length <= 2}
                onChange={() => onChange(withMember(seat, member, false, players))}
              />
              <span>{frozenTitle(member)}</span>
            </label>
          </li>
        ))}
        {earlier.length > 0 && (
          <li className={styles.seat}>
            <select
              className={styles.select}
              aria-label={t('Add the policy of an earlier run')}
              value=""
              onChange={({ target }) => onFreeze(earlier[Number(target.value)])}
            >
              <option value="">{t('Add the policy of an earlier run')}</option>
              {earlier.map((one, i) => (
                <option key={one.label} value={i}>
                  {one.label}
                </option>
              ))}
            </select>
          </li>
        )}
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
