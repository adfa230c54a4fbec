/** A world, reward, player or method of one's own: what the address, a file or this device gives to begin with. Nothing of the code runs in the page. */
import { useEffect, useMemo, useState } from 'react';
import { worldVersions } from '#client/own/versions.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { unpackWorld } from '#contract/link/world.ts';
import type { OwnRunFile } from '#contract/own/run-file.ts';
import { kindIn } from '#contract/own/text.ts';
import { hashOf, type Route } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { allPoints, startingPoints } from '#worlds/index.ts';
import type { Given, Version } from './Sources.tsx';
import { Workshop } from './Workshop.tsx';
import styles from './Write.module.css';

/** The code of the address, which has not been allowed to run yet; null: there is none. */
function linked({ query }: Route): { readonly code: string; readonly problem: string } | null {
  const text = query.code;
  if (text === undefined) return null;
  try {
    return { code: unpackWorld(text), problem: '' };
  } catch (error) {
    const { message, fix } = toFailure(error);
    return { code: '', problem: `${message} ${fix}` };
  }
}

/** What the address names: a starting point (`from`), or a version on this device (`mine`, the time it was kept); null: it names none. */
function named(
  { query: { from, mine } }: Route,
  versions: readonly Version[],
): { readonly code: string } | { readonly problem: string } | null {
  if (mine !== undefined)
    return (
      versions.find(({ at }) => String(at) === mine) ?? { problem: 'This version is not on this device any more; the newest is opened.' }
    );
  if (from === undefined) return null;
  return (
    allPoints.find(({ id }) => id === from) ?? {
      problem: `There is no starting point "${from.slice(0, 40)}". There are: ${allPoints.map(({ id }) => id).join(', ')}.`,
    }
  );
}

export default function WritePage({ route }: { readonly route: Route }) {
  const link = useMemo(() => linked(route), [route]);
  const [given, setGiven] = useState<Given | null>(null);
  /** A saved run from a file, whose code was not allowed to run yet. */
  const [asked, setAsked] = useState<OwnRunFile | null>(null);
  const [versions, setVersions] = useState<readonly Version[]>([]);
  const [missing, setMissing] = useState('');

  useEffect(() => {
    let live = true;
    void worldVersions.list().then((found) => {
      if (!live) return;
      setVersions(found);
      const called = named(route, found);
      if (called !== null && 'code' in called) {
        setGiven({ code: called.code, run: null });
        // what is written from here on is the newest version: opened again, the page shows that
        history.replaceState(history.state, '', hashOf({ page: 'write', id: null, query: {} }));
      } else if (link === null || link.problem !== '')
        setGiven((now) => now ?? { code: found[0]?.code ?? startingPoints[0]?.code ?? '', run: null });
      setMissing(called !== null && 'problem' in called ? called.problem : '');
    });
    return () => {
      live = false;
    };
  }, [link, route]);

  const foreign = asked?.code ?? (given === null && link !== null && link.problem === '' ? link.code : null);
  return (
    <PageFrame title={t('Write your own')} page="write">
      {(link?.problem ?? missing) !== '' && (
        <p className={styles.problem} role="alert">
          {link?.problem ?? missing}
        </p>
      )}
      {foreign !== null ? (
        <Foreign
          code={foreign}
          from={asked === null ? 'link' : 'file'}
          onRun={() => {
            setGiven({ code: foreign, run: asked });
            setAsked(null);
          }}
          onCancel={asked === null ? null : () => setAsked(null)}
        />
      ) : (
        given !== null && <Workshop given={given} onGive={setGiven} onAsk={setAsked} versions={versions} onVersions={setVersions} />
      )}
    </PageFrame>
  );
}

interface ForeignProps {
  readonly code: string;
  readonly from: 'link' | 'file';
  readonly onRun: () => void;
  readonly onCancel: (() => void) | null;
}

/** Code that may be of another author: it is read before it runs. */
function Foreign({ code, from, onRun, onCancel }: ForeignProps) {
  return (
    <section className={styles.column} aria-label={t('Code of the {from}', { from })}>
      <p>
        {t('This {from} carries a {code} in code. Look at its code: it runs, in a sandbox without network and storage, when you say so.', {
          from,
          code: kindIn(code),
        })}
      </p>
      <textarea className={styles.code} readOnly rows={24} value={code} aria-label={t('Code of the {from}', { from })} />
      <div className={styles.bar}>
        <Button kind="solid" onClick={onRun}>
          {t('Run this code')}
        </Button>
        {onCancel !== null && <Button onClick={onCancel}>{t('Back to my code')}</Button>}
      </div>
    </section>
  );
}
