/** What a pupil hands in: a short code of a finished step, as text and as a QR code. It holds no name. */
import { useMemo, useState } from 'react';
import { toFailure } from '#contract/kit/errors.ts';
import { spelled } from '#contract/link/code.ts';
import type { Answer, Lesson } from '#lessons/define.ts';
import { encodeResult } from '#lessons/result.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { QrCode } from '#ui/kit/QrCode.tsx';
import { copy } from '#ui/kit/save.ts';
import type { ArmRun } from './arms.ts';
import { said } from './failures.ts';
import styles from './Lessons.module.css';

interface Props {
  readonly lesson: Lesson;
  readonly step: number;
  readonly salt: number;
  readonly seat: number;
  readonly runs: readonly ArmRun[] | null;
  readonly met: readonly number[];
  readonly answers: Readonly<Record<number, Answer>>;
}

export function Result({ lesson, step, salt, seat, runs, met, answers }: Props) {
  const [shown, setShown] = useState(false);
  const key = runs?.map(({ group, outcome }) => (outcome === null ? '-' : group?.id)).join(' ') ?? '-';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the runs are told apart by the key
  const made = useMemo(() => {
    const results = runs?.flatMap(({ outcome }) => (outcome === null ? [] : [outcome])) ?? [];
    if (runs === null || runs.length === 0 || results.length !== runs.length) return null;
    try {
      const configs = runs.map(({ config }) => config);
      return { code: encodeResult({ lesson, step, salt, seat, configs, results, met, answers }), why: '' };
    } catch (error) {
      return { code: '', why: said(toFailure(error)) };
    }
  }, [key, lesson, step, salt, seat, met, answers]);
  if (made === null) return null;
  if (made.code === '')
    return (
      <p className={styles.quiet}>
        {t('There is no code of this result.')} {made.why}
      </p>
    );
  const text = spelled(made.code);
  return (
    <section className={styles.result} aria-label={t('My result')}>
      <p>{t('Your result as a code, for the class page. It holds your settings and what they gave, and no name.')}</p>
      <input type="text" readOnly aria-label={t('Result code')} value={text} onFocus={(event) => event.target.select()} />
      <span className={styles.row}>
        <Button icon="copy" onClick={() => void copy(text, t('Result code'))}>
          {t('Copy')}
        </Button>
        <Button pressed={shown} onClick={() => setShown(!shown)}>
          {t('QR code')}
        </Button>
      </span>
      {shown && <QrCode className={styles.resultQr} text={made.code} name={t('QR code of my result')} />}
    </section>
  );
}
