/**
 * The teacher's page of one lesson, or of one paper (PaperClass.tsx): the link for the class, the results that come back as codes, one plot and a board. Every result is
 * simulated again on this machine. Nothing leaves it, and nothing here needs a network.
 */
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { rewritePage } from '#client/address/pages.ts';
import { saltOf } from '#lessons/result.ts';
import { layoutStore } from '#stores/layout.ts';
import { hashOf, type Route } from '#stores/route.ts';
import { t, tn } from '#text/text.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import sheet from '#ui/frame/Sheet.module.css';
import { Sheet } from '#ui/frame/Sheet.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { QrCode } from '#ui/kit/QrCode.tsx';
import { copy, save } from '#ui/kit/save.ts';
import { findLesson, whyNone } from '../find.ts';
import { loadLessons, type ShownLesson } from '../language.ts';
import { TeacherNotes } from '../TeacherNotes.tsx';
import { Board } from './Board.tsx';
import { csvOf, standing } from './board.ts';
import styles from './Class.module.css';
import { useEntries } from './entries.ts';
import { PaperClass } from './PaperClass.tsx';
import { Plot } from './Plot.tsx';
import { Predictions } from './Predictions.tsx';
import { textOfFile } from './read-qr.ts';
import { Scanner } from './Scanner.tsx';
import { forgetVerdicts, useVerdicts, verify } from './verify.ts';

/** Without letters and digits that look alike. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const newWord = (): string => [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('');
/** Characters of an address that a QR code still shows well. */
const LONGEST_QR = 800;

export default function ClassPage({ route }: { readonly route: Route }) {
  const [found, setFound] = useState<{ readonly of: string; readonly lesson: ShownLesson | null; readonly why: string } | null>(null);
  const of = `${route.id} ${route.query.lesson ?? ''}`;
  const paper = /^p\d{3}$/i.test(route.id ?? '') ? route.id : null;
  useEffect(() => {
    if (paper !== null) return;
    let live = true;
    findLesson({ id: route.id, query: { lesson: route.query.lesson ?? '' } }).then(
      (lesson) => live && setFound({ of, lesson, why: '' }),
      (error: unknown) => live && setFound({ of, lesson: null, why: whyNone(error) }),
    );
    return () => {
      live = false;
    };
  }, [of, paper, route.id, route.query.lesson]);
  const word = route.query.class ?? '';
  const salt = saltOf(word);
  useEffect(() => {
    if (salt === null && route.id !== null) rewritePage({ ...route, query: { ...route.query, class: newWord() } });
  }, [salt, route]);
  if (paper !== null)
    return salt === null ? <main aria-busy="true" /> : <PaperClass key={`${paper} ${word}`} id={paper} word={word} salt={salt} />;
  if (found?.of !== of) return <main aria-busy="true" />;
  if (found.lesson === null || salt === null)
    return (
      <PageFrame title={route.id === null ? t('For which lesson?') : found.why} page="class">
        <p>
          <a href={hashOf({ page: 'lessons', id: null, query: {} })}>{t('All lessons')}</a>: {t('each has “For a class” beside it.')}
        </p>
        <Choice />
      </PageFrame>
    );
  return <Class key={`${found.lesson.id} ${word}`} lesson={found.lesson} word={word} salt={salt} route={route} />;
}

/** The lessons, each a link to its class. */
function Choice() {
  const [lessons, setLessons] = useState<readonly ShownLesson[]>([]);
  useEffect(() => {
    let live = true;
    void loadLessons().then((all) => live && setLessons(all));
    return () => {
      live = false;
    };
  }, []);
  return (
    <ul className={styles.choice}>
      {lessons.map(({ id, title, goal, lang }) => (
        <li key={id} lang={lang}>
          <a href={hashOf({ page: 'class', id, query: {} })}>{title}</a>
          <span>{goal}</span>
        </li>
      ))}
    </ul>
  );
}

interface ClassProps {
  readonly lesson: ShownLesson;
  readonly word: string;
  readonly salt: number;
  readonly route: Route;
}

