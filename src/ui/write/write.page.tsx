/** A world of one's own: its code, its picture while it is written, checks in words, and training. Nothing of the code runs in the page. */
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { OwnClip } from '#client/own/film.ts';
import { worldVersions } from '#client/own/workshop.ts';
import { toFailure } from '#contract/errors.ts';
import { packWorld, unpackWorld } from '#contract/link-world.ts';
import { LONGEST_WORLD } from '#contract/own-world.ts';
import type { OwnCard, OwnSettings } from '#contract/sandbox.ts';
import { hashOf, type Route } from '#stores/route.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { measure } from '#ui/kit/format/numbers.ts';
import { copy, fileName, save } from '#ui/kit/save.ts';
import { toast } from '#ui/kit/toasts.ts';
import { useReducedMotion } from '#ui/stage/motion.ts';
import { Live } from '#ui/stage/show/Live.tsx';
import { Reel } from '#ui/stage/show/reel.ts';
import { startingPoints } from '#worlds/index.ts';
import { Editor, type Given } from './Editor.tsx';
import { Training } from './Training.tsx';
import { useWorld } from './useWorld.ts';
import styles from './Write.module.css';

/** A version is kept when nothing was typed for so long. */
const KEEP_MS = 1500;

type Version = Awaited<ReturnType<typeof worldVersions.list>>[number];

/** The code of the address, which nobody has allowed to run yet; null: there is none. */
function linked({ query }: Route): { readonly code: string; readonly problem: string } | null {
  const text = query.code;
  if (text === undefined) return null;
  try {
    return { code: unpackWorld(text), problem: '' };
  } catch (error) {
    return { code: '', problem: toFailure(error).message };
  }
}

export default function WritePage({ route }: { readonly route: Route }) {
  const link = useMemo(() => linked(route), [route]);
  const [given, setGiven] = useState<Given | null>(null);
  const [versions, setVersions] = useState<readonly Version[]>([]);

  useEffect(() => {
    let live = true;
    void worldVersions.list().then((found) => {
      if (!live) return;
      setVersions(found);
      if (link === null || link.problem !== '') setGiven((now) => now ?? { code: found[0]?.code ?? startingPoints[0]?.code ?? '' });
    });
    return () => {
      live = false;
    };
  }, [link]);

  return (
    <PageFrame title="Write a world" page="write" wide>
      {link !== null && link.problem !== '' && (
        <p className={styles.problem} role="alert">
          {link.problem}
        </p>
      )}
      {given === null && link !== null && link.problem === '' && (
        <section className={styles.column} aria-label="Code of the link">
          <p>This link carries a world in code. Look at its code: it runs, in a sandbox without network and storage, when you say so.</p>
          <textarea className={styles.code} readOnly rows={24} value={link.code} aria-label="Code of the link" />
          <div className={styles.bar}>
            <Button kind="solid" onClick={() => setGiven({ code: link.code })}>
              Run this code
            </Button>
          </div>
        </section>
      )}
      {given !== null && <Workshop given={given} onGive={setGiven} versions={versions} onVersions={setVersions} />}
    </PageFrame>
  );
}

interface WorkshopProps {
  readonly given: Given;
  readonly onGive: (given: Given) => void;
  readonly versions: readonly Version[];
  readonly onVersions: (versions: readonly Version[]) => void;
}

function Workshop({ given, onGive, versions, onVersions }: WorkshopProps) {
  const [draft, setDraft] = useState(given.code);
  const [values, setValues] = useState<OwnSettings>({});
  const [learned, setLearned] = useState<{ readonly name: string; readonly clip: OwnClip } | null>(null);
  const world = useWorld(draft, values);
  const card = world.opened?.world ?? null;

  useEffect(() => {
    setDraft(given.code);
    setLearned(null);
    setValues({});
  }, [given]);

  const title = card?.title ?? 'a world';
  useEffect(() => {
    const timer = setTimeout(async () => {
      await worldVersions.keep({ at: Date.now(), title, code: draft });
      onVersions(await worldVersions.list());
    }, KEEP_MS);
    return () => clearTimeout(timer);
  }, [draft, title, onVersions]);

  const share = (): void => {
    const packed = packWorld(draft);
    if (packed === null) toast('The code is too long for a link. Save it as a file and send that.', { tone: 'caution' });
    else
      void copy(
        `${location.href.replace(/#.*$/, '')}${hashOf({ page: 'write', id: null, query: { code: packed } })}`,
        'The link with the code',
      );
  };

  const playRandomly = (): void => {
    setLearned(null);
    world.again();
  };

  const shown = learned ?? world.clip;
  return (
    <div className={styles.layout}>
      <div className={styles.column}>
        <Sources onGive={onGive} versions={versions} />
        <Editor given={given} problem={world.problem} onChange={setDraft} onRun={world.again} />
        <div className={styles.bar}>
          <Button onClick={share}>Copy link</Button>
          <Button onClick={() => void save(new Blob([draft], { type: 'text/javascript' }), `${fileName(title)}.js`)}>Save as file</Button>
          <span className={styles.quiet}>Ctrl+Enter plays again. Every version stays on this device.</span>
        </div>
      </div>
      <div className={styles.column}>
        <Scene shown={shown} title={title} learned={learned !== null} />
        <div className={styles.bar}>
          <Button onClick={playRandomly}>Play with random actions</Button>
          <Button onClick={world.check}>Check</Button>
          <span className={styles.quiet} role="status">
            {world.busy ? 'Working' : card === null ? '' : `${card.title}: sees ${card.sees}, ${card.actions.length} actions.`}
          </span>
        </div>
        {world.problem !== null && (
          <p className={styles.problem} role="alert">
            {world.problem.line === null || /\bline \d/.test(world.problem.message) ? '' : `Line ${world.problem.line}. `}
            {world.problem.message} {world.problem.fix}
            {card !== null && world.code !== draft && ' The picture is of the last code that could be run.'}
          </p>
        )}
        {world.findings !== null && (
          <ul className={styles.checks} aria-label="Checks">
            {world.findings.map(({ id, title: name, verdict, words }) => (
              <li key={id} data-verdict={verdict}>
                <strong>{verdict === 'holds' ? '✓' : verdict === 'note' ? 'Note:' : 'Fault:'}</strong> {name}. {words}
              </li>
            ))}
          </ul>
        )}
        {card !== null && <Settings card={card} values={values} onChange={setValues} onDone={world.again} />}
        {card !== null && (
          <Training key={card.id} world={card} code={world.code} settings={values} onClip={(name, clip) => setLearned({ name, clip })} />
        )}
      </div>
    </div>
  );
}

