/**
 * The field that names a game: the named ones, the table as it is now and open to change, its equilibria. Payoffs of one's own go into
 * the fields beside the name, so they are in the link.
 */
import { useDeferredValue, useState } from 'react';
import { useStore } from 'zustand';
import type { Bimatrix, PayoffFormat } from '#contract/payoffs.ts';
import { draftStore } from '#stores/draft.ts';
import type { ControlProps } from '../form/control.ts';
import { clearBad, markBad } from '../form/invalid.ts';
import { Button } from '../kit/Button.tsx';
import { Dialog } from '../kit/Dialog.tsx';
import { Equilibria } from './Equilibria.tsx';
import styles from './Payoff.module.css';
import { PayoffTable } from './PayoffTable.tsx';
import { fieldsFor, gameIn, sized, square, type Tie, tied, tieOf, withPayoff } from './table.ts';

const LARGEST = 9;
const TIES: readonly { readonly tie: Tie; readonly title: string }[] = [
  { tie: 'free', title: 'its own payoffs' },
  { tie: 'mirrored', title: 'the same game from its side' },
  { tie: 'opposite', title: 'the opposite (zero sum)' },
  { tie: 'equal', title: 'the same (common interest)' },
];

export function PayoffField(props: ControlProps) {
  const format = props.leaf.schema.payoffs;
  return format === undefined ? null : <Editor {...props} format={format} />;
}

function Editor({ leaf, value, id, labelId, describedBy, problem, format }: ControlProps & { readonly format: PayoffFormat }) {
  const fields = useStore(draftStore, (state) => state.config.env.config);
  const [tieChosen, setTie] = useState<Tie | null>(null);
  const [typed, setTyped] = useState<Bimatrix | null>(null);
  const [large, setLarge] = useState(false);
  const { game: stored, own } = gameIn(format, value, fields);
  const game = typed ?? stored;
  const solved = useDeferredValue(game);
  const detected = tieOf(stored);
  const tie = tieChosen === 'mirrored' && !square(stored) ? 'free' : (tieChosen ?? detected);
  const free = format.row !== undefined && format.column !== undefined;
  const [rows, columns] = [game.row.length, game.row[0]?.length ?? 0];

  const put = (next: Bimatrix) => {
    setTyped(null);
    const written = fieldsFor(format, String(value), next);
    if (written === null) return;
    const beside = Object.entries(written.fields).map(([name, content]) => [leaf.path.replace(/[^.]+$/, name), content] as const);
    draftStore.getState().setAll({ [leaf.path]: written.game, ...Object.fromEntries(beside) });
  };
  const resize = (r: number, c: number) => put(sized(stored, r, c));

  const editor = (
    <div className={styles.editor} data-large={large ? '' : undefined}>
      <div className={styles.bar}>
        <select
          id={id}
          className={styles.select}
          aria-labelledby={labelId}
          aria-describedby={describedBy}
          value={own ? '' : String(value)}
          onChange={(event) => {
            const named = format.games[event.target.value];
            clearBad(leaf.path);
            setTie(null);
            if (named !== undefined) put(named);
          }}
        >
          {own && <option value="">own payoffs</option>}
          {Object.keys(format.games).map((name) => (
            <option key={name} value={name}>
              {name.replaceAll('-', ' ')}
            </option>
          ))}
        </select>
        {!large && <Button kind="bare" icon="expand" label="Edit in a large window" onClick={() => setLarge(true)} />}
      </div>
      <PayoffTable
        game={game}
        onType={(who, r, c, next) => {
          clearBad(leaf.path);
          setTyped(withPayoff(stored, who, r, c, next, tie));
        }}
        onWrong={(text, message) => {
          setTyped(null);
          markBad(leaf.path, { text, message });
        }}
        onDone={() => {
          clearBad(leaf.path);
          if (typed !== null) put(typed);
        }}
        onStep={(who, r, c, next) => put(withPayoff(stored, who, r, c, next, tie))}
      />
      {free && (
        <div className={styles.bar}>
          <label className={styles.tie}>
            <span>The column player gets</span>
            <select
              className={styles.select}
              value={tie}
              onChange={(event) => {
                const next = event.target.value as Tie;
                setTie(next);
                put(tied(stored, next));
              }}
            >
              {TIES.map((one) => (
                <option key={one.tie} value={one.tie} disabled={one.tie === 'mirrored' && !square(stored)}>
                  {one.title}
                </option>
              ))}
            </select>
          </label>
          <Count label="rows" value={rows} onChange={(next) => resize(next, columns)} />
          <Count label="columns" value={columns} onChange={(next) => resize(rows, next)} />
        </div>
      )}
      {problem !== null && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
      <Equilibria game={solved} />
    </div>
  );
  return large ? (
    <Dialog title="Payoffs" width="wide" onClose={() => setLarge(false)}>
      {editor}
    </Dialog>
  ) : (
    editor
  );
}

interface CountProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function Count({ label, value, onChange }: CountProps) {
  return (
    <span className={styles.count}>
      <Button kind="bare" icon="minus" label={`One of the ${label} less`} disabled={value <= 1} onClick={() => onChange(value - 1)} />
      <span className={styles.number}>
        {value} {label}
      </span>
      <Button kind="bare" icon="plus" label={`One of the ${label} more`} disabled={value >= LARGEST} onClick={() => onChange(value + 1)} />
    </span>
  );
}
