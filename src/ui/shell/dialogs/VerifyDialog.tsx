/** A stored run that is run again: for every seed the same hash, or the first row of a curve that differs. */
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { verification } from '#client/compare/verify.ts';
import { differencesText } from '#contract/run/verify.ts';
import { type SeedCheck, verifyStore } from '#stores/verify.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { Rich } from '#ui/kit/Rich.tsx';
import styles from './VerifyDialog.module.css';

const WORDS: { readonly [S in SeedCheck['state']]: string } = {
  waiting: 'waiting',
  running: 'running again',
  same: 'same',
  close: 'within tolerance',
  differs: 'differs',
  unverified: 'not verified',
  cancelled: 'cancelled',
};

export function VerifyDialog({ onClose }: { readonly onClose: () => void }) {
  const { asked: runId, name, steps, wanted, checks, going } = useStore(verifyStore);
  useEffect(() => {
    if (runId !== null) void verification.start(runId);
    return () => verification.cancel();
  }, [runId]);
  const count = (state: SeedCheck['state']): number => checks.filter((check) => check.state === state).length;
  const [same, open] = [count('same'), count('unverified')];
  const over = checks.filter(({ state }) => state !== 'waiting' && state !== 'running').length;
  return (
    <Dialog title={t('Run again and compare')} onClose={onClose}>
      <p>
        <Rich
          text={t(
            '<b>{name}</b> is trained again from its config and seeds, in workers of their own. Nothing of it is stored. What was learned, every number of its result and every row of its curves must be the same; live edits are made again.',
            { name },
          )}
        />
      </p>
      <ul className={styles.checks} aria-label={t('Seeds')}>
        {checks.map((check) => (
          <li key={check.seed} data-state={check.state}>
            <b>{t('Seed {seed}', { seed: check.seed })}</b>
            <span className={styles.state}>{WORDS[check.state]}</span>
            {check.state === 'running' && <progress max={steps} value={check.step} aria-label={t('Seed {seed}', { seed: check.seed })} />}
            {check.state === 'same' && <code>{check.stored}</code>}
            {check.state === 'differs' && <span>{differencesText(check.differences)}.</span>}
            {(check.state === 'close' || check.state === 'unverified') && <span>{check.note}.</span>}
          </li>
        ))}
      </ul>
      <p role="status">
        {going
          ? t('{over} of {n} compared.', { over, n: checks.length })
          : over > 0 && t('{same} of {all} seeds are the same, bit for bit.', { same, all: checks.length })}
        {!going && open > 0 && ` ${t('{open} could not be verified here.', { open })}`}
        {!going &&
          over > 0 &&
          checks.length < wanted &&
          ` ${t('{n} of the {wanted} seeds of this config are here.', { n: checks.length, wanted })}`}
      </p>
      <div className={styles.buttons}>
        {going ? (
          <Button icon="stop" onClick={() => verification.cancel()}>
            {t('Cancel')}
          </Button>
        ) : (
          runId !== null && <Button onClick={() => void verification.start(runId)}>{t('Once more')}</Button>
        )}
      </div>
    </Dialog>
  );
}
