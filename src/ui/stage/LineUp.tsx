/** The match-up: a player for each agent of a team, and which agent a person takes over. */
import { useState } from 'react';
import { useStore } from 'zustand';
import { type Choice, choicesFor } from '#client/stage/lineup.ts';
import { stage } from '#client/stage/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { spoken } from '#contract/game/seats.ts';
import { lineupOf, lineupStore, NEWEST, partnerIn, seatAgents, seatOf, takePartner, takeSeat } from '#stores/lineup.ts';
import { t } from '#text/text.ts';
import { kindsOf } from '#ui/form/seats.ts';
import { Popover } from '#ui/kit/Popover.tsx';
import { isPlayable } from './controls.ts';
import styles from './Stage.module.css';

const MIXED = 'mixed';
/** A line for each agent of a kind up to this many; more are seated together. */
const APART = 8;

export function LineUp({ env }: { readonly env: EnvCard | null }) {
  useStore(lineupStore);
  if (env === null || env.roster.length < 2) return null;
  const chosen = lineupOf(env) !== null || partnerIn(env) !== null;
  return (
    <Popover
      trigger={
        <>
          {t('Line-up')}
          {chosen && <span className={styles.mark} />}
        </>
      }
      label={chosen ? t('Line-up, changed') : t('Line-up')}
      title={t('Match-up')}
      width={330}
    >
      {() => <Seats env={env} />}
    </Popover>
  );
}

function Seats({ env }: { readonly env: EnvCard }) {
  useStore(lineupStore);
  const [choices] = useState(() => choicesFor(env));
  const names = env.groups.flatMap((group) => group.names);
  const players = lineupOf(env) ?? names.map(() => NEWEST);
  const put = (agents: readonly number[], player: string): void => {
    seatAgents(env, agents, player);
    void stage.newLineup();
  };
  const given = env.roster.filter((name) => !names.includes(name));
  const yours = partnerIn(env) ?? names[seatOf(env)] ?? '';
  const sit = (name: string): void => {
    takePartner(env.id, given.includes(name) ? name : null);
    if (!given.includes(name)) takeSeat(env, names.indexOf(name));
  };
  return (
    <div className={styles.lineup}>
      {env.agents > 1 && <p>{t('Each agent follows the player of its line, from the next episode on.')}</p>}
      {given.length > 0 && <p>{t('As a partner you take a seat that the settings give to players; who learned plays beside you.')}</p>}
      <ul hidden={env.agents < 2}>
        {kindsOf(env.agents > 1 ? names : []).flatMap((kind) => {
          const agents = kind.names.map((name) => names.indexOf(name));
          const together = new Set(agents.map((agent) => players[agent]));
          const all = (
            <Seat
              key={kind.name}
              id={kind.name}
              label={
                agents.length > 1
                  ? t('all {n} of {name}', { n: agents.length, name: spoken(kind.name) })
                  : spoken(kind.names[0] ?? kind.name)
              }
              value={together.size === 1 ? ([...together][0] ?? NEWEST) : MIXED}
              choices={choices}
              onChange={(player) => put(agents, player)}
            />
          );
          if (agents.length < 2 || agents.length > APART) return [all];
          const each = kind.names.map((name, i) => (
            <Seat
              key={name}
              id={name}
              label={spoken(name)}
              value={players[agents[i]!] ?? NEWEST}
              choices={choices}
              onChange={(player) => put([agents[i]!], player)}
            />
          ));
          return [all, ...each];
        })}
      </ul>
      {isPlayable(env) && (
        <div className={styles.seat}>
          <label htmlFor="seat-person">{t('You play')}</label>
          <select id="seat-person" value={yours} onChange={(event) => sit(event.target.value)}>
            {env.roster.map((name) => (
              <option key={name} value={name}>
                {given.includes(name) ? t('{name} (partner)', { name: spoken(name) }) : spoken(name)}
              </option>
            ))}
          </select>
        </div>
      )}
    </div>
  );
}

interface SeatProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly onChange: (player: string) => void;
}

function Seat({ id, label, value, choices, onChange }: SeatProps) {
  const known = value === MIXED || choices.some((choice) => choice.value === value);
  return (
    <li className={styles.seat}>
      <label htmlFor={`seat-${id}`}>{label}</label>
      <select id={`seat-${id}`} value={value} onChange={(event) => onChange(event.target.value)}>
        {value === MIXED && <option value={MIXED}>{t('each by itself')}</option>}
        {!known && <option value={value}>{t('an earlier policy')}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </li>
  );
}
