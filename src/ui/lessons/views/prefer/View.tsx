/** Two moments at a time of the world of the lesson: the pupil says which is better, and an agent learns from the answers. */
import { useState } from 'react';
import { useStore } from 'zustand';
import { data } from '#client/files/data.ts';
import { datasetsStore } from '#stores/datasets.ts';
import { draftStore } from '#stores/draft.ts';
import { t, tn } from '#text/text.ts';
import { Compare } from '#ui/data/Compare.tsx';
import { PREFER_STEPS } from '#ui/data/words.ts';
import { Button } from '#ui/kit/Button.tsx';
import styles from '../../Lessons.module.css';
import type { StepViewProps } from '../../StepView.tsx';
import { useLesson } from '../../state.ts';
import { OnStage } from '../OnStage.tsx';

/** Random play that moments are taken from: some of it is good by chance. */
const RECORDED_STEPS = 4000;

export default function PreferView({ lesson, step }: StepViewProps) {
  const run = useLesson((state) => state.run);
  const env = useStore(draftStore, (state) => state.env);
  const config = useStore(draftStore, (state) => state.config);
  const entries = useStore(datasetsStore, (state) => state.entries);
  const busy = useStore(datasetsStore, (state) => state.busy);
  const failure = useStore(datasetsStore, (state) => state.failure);
  const [recorded, setRecorded] = useState('');
  const [answered, setAnswered] = useState('');
  const card = entries?.find(({ hash }) => hash === recorded);
  const answers = entries?.find(({ hash }) => hash === answered)?.answers ?? 0;
  if (env === null) return null;
  const record = async (): Promise<void> => {
    const sets = await data.datasets();
    const world = { id: config.env.id, config: config.env.config };
    const kept = await sets.record({ env: world, envTitle: env.title, who: { kind: 'random' }, steps: RECORDED_STEPS, errors: 0, seed: 1 });
    if (kept !== null) setRecorded(kept);
  };
  return (
    <div className={styles.prefer}>
      {card === undefined && (
        <Button kind="solid" icon="eye" disabled={busy !== ''} onClick={() => void record()}>
          {busy === '' ? t('Show me two moments') : `${busy} …`}
        </Button>
      )}
      {card !== undefined && answers === 0 && (
        <>
          <p className={styles.quiet}>{t('The two moments play on the stage: say there which is better.')}</p>
          <OnStage scenes={2}>
            <Compare card={card} onKept={setAnswered} started />
          </OnStage>
        </>
      )}
      {answers > 0 && (
        <p className={styles.row}>
          {tn('{n} answer is kept.', '{n} answers are kept.', answers)}
          <Button
            kind="solid"
            icon="play"
            onClick={() => {
              run(lesson.steps.indexOf(step));
              void data.learnFrom(answered, 'preference-ppo', PREFER_STEPS);
            }}
          >
            {t('Let an agent learn from them')}
          </Button>
          <Button onClick={() => setAnswered('')}>{t('Answer anew')}</Button>
        </p>
      )}
      {failure !== null && (
        <p className={styles.check} role="alert">
          {failure.message} {failure.fix}
        </p>
      )}
    </div>
  );
}
