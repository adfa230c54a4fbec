/** The room of reasons: why this decision, what if it had been otherwise, and, where there is a team, who did it and how they hang together. */
import { lazy, Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { pins } from '#client/links/service.ts';
import { toFailure } from '#contract/errors.ts';
import type { Pin } from '#contract/link-pin.ts';
import { pinStore } from '#stores/pins.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Segmented } from '#ui/kit/Segmented.tsx';
import { copy, save } from '#ui/kit/save.ts';
import { toast } from '#ui/kit/toasts.ts';
import { useStageEnv } from '#ui/stage/useStageEnv.ts';
import { ExplainersPanel } from '../ExplainersPanel.tsx';
import { MessagesPanel } from '../messages/MessagesPanel.tsx';
import { WhatIf } from '../what-if/WhatIf.tsx';
import { PinNote } from '../why/PinNote.tsx';
import { WhyPanel } from '../why/WhyPanel.tsx';
import { InfluencePanel } from './InfluencePanel.tsx';
import { makeReport } from './report.ts';
import styles from './Team.module.css';
import { TeamPanel } from './TeamPanel.tsx';

const EditPanel = lazy(() => import('../edit-state/EditPanel.tsx').then((module) => ({ default: module.EditPanel })));
const NetworkPanel = lazy(() => import('../network/NetworkPanel.tsx').then((module) => ({ default: module.NetworkPanel })));

const ALL = { value: 'all', label: 'All' } as const;
const NETWORK = { value: 'network', label: 'Network' } as const;
const EDIT = { value: 'edit', label: 'Edit' } as const;
const ALONE = [{ value: 'decision', label: 'Decision' }, EDIT, NETWORK, { value: 'what-if', label: 'What if' }, ALL] as const;
const TOGETHER = [
  { value: 'decision', label: 'Decision' },
  EDIT,
  NETWORK,
  { value: 'what-if', label: 'What if' },
  { value: 'team', label: 'Team' },
  { value: 'influence', label: 'Influence' },
  { value: 'communication', label: 'Communication' },
  ALL,
] as const;

export function WhyRoom() {
  const env = useStageEnv();
  const pin = useStore(pinStore, (state) => state.pin);
  const [view, setView] = useState<(typeof TOGETHER)[number]['value']>('decision');
  useEffect(() => {
    if (pin !== null) setView(pin.view);
  }, [pin]);
  if (env === null) return <WhyPanel />;
  const options = env.agents < 2 ? ALONE : TOGETHER;
  const shown = options.some(({ value }) => value === view) ? view : 'decision';
  return (
    <div className={styles.room}>
      <div className={styles.switch}>
        <Segmented label="What is explained" value={shown} options={options} onChange={setView} />
        <Button
          kind="bare"
          icon="share"
          label="Copy a link to this explanation: this policy, this frame"
          onClick={() => copyPin(shown === 'edit' || shown === 'network' ? shown : 'decision')}
        />
        <Button
          kind="bare"
          icon="download"
          label="Report: all that has been explained, as one page"
          onClick={() => void save(makeReport(env), `${env.id}-report.html`)}
        />
      </div>
      <PinNote />
      <div className={styles.view}>
        {shown === 'decision' && <WhyPanel />}
        <Suspense fallback={<p className={styles.hint}>Opening.</p>}>
          {shown === 'edit' && <EditPanel key={env.id} env={env} />}
          {shown === 'network' && <NetworkPanel key={env.id} env={env} />}
        </Suspense>
        {shown === 'what-if' && <WhatIf key={env.id} env={env} />}
        {shown === 'team' && <TeamPanel env={env} />}
        {shown === 'influence' && <InfluencePanel key={env.id} env={env} />}
        {shown === 'all' && <ExplainersPanel key={env.id} env={env} />}
        {shown === 'communication' && <MessagesPanel key={env.id} env={env} />}
      </div>
    </div>
  );
}

function copyPin(view: Pin['view']): void {
  try {
    void copy(pins.make(view), 'Link to this explanation');
  } catch (error) {
    const { message, fix } = toFailure(error);
    toast(`${message} ${fix}`, { tone: 'caution' });
  }
}
