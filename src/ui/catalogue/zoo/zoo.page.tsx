/** Ready policies: what is offered first for each world, trained on fresh seeds; to be watched, filmed and taken away. What is shown stands in the address. */
import facts from 'virtual:zoo-facts';
import { type ReactNode, useDeferredValue, useMemo } from 'react';
import { useStore } from 'zustand';
import { rewritePage } from '#client/address/pages.ts';
import { files } from '#client/files/service.ts';
import type { Catalog } from '#contract/catalog/catalog.ts';
import { decodePolicyFile } from '#contract/files/files.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { type ZooRow, zooRows } from '#report/zoo.ts';
import { catalogStore } from '#stores/catalog.ts';
import { exportPolicy, layoutStore } from '#stores/layout.ts';
import { hashOf, type Route } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { PageSearch, soughtIn } from '#ui/frame/PageSearch.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { DidYouMean } from '#ui/kit/DidYouMean.tsx';
import { failureText } from '#ui/kit/format/failure.ts';
import { bytes, compact, measure } from '#ui/kit/format/numbers.ts';
import { finder } from '#ui/kit/format/search.ts';
import { policyAt, zooUrl } from '#ui/kit/policy-file.ts';
import { save } from '#ui/kit/save.ts';
import { toast } from '#ui/kit/toasts.ts';
import scores from '../scores/Scores.module.css';
import { WayBar } from '../scores/WayBar.tsx';
import styles from './Zoo.module.css';

export default function ZooPage({ route }: { readonly route: Route }) {
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const sought = useDeferredValue(soughtIn(route));
  const rows = useMemo(() => (catalog === null ? [] : zooRows(facts, catalog.envs)), [catalog]);
  const found = useMemo(() => {
    const holds = finder(sought);
    return rows.filter(({ env, fact }) => holds(`${env.title} ${env.id} ${fact.algo}`));
  }, [rows, sought]);
  const ready = rows.filter(({ fact }) => fact.kept !== null).length;
  return (
    <PageFrame title={t('Ready policies')} page="zoo">
      <p className={scores.lead}>
        What is offered first for a world, trained on seeds that nothing of it was chosen on. Interquartile means with 95&nbsp;% intervals;
        a dot is a seed. The policy is that of the seed nearest to the mean, not of the best one. The same config and seed give it again,
        bit for bit.
      </p>
      <PageSearch route={route} placeholder="environment or method" />
      <p role="status" className={scores.count}>
        {catalog === null ? 'Reading …' : `${found.length} of ${rows.length} worlds measured, ${ready} with a policy`}
      </p>
      {catalog !== null && found.length === 0 && (
        <DidYouMean
          query={sought}
          texts={rows.map(({ env, fact }) => `${env.title} ${env.id} ${fact.algo}`)}
          onTake={(q) => rewritePage({ ...route, query: { q } })}
        />
      )}
      {catalog !== null && found.length > 0 && <Policies rows={found} catalog={catalog} />}
    </PageFrame>
  );
}

function Policies({ rows, catalog }: { readonly rows: readonly ZooRow[]; readonly catalog: Catalog }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={scores.scroll} tabIndex={0} aria-label="Table of policies">
      <table className={`${scores.table} ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">Environment</th>
            <th scope="col">Method</th>
            <th scope="col" data-numeric="">
              Score
            </th>
            <th scope="col">Random to best known</th>
            <th scope="col" data-numeric="">
              Steps
            </th>
            <th scope="col">
              <span className="visually-hidden">Policy</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.env.id} row={row} method={catalog.algos.find(({ id }) => id === row.fact.algo)?.title ?? row.fact.algo} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ row, method }: { readonly row: ZooRow; readonly method: string }) {
  const { env, fact, interval } = row;
  return (
    <tr>
      <th scope="row">
        <a href={`#env=${env.id}`}>{env.title}</a>
      </th>
      <td>
        <a href={hashOf({ page: 'methods', id: fact.algo, query: {} })}>{method}</a>
        {fact.judged !== 'return' && <small>{fact.judged}</small>}
      </td>
      <td data-numeric="">
        {measure(row.iqm)}
        {interval !== null && <small>{`${measure(interval[0])} to ${measure(interval[1])}`}</small>}
      </td>
      <td>
        <Way row={row} />
      </td>
      <td data-numeric="">
        {compact(fact.steps)}
        {fact.steps < 0.99 * fact.offered && <small>of {compact(fact.offered)}</small>}
      </td>
      <td>
        {fact.kept === null ? (
          <span className={scores.none}>no policy is kept: it is too large</span>
        ) : (
          <Ways env={env.id} name={`${method} in ${env.title}`} size={fact.bytes} seed={fact.kept} />
        )}
      </td>
    </tr>
  );
}

/** From random play to the best known. */
function Way({ row: { share, shares, fact, holds } }: { readonly row: ZooRow }) {
  const { random, best, bestIs, expected } = fact;
  const outside = holds === false && expected !== null && (
    <small className={scores.hidden}>
      outside of what its first seeds let expect, {measure(expected[0])} to {measure(expected[1])}
    </small>
  );
  if (share === null || shares === null || random === null || best === null)
    return (
      <>
        <span className={scores.none}>no reference</span>
        {outside}
      </>
    );
  return (
    <WayBar share={share} shares={shares}>
      <small>{`${measure(random)} (random) to ${measure(best)} (${bestIs})`}</small>
      {outside}
    </WayBar>
  );
}

interface WaysProps {
  readonly env: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly seed: number;
}

function Ways({ env, name, size, seed }: WaysProps) {
  const file = `${env}-seed-${seed}.json`;
  const way = (what: string, icon: 'eye' | 'film' | 'download', act: (policy: Blob) => Promise<void> | void): ReactNode => (
    <Button icon={icon} aria-label={`${what}: ${name}`} onClick={() => void withPolicy(env, act)}>
      {what}
    </Button>
  );
  return (
    <span className={styles.ways} title={`Seed ${seed}; ${bytes(size)} are fetched`}>
      {way('Watch', 'eye', (policy) => files.watch(policy))}
      {way('Film', 'film', async (policy) => {
        await files.watch(policy);
        layoutStore.getState().set('dialog', 'film');
      })}
      {way('ONNX', 'download', async (policy) => exportPolicy({ name, policy: decodePolicyFile(await policy.text()) }))}
      {way('Policy file', 'download', (policy) => save(policy, file))}
    </span>
  );
}

async function withPolicy(env: string, act: (policy: Blob) => Promise<void> | void): Promise<void> {
  try {
    await act(await policyAt(zooUrl(env)));
  } catch (error) {
    toast(error instanceof Error ? failureText(toFailure(error)) : String(error), { tone: 'caution' });
  }
}
