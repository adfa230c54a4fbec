/** A stored run that is run again: for every seed the same hash, or the first row of a curve that differs. */
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { verification } from '#client/compare/verify.ts';
import { differencesText } from '#contract/run/verify.ts';
import { type SeedCheck, verifyStore } from '#stores/verify.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
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
    <Dialog title="Run again and compare" onClose={onClose}>
      <p>
        <b>{name}</b> is trained again from its config and seeds, in workers of their own. Nothing of it is stored. What was learned, every
        number of its result and every row of its curves must be the same; live edits are made again.
      </p>
      <ul className={styles.checks} aria-label="Seeds">
        {checks.map((check) => (
          <li key={check.seed} data-state={check.state}>
            <b>Seed {check.seed}</b>
            <span className={styles.state}>{WORDS[check.state]}</span>
            {check.state === 'running' && <progress max={steps} value={check.step} aria-label={`Seed ${check.seed}`} />}
            {check.state === 'same' && <code>{check.stored}</code>}
            {check.state === 'differs' && <span>{differencesText(check.differences)}.</span>}
            {(check.state === 'close' || check.state === 'unverified') && <span>{check.note}.</span>}
          </li>
        ))}
      </ul>
      <p role="status">
        {going
          ? `${over} of ${checks.length} compared.`
          : over > 0 && `${same} of ${checks.length} ${checks.length === 1 ? 'seed is' : 'seeds are'} the same, bit for bit.`}
        {!going && open > 0 && ` ${open} could not be verified here.`}
        {!going && over > 0 && checks.length < wanted && ` ${checks.length} of the ${wanted} seeds of this config are here.`}
      </p>
      <div className={styles.buttons}>
        {going ? (
          <Button icon="stop" onClick={() => verification.cancel()}>
            Cancel
          </Button>
        ) : (
          runId !== null && <Button onClick={() => void verification.start(runId)}>Once more</Button>
        )}
      </div>
    </Dialog>
  );
}