function Sources({ onGive, versions }: { readonly onGive: (given: Given) => void; readonly versions: readonly Version[] }) {
  const file = useRef<HTMLInputElement>(null);
  const open = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined) return;
    if (chosen.size > 4 * LONGEST_WORLD) toast('This file is too large for a world.', { tone: 'caution' });
    else onGive({ code: await chosen.text() });
  };
  return (
    <div className={styles.bar}>
      <label>
        Start from
        <select
          value=""
          onChange={(event) => {
            const point = startingPoints.find(({ id }) => id === event.target.value);
            if (point !== undefined) onGive({ code: point.code });
          }}
        >
          <option value="">choose</option>
          {startingPoints.map(({ id, title, about }) => (
            <option key={id} value={id}>
              {title}: {about}
            </option>
          ))}
        </select>
      </label>
      {versions.length > 0 && (
        <label>
          Versions
          <select
            value=""
            onChange={(event) => {
              const version = versions[Number(event.target.value)];
              if (version !== undefined) onGive({ code: version.code });
            }}
          >
            <option value="">choose</option>
            {versions.map(({ at, title }, i) => (
              <option key={at} value={i}>
                {new Date(at).toLocaleString()}: {title}
              </option>
            ))}
          </select>
        </label>
      )}
      <Button onClick={() => file.current?.click()}>Open a file</Button>
      <input ref={file} type="file" accept=".js,text/javascript" hidden onChange={(event) => void open(event.target.files?.[0])} />
    </div>
  );
}

interface SceneProps {
  readonly shown: { readonly name: string; readonly clip: OwnClip } | null;
  readonly title: string;
  readonly learned: boolean;
}

function Scene({ shown, title, learned }: SceneProps) {
  const reduced = useReducedMotion();
  const [reel] = useState(() => new Reel());
  const [playing, setPlaying] = useState(!reduced);
  reel.playing = playing;
  if (shown === null) return <p className={styles.quiet}>The picture comes when the code can be run.</p>;
  const { clip, name } = shown;
  const who = learned ? 'what was learned' : 'random actions';
  return (
    <>
      <Live
        reel={reel}
        playing={playing}
        eager
        name={name}
        load={() => Promise.resolve(clip)}
        poster={null}
        label={`${title}, played by ${who}: ${clip.steps} steps, return ${measure(clip.total)}.`}
      />
      <div className={styles.bar}>
        <Button pressed={playing} onClick={() => setPlaying(!playing)}>
          {playing ? 'Pause' : 'Play'}
        </Button>
        <span className={styles.quiet}>
          {`Played by ${who}: ${clip.steps} steps, return ${measure(clip.total)}${clip.ended === 'terminated' ? ', it ended' : ', cut by the step limit'}`}
        </span>
      </div>
    </>
  );
}

interface SettingsProps {
  readonly card: OwnCard;
  readonly values: OwnSettings;
  readonly onChange: (values: OwnSettings) => void;
  readonly onDone: () => void;
}

function Settings({ card, values, onChange, onDone }: SettingsProps) {
  const name = useId();
  if (card.settings.length === 0) return null;
  return (
    <section aria-label="Settings" className={styles.settings}>
      {card.settings.map((setting) => {
        const id = `${name}-${setting.name}`;
        const value = values[setting.name] ?? setting.value;
        const set = (next: number | boolean | string): void => onChange({ ...values, [setting.name]: next });
        const { min = 0, max = 1 } = setting;
        return (
          <div key={setting.name} className={styles.setting} title={setting.about}>
            <label htmlFor={id}>{setting.title}</label>
            {typeof value === 'boolean' ? (
              <input id={id} type="checkbox" checked={value} onChange={(event) => set(event.target.checked)} onBlur={onDone} />
            ) : typeof value === 'string' ? (
              <select id={id} value={value} onChange={(event) => set(event.target.value)} onBlur={onDone}>
                {(setting.options ?? [value]).map((option) => (
                  <option key={option}>{option}</option>
                ))}
              </select>
            ) : setting.name === 'maxSteps' ? (
              <input
                id={id}
                type="number"
                min={1}
                max={100_000}
                value={value}
                onChange={(event) => set(Math.max(1, Math.round(Number(event.target.value))))}
                onBlur={onDone}
              />
            ) : (
              <input
                id={id}
                type="range"
                min={min}
                max={max}
                step={setting.whole === true ? 1 : (max - min) / 100}
                value={value}
                onChange={(event) => set(Number(event.target.value))}
                onPointerUp={onDone}
                onKeyUp={onDone}
              />
            )}
            <output htmlFor={id}>{typeof value === 'number' ? `${measure(value)} ${setting.unit ?? ''}` : ''}</output>
          </div>
        );
      })}
    </section>
  );
}
