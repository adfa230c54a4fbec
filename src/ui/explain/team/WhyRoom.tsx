/** Explanations beside the scene: the decision of the shown frame, and one of the other panels (panels.ts). */
import { Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { pins } from '#client/links/pin-service.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { Pin } from '#contract/link/pin.ts';
import { layoutStore } from '#stores/layout.ts';
import { pinStore } from '#stores/pins.ts';
import { msg, t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { useTexts } from '#ui/kit/parts.ts';
import { Segmented } from '#ui/kit/Segmented.tsx';
import { copy, save } from '#ui/kit/save.ts';
import { toast } from '#ui/kit/toasts.ts';
import { useStageEnv } from '#ui/stage/useStageEnv.ts';
import { panels } from '../panels.ts';
import { PinNote } from '../why/PinNote.tsx';
import { WhyPanel } from '../why/WhyPanel.tsx';
import { makeReport } from './report.ts';
import styles from './Team.module.css';

const DECISION = { value: 'decision', label: msg('Decision') };

export function WhyRoom() {
  const env = useStageEnv();
  const pin = useStore(pinStore, (state) => state.pin);
  const simple = useStore(layoutStore, ({ depth }) => depth === 'teach');
  const [view, setView] = useState('decision');
  useEffect(() => {
    if (pin !== null) setView(pin.view);
  }, [pin]);
  if (!useTexts('why')) return null;
  if (env === null) return <WhyPanel />;
  // At the simple depth the decision alone; a link to another panel opens that.
  if (simple && pin === null)
    return (
      <div className={styles.room}>
        <div className={styles.view}>
          <WhyPanel />
        </div>
      </div>
    );
  const offered = panels.filter(
    ({ team, lattice }) => (team !== true || env.agents > 1) && (lattice !== true || env.lattice !== undefined),
  );
  const panel = offered.find(({ id }) => id === view);
  const shown = panel?.id ?? DECISION.value;
  return (
    <div className={styles.room}>
      <div className={styles.switch}>
        <Segmented
          label={t('What is explained')}
          value={shown}
          options={[DECISION, ...offered.map(({ id, label }) => ({ value: id, label }))].map(({ value, label }) => ({
            value,
            label: t(label),
          }))}
          onChange={setView}
        />
        <Button
          kind="bare"
          icon="share"
          label={t('Copy a link to this explanation: this policy, this frame')}
          onClick={() => copyPin(shown === 'edit' || shown === 'network' ? shown : 'decision')}
        />
        <Button
          kind="bare"
          icon="download"
          label={t('Report: all that has been explained, as one page')}
          onClick={() => void save(makeReport(env), `${env.id}-report.html`)}
        />
      </div>
      <PinNote />
      <div className={styles.view}>
        {panel === undefined ? (
          <WhyPanel />
        ) : (
          <Suspense fallback={<p className={styles.hint}>{t('Opening.')}</p>}>
            <panel.View key={env.id} env={env} />
          </Suspense>
        )}
      </div>
    </div>
  );
}

function copyPin(view: Pin['view']): void {
  try {
    void copy(pins.make(view), t('Link to this explanation'));
  } catch (error) {
    const { message, fix } = toFailure(error);
    toast(`${message} ${fix}`, { tone: 'caution' });
  }
}
