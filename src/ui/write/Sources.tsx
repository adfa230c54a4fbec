/** Where code comes from: what to write, starting points, versions on this device, files; and the environment that it is for. */
import { useRef } from 'react';
import { useStore } from 'zustand';
import { toFailure } from '#contract/kit/errors.ts';
import { needsMujoco } from '#contract/own/outside.ts';
import { LONGEST_RUN_FILE, type OwnRunFile, readOwnRun } from '#contract/own/run-file.ts';
import { baseIn, type OwnKind } from '#contract/own/text.ts';
import { LONGEST_WORLD } from '#contract/run/own-world.ts';
import { catalogStore } from '#stores/catalog.ts';
import { msg, t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Segmented } from '#ui/kit/Segmented.tsx';
import { toast } from '#ui/kit/toasts.ts';
import { exampleWorlds, otherPoints, type StartingPoint, startingPoints } from '#worlds/index.ts';
import styles from './Write.module.css';

/** Code, and a saved run of it if it came with one. */
export interface Given {
  readonly code: string;
  readonly run: OwnRunFile | null;
}

export interface Version {
  readonly at: number;
  readonly title: string;
  readonly code: string;
}

const KINDS: readonly { readonly value: OwnKind; readonly label: string }[] = [
  { value: 'world', label: msg('World') },
  { value: 'reward', label: msg('Reward') },
  { value: 'player', label: msg('Player') },
  { value: 'method', label: msg('Method') },
];

const ABOUT: { readonly [kind in OwnKind]: string } = {
  world: msg('A game or a task: what happens, what is seen, what is paid.'),
  reward: msg('What an environment of the catalogue pays instead. Watch the same policy under both.'),
  player: msg('A rule that acts: to beat, to copy, to play against.'),
  method: msg('How an agent learns, step by step.'),
};

const pointsOf = (kind: OwnKind): readonly StartingPoint[] =>
  kind === 'world' ? [...startingPoints, ...exampleWorlds] : otherPoints.filter((point) => point.kind === kind);

interface Props {
  readonly kind: OwnKind;
  readonly versions: readonly Version[];
  readonly onGive: (code: string) => void;
  readonly onRun: (run: OwnRunFile) => void;
}

export function Sources({ kind, versions, onGive, onRun }: Props) {
  const file = useRef<HTMLInputElement>(null);
  const open = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined) return;
    const text = chosen.size > LONGEST_RUN_FILE ? '' : await chosen.text();
    try {
      const run = readOwnRun(text);
      if (run !== null) onRun(run);
      else if (chosen.size > 4 * LONGEST_WORLD) toast('This file is too large for code.', { tone: 'caution' });
      else onGive(text);
    } catch (error) {
      const { message, fix } = toFailure(error);
      toast(`${message} ${fix}`, { tone: 'caution' });
    }
  };
  return (
    <>
      <div className={styles.bar}>
        <Segmented
          label={t('What to write')}
          value={kind}
          options={KINDS.map(({ value, label }) => ({ value, label: t(label) }))}
          onChange={(next) => onGive(pointsOf(next)[0]?.code ?? '')}
        />
        <span className={styles.quiet}>{t(ABOUT[kind])}</span>
      </div>
      <div className={styles.bar}>
        <label>
          {t('Start from')}
          <select
            value=""
            onChange={(event) => {
              const point = pointsOf(kind).find(({ id }) => id === event.target.value);
              if (point !== undefined) onGive(point.code);
            }}
          >
            <option value="">{t('choose')}</option>
            {pointsOf(kind).map(({ id, title, about }) => (
              <option key={id} value={id} lang="en">
                {title}: {about}
              </option>
            ))}
          </select>
        </label>
        {versions.length > 0 && (
          <label>
            {t('Versions')}
            <select
              value=""
              onChange={(event) => {
                const version = versions[Number(event.target.value)];
                if (version !== undefined) onGive(version.code);
              }}
            >
              <option value="">{t('choose')}</option>
              {versions.map(({ at, title }, i) => (
                <option key={at} value={i}>
                  {new Date(at).toLocaleString()}: {title}
                </option>
              ))}
            </select>
          </label>
        )}
        <Button onClick={() => file.current?.click()}>{t('Open a file')}</Button>
        <input
          ref={file}
          type="file"
          accept=".js,.json,text/javascript,application/json"
          hidden
          onChange={(event) => {
            void open(event.target.files?.[0]);
            event.target.value = ''; // the same file may be opened again
          }}
        />
      </div>
    </>
  );
}

/** The environment that the code names; another one is written into the code. */
export function BaseChooser({ draft, onGive }: { readonly draft: string; readonly onGive: (code: string) => void }) {
  const envs = useStore(catalogStore, (state) => state.catalog?.envs) ?? [];
  const base = baseIn(draft);
  const families = [...new Set(envs.map(({ family }) => family))];
  if (base === null || envs.length === 0) return null;
  return (
    <label>
      {t('Environment')}
      <select value={base.id} onChange={(event) => onGive(`${draft.slice(0, base.from)}${event.target.value}${draft.slice(base.to)}`)}>
        {!envs.some(({ id }) => id === base.id) && <option value={base.id}>{base.id}</option>}
        {families.map((family) => {
          const inside = envs.filter((env) => env.family === family && !needsMujoco(env.id));
          return inside.length === 0 ? null : (
            <optgroup key={family} label={family}>
              {inside.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </optgroup>
          );
        })}
      </select>
    </label>
  );
}
