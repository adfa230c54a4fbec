/** The editor, and beside it what the code does: its picture, checks in words, settings and training. */
import { useCallback, useEffect, useState } from 'react';
import type { OwnClip } from '#client/own/film.ts';
import { worldVersions } from '#client/own/versions.ts';
import { packWorld } from '#contract/link/world.ts';
import type { OwnRunFile } from '#contract/own/run-file.ts';
import type { OwnCard, OwnFinding, OwnPlayer, OwnSetup } from '#contract/own/sandbox.ts';
import { kindIn, titleIn } from '#contract/own/text.ts';
import { hashOf } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { copy, fileName, save } from '#ui/kit/save.ts';
import { toast } from '#ui/kit/toasts.ts';
import { Editor } from './Editor.tsx';
import { Help } from './Help.tsx';
import { Scene } from './Scene.tsx';
import { Scores } from './Scores.tsx';
import { Settings } from './Settings.tsx';
import { BaseChooser, type Given, Sources, type Version } from './Sources.tsx';
import { Training } from './Training.tsx';
import { useWorld } from './useWorld.ts';
import styles from './Write.module.css';

/** A version is kept when nothing was typed for so long. */
const KEEP_MS = 1500;
const PLAIN: OwnSetup = { settings: {}, method: {}, seat: '' };

interface Props {
  readonly given: Given;
  readonly onGive: (given: Given) => void;
  readonly onAsk: (run: OwnRunFile) => void;
  readonly versions: readonly Version[];
  readonly onVersions: (versions: readonly Version[]) => void;
}

export function Workshop({ given, onGive, onAsk, versions, onVersions }: Props) {
  const [draft, setDraft] = useState(given.code);
  const [setup, setSetup] = useState<OwnSetup>(given.run?.setup ?? PLAIN);
  const [learned, setLearned] = useState<{ readonly name: string; readonly clip: OwnClip } | null>(null);
  const world = useWorld(draft, setup);
  const card = world.opened?.world ?? null;
  const kind = kindIn(draft);
  // of code that has not run yet, its text says what it may be called
  const title = (world.code === draft ? card?.title : titleIn(draft)) ?? card?.title ?? `a ${kind}`;

  useEffect(() => {
    setDraft(given.code);
    setLearned(null);
    setSetup(given.run?.setup ?? PLAIN);
  }, [given]);

  // an episode of what was learned in other code
  const id = card?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: says when it is other code
  useEffect(() => setLearned(null), [id]);

  useEffect(() => {
    const timer = setTimeout(async () => {
      await worldVersions.keep({ at: Date.now(), title, code: draft });
      onVersions(await worldVersions.list());
    }, KEEP_MS);
    return () => clearTimeout(timer);
  }, [draft, title, onVersions]);

  const give = useCallback((code: string) => onGive({ code, run: null }), [onGive]);

  const share = (): void => {
    const packed = packWorld(draft);
    if (packed === null) toast('The code is too long for a link. Save it as a file and send that.', { tone: 'caution' });
    else
      void copy(
        `${location.href.replace(/#.*$/, '')}${hashOf({ page: 'write', id: null, query: { code: packed } })}`,
        'The link with the code',
      );
  };

  const play = (player?: OwnPlayer): void => {
    setLearned(null);
    world.again(player);
  };

  return (
    <div className={styles.layout}>
      <div className={styles.column}>
        <Sources kind={kind} versions={versions} onGive={give} onRun={onAsk} />
        {kind !== 'world' && (
          <div className={styles.bar}>
            <BaseChooser draft={draft} onGive={give} />
          </div>
        )}
        <Editor code={given.code} given={given} card={card} problem={world.problem} onChange={setDraft} onRun={() => play()} />
        <div className={styles.bar}>
          <Button onClick={share}>{t('Copy link')}</Button>
          <Button onClick={() => void save(new Blob([draft], { type: 'text/javascript' }), `${fileName(title)}.js`)}>
            {t('Save as file')}
          </Button>
          <span className={styles.quiet}>
            {t(
              'Ctrl+Enter plays again, Ctrl+Space offers words, Escape and then Tab leave the editor. Every version stays on this device.',
            )}
          </span>
        </div>
        <Help kind={kind} />
      </div>
      <div className={styles.column}>
        <Scene shown={learned ?? world.clip} title={title} who={learned !== null ? t('what was learned') : nameOf(world.clip?.player)} />
        <div className={styles.bar}>
          {card?.kind === 'player' && <Button onClick={() => play({ script: card.policies[0] ?? 'mine' })}>{t('Let it play')}</Button>}
          <Button onClick={() => play('random')}>{t('Play with random actions')}</Button>
          <Button onClick={world.check}>{t('Check')}</Button>
          {card?.kind === 'player' && <Button onClick={world.score}>{t('Compare players')}</Button>}
          <span className={styles.quiet} role="status">
            {world.busy ? t('Working') : card === null ? '' : summaryOf(card)}
          </span>
        </div>
        {card !== null && card.names.length > 0 && card.kind !== 'method' && card.kind !== 'world' && <Names card={card} />}
        {world.problem !== null && (
          <p className={styles.problem} role="alert">
            {world.problem.line === null || /\bline \d/.test(world.problem.message)
              ? ''
              : `${t('Line {line}.', { line: world.problem.line })} `}
            {sentence(world.problem.message)} {world.problem.fix}
            {card !== null && world.code !== draft && ` ${t('The picture is of the last code that could be run.')}`}
          </p>
        )}
        {world.findings !== null && <Findings findings={world.findings} />}
        {world.scores !== null && <Scores scores={world.scores} old={null} />}
        {card !== null && <Settings card={card} setup={setup} onChange={setSetup} onDone={() => play()} />}
        {card?.seats === true && <Seat card={card} setup={setup} onChange={setSetup} />}
        {card !== null && (
          <Training
            key={card.id}
            world={card}
            code={world.code}
            setup={setup}
            saved={given.run}
            faulty={world.problem !== null}
            onClip={(name, clip) => setLearned({ name, clip })}
          />
        )}
      </div>
    </div>
  );
}

