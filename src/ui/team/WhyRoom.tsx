/** The room of reasons: why this decision, and, where there is a team, who did it. */
import { useState } from 'react';
import { Segmented } from '../kit/Segmented.tsx';
import { MessagesPanel } from '../messages/MessagesPanel.tsx';
import { useStageEnv } from '../stage/useStageEnv.ts';
import { WhyPanel } from '../why/WhyPanel.tsx';
import styles from './Team.module.css';
import { TeamPanel } from './TeamPanel.tsx';

const VIEWS = [
  { value: 'decision', label: 'This decision' },
  { value: 'team', label: 'The team' },
  { value: 'messages', label: 'Messages' },
] as const;

export function WhyRoom() {
  const env = useStageEnv();
  const [view, setView] = useState<(typeof VIEWS)[number]['value']>('decision');
  if (env === null || env.agents < 2) return <WhyPanel />;
  return (
    <div className={styles.room}>
      <div className={styles.switch}>
        <Segmented label="What is explained" value={view} options={VIEWS} onChange={setView} />
      </div>
      <div className={styles.view}>
        {view === 'decision' ? <WhyPanel /> : view === 'team' ? <TeamPanel env={env} /> : <MessagesPanel env={env} />}
      </div>
    </div>
  );
}
