/**
 * The field that names a game: the named ones, the table as it is now and open to change, its equilibria. Payoffs of one's own go into
 * the fields beside the name, so they are in the link.
 */
import { useDeferredValue, useState } from 'react';
import { useStore } from 'zustand';
import type { Bimatrix, GameCard, PayoffFormat } from '#contract/game/payoffs.ts';
import type { Json } from '#contract/kit/json.ts';
import { draftStore } from '#stores/draft.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import type { ControlProps } from '../control.ts';
import { clearBad, markBad } from '../invalid.ts';
import { Equilibria } from './Equilibria.tsx';
import { ManyTable } from './ManyTable.tsx';
import { PairEditor } from './PairEditor.tsx';
import styles from './Payoff.module.css';
import { emptied, fieldsFor, fieldsForMany, gameIn, pairOf } from './table.ts';

export function PayoffField(props: ControlProps) {
  const format = props.leaf.schema.payoffs;
  return format === undefined ? null : <Editor {...props} format={format} />;
}

function Editor({ leaf, value, id, labelId, describedBy, problem, format }: ControlProps & { readonly format: PayoffFormat }) {
  const fields = useStore(draftStore, (state) => state.config.env.config);
  const card = useStore(draftStore, (state) => state.env?.game ?? null);
  const [typed, setTyped] = useState<Bimatrix | null>(null);
  const [typedMany, setTypedMany] = useState<GameCard['pay'] | null>(null);
  const [large, setLarge] = useState(false);
  const name = String(value);
  const stored = gameIn(format, value, fields);
  const own = stored?.own ?? (fields[format.tensor ?? ''] ?? null) !== null;
  // Games of two without a table in the format, and tables of many with two players, come with the card.
  const pair = stored?.game ?? (card === null ? null : pairOf(card));
  const many = pair === null && card !== null ? card : null;
  const solved = useDeferredValue(typed ?? pair);

  const put = (game: string, beside: { readonly [field: string]: Json }) => {
    setTyped(null);
    setTypedMany(null);
    const here = Object.entries(beside).map(([field, content]) => [leaf.path.replace(/[^.]+$/, field), content] as const);
    draftStore.getState().setAll({ [leaf.path]: game, ...Object.fromEntries(here) });
  };
  const putPair = (game: Bimatrix) => {
    const written = fieldsFor(format, name, game);
    if (written !== null) put(written.game, written.fields);
  };
  const putMany = (pay: GameCard['pay']) => {
    const beside = fieldsForMany(format, pay);
    if (beside !== null) put(name, beside);
  };
  const choose = (next: string) => {
    clearBad(leaf.path);
    // A game for two needs two players.
    const two = next in format.games && format.players !== undefined ? { [format.players]: 2 } : {};
    put(next, { ...emptied(format), ...two });
  };
  const wrong = (text: string, message: string) => {
    setTyped(null);
    setTypedMany(null);
    markBad(leaf.path, { text, message });
  };
  const names = leaf.schema.enum?.map(String) ?? Object.keys(format.games);

  const editor = (
    <div className={styles.editor} data-large={large ? '' : undefined}>
      <div className={styles.bar}>
        <select
          id={id}
          className={styles.select}
          aria-labelledby={labelId}
          aria-describedby={describedBy}
          value={own ? '' : name}
          onChange={(event) => choose(event.target.value)}
        >
          {own && <option value="">{t('own payoffs')}</option>}
          {names.map((known) => (
            <option key={known} value={known}>
              {known.replaceAll('-', ' ')}
            </option>
          ))}
        </select>
        {!large && <Button kind="bare" icon="expand" label={t('Edit in a large window')} onClick={() => setLarge(true)} />}
      </div>
      {pair !== null && (
        <PairEditor
          format={format}
          stored={pair}
          shown={typed ?? pair}
          onType={(next) => {
            clearBad(leaf.path);
            setTyped(next);
          }}
          onWrong={wrong}
          onDone={() => {
            clearBad(leaf.path);
            if (typed !== null) putPair(typed);
          }}
          onPut={putPair}
        />
      )}
      {many !== null && (
        <ManyTable
          game={typedMany === null ? many : { ...many, pay: typedMany }}
          onType={(pay) => {
            clearBad(leaf.path);
            setTypedMany(pay);
          }}
          onWrong={wrong}
          onDone={() => {
            clearBad(leaf.path);
            if (typedMany !== null) putMany(typedMany);
          }}
          onStep={putMany}
        />
      )}
      {problem !== null && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
      {solved !== null && <Equilibria game={solved} />}
    </div>
  );
  return large ? (
    <Dialog title={t('Payoffs')} width="wide" onClose={() => setLarge(false)}>
      {editor}
    </Dialog>
  ) : (
    editor
  );
}
