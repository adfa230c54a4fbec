/** P034: the hunter that learned with a code goes to the stage, where the map of its codes stands beside the decision. */
import { useState } from 'react';
import { files } from '#client/files/service.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { depthOfLink } from '#stores/layout.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { policyOf } from '../policies.ts';
import group from './Group.module.css';

const ARM = 'contrast';

export default function PartnerCodes({ card }: { readonly card: JudgedCard }) {
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const go = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      const file = await policyOf(card.id, ARM);
      await files.watch(file);
      depthOfLink('lab', 'lab'); // the map of codes stands beside the decision, which the simple depth leaves out
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={group.group}>
      <h2>{t('Where does it place its prey?')}</h2>
      <p>
        {t(
          'The hunter makes a code of whom it chases from what it has seen since the episode began. Watch some episodes: under “Why” each moment’s code is a point, and prey that circles left and prey that circles right get colours of their own.',
        )}
      </p>
      <div className={group.dials}>
        <Button icon="eye" disabled={busy} onClick={() => void go()}>
          {t('Watch it chase both habits')}
        </Button>
      </div>
      {problem !== '' && <p role="alert">{problem}</p>}
    </div>
  );
}