const nameOf = (player: OwnPlayer | undefined): string =>
  typeof player === 'object' ? t('your player') : player === 'learned' ? t('what was learned') : t('random actions');

/** The browser's own messages end without a full stop. */
const sentence = (text: string): string => (/[.!?:]$/.test(text) ? text : `${text}.`);

const summaryOf = ({ title, base, sees, actions, agents }: OwnCard): string =>
  `${title}${base === undefined || base.title === title ? '' : ` (${base.title})`}: sees ${sees}, ${actions.length} actions${agents > 1 ? `, ${agents} agents` : ''}.`;

/** What the code may write behind `seen.` and `next.`. */
function Names({ card }: { readonly card: OwnCard }) {
  const names = card.names.filter((name) => name !== '').slice(0, 40);
  if (names.length === 0)
    return (
      <p className={styles.quiet}>
        {t('The numbers have no names here: write seen[0] to seen[{value}].', { value: card.names.length - 1 })}
      </p>
    );
  return (
    <p className={styles.names}>
      {t('Seen by name:')}{' '}
      {names.map((name, i) => (
        <span key={name}>
          {i > 0 && ' '}
          <code>{name}</code>
        </span>
      ))}
    </p>
  );
}

function Findings({ findings }: { readonly findings: readonly OwnFinding[] }) {
  return (
    <ul className={styles.checks} aria-label={t('Checks')}>
      {findings.map(({ id, title, verdict, words }) => (
        <li key={id} data-verdict={verdict}>
          <strong>{verdict === 'holds' ? '✓' : verdict === 'note' ? t('Note:') : t('Fault:')}</strong> {title}. {words}
        </li>
      ))}
    </ul>
  );
}

interface SeatProps {
  readonly card: OwnCard;
  readonly setup: OwnSetup;
  readonly onChange: (setup: OwnSetup) => void;
}

/** The player as an opponent or teammate of those that learn. */
function Seat({ card, setup, onChange }: SeatProps) {
  return (
    <div className={styles.bar}>
      <label>
        {t('Your player takes the seat of')}
        <select value={setup.seat} onChange={(event) => onChange({ ...setup, seat: event.target.value })}>
          <option value="">{t('none: all learn')}</option>
          {card.agentNames.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    </div>
  );
}
