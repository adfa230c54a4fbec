/** How fast this machine is: executors, training and scenes, beside committed records and a received result. */

import records from 'virtual:bench-records';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { benchRow, knowMachine, type Measured } from '#client/workers/benching.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { BENCH_ROWS, type BenchResult, type BenchRow, type BenchValue, benchFromQuery, benchQuery } from '#contract/run/bench.ts';
import { machineStore } from '#stores/machine.ts';
import { hashOf, type Route } from '#stores/route.ts';
import type { MachineState } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { Sheet } from '#ui/frame/Sheet.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { compact, significant } from '#ui/kit/format/numbers.ts';
import { copy, save } from '#ui/kit/save.ts';
import styles from './Bench.module.css';
import { sceneCost } from './scene-cost.ts';

type Cell = BenchValue | { readonly problem: string };
const isValue = (cell: Cell | undefined): cell is BenchValue => cell !== undefined && 'value' in cell;

/** Browser, cores and graphics card in a few words. */
function machineWords({ cores, gpu, gpuReason }: Pick<MachineState, 'cores' | 'gpu' | 'gpuReason'>): string {
  const agent = navigator.userAgent;
  const found = /(Firefox|Edg|Chrome|Version)\/(\d+)/.exec(agent);
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', Version: 'Safari' };
  const browser = found === null ? 'browser' : `${names[found[1] ?? ''] ?? found[1]} ${found[2]}`;
  const card = { present: gpuReason, none: 'no WebGPU', unknown: 'graphics card not asked' }[gpu];
  return `${browser}, ${cores} cores, ${card}`;
}

const figure = ({ unit }: BenchRow, value: number): string => `${unit === 'ms' ? significant(value, 3) : compact(value)} ${unit}`;

export default function BenchPage({ route }: { readonly route: Route }) {
  const machine = useStore(machineStore);
  const [cells, setCells] = useState<Readonly<Record<string, Cell>>>({});
  const [busy, setBusy] = useState<string | null>(null);
  const stage = useRef<HTMLDivElement>(null);
  const current = useRef<{ cancelled: boolean; measured: Measured | null }>({ cancelled: false, measured: null });
  const sent = benchFromQuery(route.query);

  const cancel = (): void => {
    current.current.cancelled = true;
    current.current.measured?.cancel();
    setBusy(null);
  };
  // Leaving the page ends what is measured for it.
  useEffect(() => {
    void knowMachine();
    return () => {
      current.current.cancelled = true;
      current.current.measured?.cancel();
    };
  }, []);

  const measure = async ({ id, what }: BenchRow): Promise<Cell> => {
    try {
      if (what.kind === 'scene') {
        if (stage.current === null) return { problem: 'The page was left.' };
        return { value: await sceneCost(what.members, stage.current) };
      }
      const measured = benchRow(id);
      current.current.measured = measured;
      return await measured.value;
    } catch (error) {
      return { problem: toFailure(error).message };
    }
  };
  const run = async (rows: readonly BenchRow[]): Promise<void> => {
    const mine = { cancelled: false, measured: null };
    current.current = mine;
    for (const row of rows) {
      setBusy(row.id);
      const cell = await measure(row);
      if (mine.cancelled) return;
      setCells((before) => ({ ...before, [row.id]: cell }));
    }
    setBusy(null);
  };

  const values = Object.fromEntries(Object.entries(cells).filter((entry): entry is [string, BenchValue] => isValue(entry[1])));
  const mine: BenchResult = { machine: machineWords(machine), date: new Date().toISOString().slice(0, 10), values };
  const any = Object.keys(values).length > 0;
  const link = `${location.origin}${location.pathname}${hashOf({ page: 'bench', id: null, query: benchQuery(mine) })}`;
  const json = `${JSON.stringify(mine, null, 2)}\n`;
  const others: readonly BenchResult[] = [...(sent === null ? [] : [sent]), ...records];

  return (
    <Sheet
      title={t('How fast this machine is')}
      page="bench"
      actions={
        busy === null ? (
          <Button kind="solid" onClick={() => void run(BENCH_ROWS)}>
            Measure everything
          </Button>
        ) : (
          <Button onClick={cancel}>Cancel</Button>
        )
      }
    >
      <p className={styles.lead}>
        Each row takes one to a few seconds, longer where the processor plays the graphics card. Figures hold for this machine as it is now:
        what else runs on it slows them down.
      </p>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <caption className={styles.hidden}>What was measured here, and results of other machines</caption>
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col">On</th>
              <th scope="col">
                Here <small>{mine.machine}</small>
              </th>
              {others.map(({ machine: name, date }, i) => (
                <th key={`${name} ${date}`} scope="col">
                  {sent !== null && i === 0 ? 'From the link' : 'Committed'} <small>{`${name}, ${date}`}</small>
                </th>
              ))}
              <th scope="col">
                <span className={styles.hidden}>Measure</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {BENCH_ROWS.map((row) => {
              const cell = cells[row.id];
              return (
                <tr key={row.id} data-row={row.id}>
                  <th scope="row">{row.title}</th>
                  <td>{row.what.kind === 'scene' ? 'this page' : row.what.executor}</td>
                  <td className={styles.figure} data-from="here" data-busy={busy === row.id}>
                    {busy === row.id ? 'measuring ...' : <CellText row={row} cell={cell} />}
                  </td>
                  {others.map(({ machine: name, date, values: theirs }, i) => {
                    const other = theirs[row.id];
                    return (
                      <td key={`${name} ${date}`} className={styles.figure} data-from={sent !== null && i === 0 ? 'link' : 'committed'}>
                        <CellText row={row} cell={other} />
                      </td>
                    );
                  })}
                  <td>
                    <Button disabled={busy !== null} aria-label={`Measure: ${row.title}, ${row.id}`} onClick={() => void run([row])}>
                      Measure
                    </Button>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p className={styles.hidden} role="status">
        {busy === null ? (any ? 'Measured.' : '') : `Measuring ${BENCH_ROWS.find(({ id }) => id === busy)?.title}.`}
      </p>
      <div ref={stage} className={styles.stage} aria-hidden="true" />
      {any && (
        <section className={styles.share}>
          <h2>Pass it on</h2>
          <label>
            <span>A link with these figures</span>
            <input readOnly value={link} onFocus={(event) => event.target.select()} />
          </label>
          <div className={styles.buttons}>
            <Button onClick={() => void copy(link, 'The link')}>Copy link</Button>
            <Button onClick={() => void save(new Blob([json], { type: 'application/json' }), 'bench.json')}>Save as JSON</Button>
          </div>
          <details>
            <summary>As JSON</summary>
            <pre data-result="">{json}</pre>
          </details>
        </section>
      )}
    </Sheet>
  );
}

function CellText({ row, cell }: { readonly row: BenchRow; readonly cell: Cell | undefined }) {
  if (cell === undefined) return <span className={styles.none}>–</span>;
  if (!isValue(cell)) return <span className={styles.problem}>{cell.problem}</span>;
  const { value, dispatches, error } = cell;
  const per = row.what.kind === 'training' ? 'an iteration' : 'a step';
  return (
    <>
      {figure(row, value)}
      {dispatches !== undefined && <small>{`${dispatches} dispatches ${per}`}</small>}
      {error !== undefined && (
        <small>{`within ${error.toExponential(0).replace('e-', ' × 10⁻').replace(/⁻\d+/, superscript)} of wasm`}</small>
      )}
    </>
  );
}

const superscript = (digits: string): string => digits.replace(/\d/g, (d) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(d)] ?? d);