function Class({ lesson, word, salt, route }: ClassProps) {
  const { entries: all, key, open, add, clear } = useEntries();
  const { verdicts } = useVerdicts();
  const entries = useMemo(() => standing(all, verdicts), [all, verdicts]);
  const projector = useStore(layoutStore, (state) => state.projector);
  const [text, setText] = useState('');
  const [said, setSaid] = useState('');
  const [scanning, setScanning] = useState(false);
  const [asked, setAsked] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const paste = useRef<HTMLTextAreaElement>(null);
  const ways = useRef<HTMLSpanElement>(null);
  useEffect(() => open(lesson, word), [open, lesson, word]);
  useEffect(() => {
    if (key !== '') void verify(all, salt);
  }, [all, salt, key]);
  const address = `${location.href.replace(/#.*$/, '')}${hashOf({ page: 'lessons', id: route.id, query: { class: word, lesson: route.query.lesson ?? '' } })}`;
  const steps = useMemo(() => [...new Set(entries.map(({ result }) => result.step))].sort((a, b) => a - b), [entries]);
  const take = (more: string): void => setSaid(add(more, lesson));
  const takeFiles = async (files: FileList | null): Promise<void> => {
    const texts: string[] = [];
    const wrong: string[] = [];
    for (const one of files ?? []) {
      try {
        texts.push(await textOfFile(one));
      } catch (error) {
        wrong.push(error instanceof Error ? error.message : String(error));
      }
    }
    setSaid([...(texts.length > 0 ? [add(texts.join('\n'), lesson)] : []), ...wrong].join('\n'));
  };
  const forged = entries.filter(({ code }) => verdicts[code]?.state === 'forged');
  /** Asks, or takes the question back. The button that was pressed goes: the last one that stands there then has the focus. */
  const ask = (on: boolean): void => {
    setAsked(on);
    requestAnimationFrame(() => ways.current?.querySelector<HTMLElement>(':scope > button:last-of-type')?.focus());
  };
  const open_ = entries.filter(({ code }) => (verdicts[code]?.state ?? 'waiting') === 'waiting').length;
  const unverified = entries.filter(({ code }) => verdicts[code]?.state === 'unknown').length;
  const seat = (n: number): string => (n === 0 ? t('one without a seat') : t('seat {n}', { n }));

  return (
    <Sheet
      title={t('{lesson}: class {word}', { lesson: lesson.title, word })}
      page="class"
      tab={lesson.title}
      actions={
        <Button icon="expand" pressed={projector} onClick={() => layoutStore.getState().set('projector', !projector)}>
          {t('Projector')}
        </Button>
      }
    >
      <details className={styles.invitation} open={entries.length === 0}>
        <summary>
          <h2>{t('For the class: link and code')}</h2>
        </summary>
        <div className={styles.invite}>
          {address.length <= LONGEST_QR && (
            <QrCode className={styles.qr} text={address} name={t('QR code of the lesson for the class')} recovery="M" />
          )}
          <ol className={styles.how}>
            <li>{t('Open the lesson by this code or link.')}</li>
            <li>{t('Type your seat number: your runs get seeds of their own. No name is asked for.')}</li>
            <li>{t('When a task is done, show or copy its result code.')}</li>
          </ol>
        </div>
        <span className={styles.row}>
          <input
            type="text"
            readOnly
            className={styles.link}
            aria-label={t('Link for the class')}
            value={address}
            onFocus={(event) => event.target.select()}
          />
          <Button kind="solid" icon="copy" onClick={() => void copy(address, t('Link'))}>
            {t('Copy link')}
          </Button>
        </span>
        {address.length > LONGEST_QR && <p className={styles.quiet}>{t('This lesson is too long for a QR code; send the link.')}</p>}
      </details>

      <section className={sheet.part} aria-labelledby="class-collect">
        <h2 id="class-collect">{t('Collect')}</h2>
        <textarea
          ref={paste}
          className={styles.paste}
          rows={3}
          aria-label={t('Result codes')}
          placeholder={t('Paste result codes, as many as you like; each begins with RL1:')}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <span className={styles.row}>
          <Button
            kind="solid"
            icon="plus"
            disabled={text.trim() === ''}
            onClick={() => {
              take(text);
              setText('');
              paste.current?.focus(); // the button is disabled now; the next codes come here
            }}
          >
            {t('Add these')}
          </Button>
          <Button icon="open" onClick={() => file.current?.click()}>
            {t('Files or photos')}
          </Button>
          <Button icon="eye" pressed={scanning} onClick={() => setScanning(!scanning)}>
            {scanning ? t('Close the camera') : t('Camera')}
          </Button>
          <input
            ref={file}
            type="file"
            multiple
            hidden
            aria-label={t('Files with result codes')}
            accept="image/*,.txt,.csv,text/plain"
            onChange={(event) => {
              const { target } = event;
              void takeFiles(target.files).finally(() => (target.value = ''));
            }}
          />
        </span>
        {scanning && <Scanner onText={take} />}
        <p className={styles.said} role="status">
          {said}
        </p>
      </section>

      <section className={sheet.part} aria-labelledby="class-board">
        <h2 id="class-board">{t('Results')}</h2>
        {entries.length === 0 && (
          <p className={styles.quiet}>{t('Nothing yet. What comes in is kept on this machine until you delete it.')}</p>
        )}
        {entries.length > 0 && (
          <p role="status" className={forged.length > 0 ? styles.alarm : styles.quiet}>
            {open_ > 0
              ? t('{n} of {all} still to be simulated.', { n: open_, all: entries.length })
              : forged.length > 0
                ? t('Forged: {seats}. The run of these settings and seeds gives other values.', {
                    seats: forged.map(({ result }) => seat(result.seat)).join(', '),
                  })
                : unverified > 0
                  ? t('None is forged, but {n} of {all} could not be verified here: they do not count as true.', {
                      n: unverified,
                      all: entries.length,
                    })
                  : t('Every result was simulated here again; none is forged.')}
          </p>
        )}
        {steps.map((step) => {
          const some = entries.filter(({ result }) => result.step === step);
          const { title, check } = lesson.steps[step]!;
          return (
            <div key={step} className={sheet.part}>
              <h3>{t('Step {n}: {title}', { n: step + 1, title })}</h3>
              {check && <p className={styles.quiet}>{t('Goal: {goal}.', { goal: check.say })}</p>}
              <Plot lesson={lesson} step={step} entries={some} verdicts={verdicts} />
              <Board entries={some} verdicts={verdicts} />
            </div>
          );
        })}
        {entries.length > 0 && (
          <span ref={ways} className={styles.row}>
            <Button
              icon="download"
              onClick={() => void save(new Blob([csvOf(lesson, entries, verdicts)], { type: 'text/csv' }), `${lesson.id}-${word}.csv`)}
            >
              {t('CSV file')}
            </Button>
            {asked ? (
              <>
                <Button
                  kind="danger"
                  icon="trash"
                  onClick={() => {
                    clear();
                    forgetVerdicts();
                    setAsked(false);
                    setSaid(t('Everything that was collected is deleted.'));
                    paste.current?.focus();
                  }}
                >
                  {tn('Delete {n} result', 'Delete all {n} results', entries.length)}
                </Button>
                <Button onClick={() => ask(false)}>{t('Keep them')}</Button>
              </>
            ) : (
              <Button icon="trash" onClick={() => ask(true)}>
                {t('Delete everything')}
              </Button>
            )}
          </span>
        )}
      </section>
      <Predictions lesson={lesson} entries={entries} />
      {!projector && (
        <section className={sheet.part}>
          <TeacherNotes lesson={lesson} />
          <details className={styles.notes}>
            <summary>{t('What a check can tell, and what it cannot')}</summary>
            <p>
              {t('A result is true when the same settings and seeds give the same values here, bit for bit.')}{' '}
              {t('Predictions cannot be checked, nor who pressed the buttons.')}{' '}
              {t('A result of another version of the workbench is “cannot be checked”, never “forged”.')}{' '}
              {t('Seats are numbers; keep the list of who sits where on paper. Nothing of this page is sent anywhere.')}
            </p>
          </details>
        </section>
      )}
    </Sheet>
  );
}
