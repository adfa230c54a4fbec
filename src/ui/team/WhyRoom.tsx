/** The room of reasons: why this decision, what if it had been otherwise, and, where there is a team, who did it and how they hang together. */
import { useState } from 'react';
import { save } from '../dialogs/save.ts';
import { ExplainersPanel } from '../explain/ExplainersPanel.tsx';
import { Button } from '../kit/Button.tsx';
import { Segmented } from '../kit/Segmented.tsx';
import { MessagesPanel } from '../messages/MessagesPanel.tsx';
import { useStageEnv } from '../stage/useStageEnv.ts';
import { WhatIf } from '../what-if/WhatIf.tsx';
import { WhyPanel } from '../why/WhyPanel.tsx';
import { InfluencePanel } from './InfluencePanel.tsx';
import { makeReport } from './report.ts';
import styles from './Team.module.css';
import { TeamPanel } from './TeamPanel.tsx';

const ALL = { value: 'all', label: 'All' } as const;
const ALONE = [{ value: 'decision', label: 'Decision' }, { value: 'what-if', label: 'What if' }, ALL] as const;
const TOGETHER = [
  { value: 'decision', label: 'Decision' },
  { value: 'what-if', label: 'What if' },
  { value: 'team', label: 'Team' },
  { value: 'influence', label: 'Influence' },
  { value: 'communication', label: 'Communication' },
  ALL,
] as const;

export function WhyRoom() {
  const env = useStageEnv();
  const [view, setView] = useState<(typeof TOGETHER)[number]['value']>('decision');
  if (env === null) return <WhyPanel />;
  const options = env.agents < 2 ? ALONE : TOGETHER;
  const shown = options.some(({ value }) => value === view) ? view : 'decision';
  return (
    <div className={styles.room}>
      <div className={styles.switch}>
        <Segmented label="What is explained" value={shown} options={options} onChange={setView} />
        <Button
          kind="bare"
          icon="download"
          label="Report: all that has been explained, as one page"
          onClick={() => void save(makeReport(env), `${env.id}-report.html`)}
        />
      </div>
      <div className={styles.view}>
        {shown === 'decision' && <WhyPanel />}
        {shown === 'what-if' && <WhatIf key={env.id} env={env} />}
        {shown === 'team' && <TeamPanel env={env} />}
        {shown === 'influence' && <InfluencePanel key={env.id} env={env} />}
        {shown === 'all' && <ExplainersPanel key={env.id} env={env} />}
        {shown === 'communication' && <MessagesPanel key={env.id} env={env} />}
      </div>
    </div>
  );
}
