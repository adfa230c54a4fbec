/** P034: the visitor takes the seat of the prey beside the hunter that learned with a code, whose map of codes stands beside the decision. */
import { useState } from 'react';
import { files } from '#client/files/service.ts';
import { game } from '#client/stage/service.ts';
import { objectOf } from '#contract/kit/json.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { depthOfLink } from '#stores/layout.ts';
import { takePartner } from '#stores/lineup.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { policyOf } from '../policies.ts';
import group from './Group.module.css';

const ARM = 'contrast';
const SEAT = 'agent_0';

export default function PartnerCodes({ card }: { readonly card: JudgedCard }) {
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const go = async (plays: boolean): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      const file = await policyOf(card.id, ARM);
      takePartner(String(objectOf(card.config.env).id), plays ? SEAT : null);
      await files.watch(file);
      depthOfLink('lab', 'lab'); // the map of codes stands beside the decision, which the simple depth leaves out
      if (plays) await game.open();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={group.group}>
      <h2>{t('Be the prey of a hunter that knows two habits')}</h2>
      <p>
        {t(
          'The hunter makes a code of whom it chases from what it has seen since the episode began. First watch some episodes: under “Why” each moment’s code is a point, and prey that circles left and prey that circles right get colours of their own. Then take the seat of the prey yourself, against the hunter that knows these two habits only: your own moments come among those points while you play.',
        )}
      </p>
      <div className={group.dials}>
        <Button icon="eye" disabled={busy} onClick={() => void go(false)}>
          {t('Watch it chase both habits')}
        </Button>
        <Button icon="play" kind="solid" disabled={busy} onClick={() => void go(true)}>
          {t('Play the prey')}
        </Button>
      </div>
      {problem !== '' && <p role="alert">{problem}</p>}
    </div>
  );
}
