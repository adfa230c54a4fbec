/** Scores as a table, each row one press from the laboratory. */
import { laboratory } from '#client/address/laboratory.ts';
import { runs } from '#client/runs/service.ts';
import type { Catalog } from '#contract/catalog/catalog.ts';
import { hiddenWords, SCORED, type ScoreRow } from '#report/scores.ts';
import { hashOf } from '#stores/route.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure, percent } from '#ui/kit/format/numbers.ts';
import { openExperiment } from '../experiments.ts';
import styles from './Scores.module.css';
import { WayBar } from './WayBar.tsx';

export function ScoreTable({ rows, catalog }: { readonly rows: readonly ScoreRow[]; readonly catalog: Catalog }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label="Table of scores">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Environment</th>
            <th scope="col">Method</th>
            <th scope="col" data-numeric="">
              Score
            </th>
            <th scope="col">Random to best known</th>
            <th scope="col">Quantity</th>
            <th scope="col" data-numeric="">
              Steps
            </th>
            <th scope="col" data-numeric="">
              Seeds
            </th>
            <th scope="col">
              <span className="visually-hidden">Open</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={`${row.env}/${row.setting}/${row.algo}/${row.fact.claim}`} row={row} catalog={catalog} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ row, catalog }: { readonly row: ScoreRow; readonly catalog: Catalog }) {
  const { fact, env, setting, algo, iqm, interval, older } = row;
  const card = catalog.experiments.find(({ id }) => id === fact.claim);
  const open = (): void => {
    if (card === undefined) void runs.learnIn(fact.env.id);
    else {
      openExperiment(card, catalog);
      laboratory.back();
    }
  };
  return (
    <tr>
      <th scope="row">
        {env}
        {setting !== '' && <small>{setting}</small>}
      </th>
      <td>
        <a href={hashOf({ page: 'methods', id: fact.algo.id, query: {} })}>{algo}</a>
        {older && <small>of older rules</small>}
      </td>
      <td data-numeric="">
        {measure(iqm)}
        {interval !== null && <small>{`${measure(interval[0])} to ${measure(interval[1])}`}</small>}
      </td>
      <td>
        <Share row={row} />
      </td>
      <td>{SCORED[fact.quantity]}</td>
      <td data-numeric="">{compact(fact.steps)}</td>
      <td data-numeric="">{fact.scores.length}</td>
      <td>
        <Button aria-label={`${card === undefined ? 'Train' : 'Open'}: ${algo} in ${env}`} onClick={open}>
          {card === undefined ? 'Train' : 'Open'}
        </Button>
      </td>
    </tr>
  );
}

/** A bar from random play to the best known, with both numbers. */
function Share({ row }: { readonly row: ScoreRow }) {
  const { share, shares, nothing, best, gap } = row;
  const hidden = hiddenWords(row).map((words) => (
    <small key={words} className={styles.hidden}>
      {words}
    </small>
  ));
  if (share === null || shares === null || nothing === null || best === null || gap === null)
    return (
      <>
        <span className={styles.none}>no reference</span>
        {hidden}
      </>
    );
  return (
    <WayBar share={share} shares={shares}>
      <small title={best.source}>
        {`${measure(nothing.value)} (${nothing.name}) to ${measure(best.value)} (${best.name}), gap ${percent(Math.round(100 * gap))}`}
      </small>
      {hidden}
    </WayBar>
  );
}
