/** A challenge: made from the world of the laboratory, or opened from a link, tried, handed in and ranked. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { seatedIn, setUpOf, worldOf } from '#client/compare/challenge.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { type Challenge, decodeChallenge } from '#contract/link/challenge.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { catalogStore } from '#stores/catalog.ts';
import { hashOf, type Route } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import styles from './Challenge.module.css';
import { Make } from './Make.tsx';
import { Open } from './Open.tsx';

type Opened = { readonly challenge: Challenge; readonly config: RunConfig; readonly world: EnvCard } | { readonly why: string };

export default function ChallengePage({ route }: { readonly route: Route }) {
  const ready = useStore(catalogStore, ({ catalog }) => catalog !== null);
  const packed = route.query.c ?? '';
  const [opened, setOpened] = useState<{ readonly of: string; readonly found: Opened } | null>(null);
  useEffect(() => {
    if (!ready || packed === '') return;
    let current = true;
    void openPacked(packed).then((found) => {
      if (current) setOpened({ of: packed, found });
    });
    return () => {
      current = false;
    };
  }, [ready, packed]);
  if (packed === '')
    return (
      <PageFrame title={t('Make a challenge')} page="challenge">
        <p className={styles.lead}>
          {t(
            'A link that holds a world, the start of one episode and a score to beat: by hand, or by training for so many steps. Every attempt is a text that this page plays or trains again before it ranks it.',
          )}
        </p>
        {ready && <Make route={route} />}
      </PageFrame>
    );
  if (opened?.of !== packed) return <main aria-busy="true" />;
  const { found } = opened;
  if ('why' in found)
    return (
      <PageFrame title={t('This challenge cannot be opened')} page="challenge">
        <p className={styles.lead}>{found.why}</p>
        <p>
          <a href={hashOf({ page: 'challenge', id: null, query: {} })}>{t('Make a challenge')}</a>
        </p>
      </PageFrame>
    );
  return <Open key={packed} {...found} packed={packed} />;
}

async function openPacked(packed: string): Promise<Opened> {
  try {
    const challenge = decodeChallenge(packed);
    const config = await setUpOf(challenge);
    const world = await worldOf(config);
    seatedIn(challenge, world); // a seat that is not there is refused
    return { challenge, config, world };
  } catch (error) {
    const { message, fix } = toFailure(error);
    return { why: `${message} ${fix}` };
  }
}
