/**
 * The goal, the rules or the things at the start of a rule grid, chosen from menus. They live in the draft as the numbers of their encodings, so they
 * are in the link; a sentence below each says what was chosen.
 */
import { useId } from 'react';
import { type CardLine, type Line, PARTS, RULE_TILES, type RulePart, readLine, type Thing, writeLine } from '#contract/game/rule-card.ts';
import { capital } from '#contract/kit/capital.ts';
import type { Json } from '#contract/kit/json.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import type { ControlProps } from '../control.ts';
import styles from './Rules.module.css';
import { Sentence } from './Sentence.tsx';
import { ThingArt } from './ThingArt.tsx';
import { COLOUR_WORDS, kindWords, sentence, TILE_WORDS } from './words.ts';

const USUAL: Thing = { tile: 3, colour: 1 };
/** What a person may put into a rule: all but what stands outside of the map. */
const CHOICES = TILE_WORDS.flatMap((_, tile) => (tile === 0 ? [] : [tile]));
/** Floor, walls and things without a colour in their name have one that belongs to them. */
const OWN_COLOUR: { readonly [tile: number]: number } = { 0: 0, 1: 7, 2: 6 };
const LABELS: { readonly [part in RulePart]: string } = { a: 'A', b: 'B', c: '→', row: '', column: '' };
/** Rows and columns that a goal may name: the longest side of a map. */
const MOST_PLACE = 31;

type Rows = readonly (readonly number[])[];

const numbersOf = (value: Json | undefined): readonly number[] =>
  Array.isArray(value) ? value.filter((n): n is number => typeof n === 'number') : [];
const rowsOf = (value: Json | undefined): Rows => (Array.isArray(value) ? value.map((row) => numbersOf(row as Json)) : []);

export function RulesField({ leaf, value, labelId, describedBy, problem, onChange }: ControlProps) {
  const { items, maxItems = 40 } = leaf.schema;
  const width = items?.type === 'array' ? (items.maxItems ?? 0) : 0;
  return (
    <fieldset className={styles.editor} aria-labelledby={labelId} aria-describedby={describedBy}>
      {width === 0 ? (
        <LineEditor what="goal" numbers={numbersOf(value)} name={t('Goal')} onChange={(next) => onChange([...next])} />
      ) : (
        <List rows={rowsOf(value)} things={width === 2} most={maxItems} onChange={(next) => onChange(next.map((row) => [...row]))} />
      )}
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

function List(props: { readonly rows: Rows; readonly things: boolean; readonly most: number; readonly onChange: (next: Rows) => void }) {
  const { rows, things, most, onChange } = props;
  const put = (i: number, row: readonly number[]): void => onChange(rows.map((old, k) => (k === i ? row : old)));
  const remove = (i: number): void => onChange(rows.filter((_, k) => k !== i));
  const fresh = things ? [USUAL.tile, USUAL.colour] : writeLine('rule', { kind: 1, things: { c: { tile: 4, colour: 3 } } }, USUAL);
  return (
    <>
      {rows.map((row, i) =>
        things ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a place in the list is all a thing has
          <div key={i} className={styles.row}>
            <Picker
              name={t('Thing {n}', { n: i + 1 })}
              thing={{ tile: row[0] ?? 0, colour: row[1] ?? 0 }}
              onChange={({ tile, colour }) => put(i, [tile, colour])}
            />
            <Button kind="bare" icon="close" label={t('Take thing {n} out', { n: i + 1 })} onClick={() => remove(i)} />
          </div>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a place in the list is all a rule has
          <div key={i} className={styles.item}>
            <LineEditor
              what="rule"
              numbers={row}
              name={t('Rule {n}', { n: i + 1 })}
              onChange={(next) => put(i, next)}
              onRemove={() => remove(i)}
            />
          </div>
        ),
      )}
      <div className={styles.row}>
        <Button icon="plus" disabled={rows.length >= most} onClick={() => onChange([...rows, fresh])}>
          {things ? t('Add a thing') : t('Add a rule')}
        </Button>
        {rows.length >= most && <span className={styles.said}>{t('At most {n}.', { n: most })}</span>}
      </div>
    </>
  );
}

interface LineProps {
  readonly what: CardLine;
  readonly numbers: readonly number[];
  readonly name: string;
  readonly onChange: (numbers: readonly number[]) => void;
  readonly onRemove?: () => void;
}

function LineEditor({ what, numbers, name, onChange, onRemove }: LineProps) {
  const line = readLine(what, numbers);
  const write = (next: Line): void => onChange(writeLine(what, next, USUAL));
  return (
    <>
      <div className={styles.row}>
        <select aria-label={name} value={line.kind} onChange={(event) => write({ ...line, kind: Number(event.target.value) })}>
          {PARTS[what].map((_, kind) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a kind is its number
            <option key={kind} value={kind}>
              {capital(kindWords(what, kind))}
            </option>
          ))}
        </select>
        {onRemove !== undefined && <Button kind="bare" icon="close" label={t('Take out: {what}', { what: name })} onClick={onRemove} />}
      </div>
      {(PARTS[what][line.kind] ?? []).map((part) =>
        part === 'row' || part === 'column' ? (
          <Place key={part} part={part} value={line[part] ?? 1} onChange={(next) => write({ ...line, [part]: next })} />
        ) : (
          <div key={part} className={styles.row}>
            <span className={styles.part} aria-hidden="true">
              {LABELS[part]}
            </span>
            <Picker
              name={part === 'c' ? t('What it becomes') : LABELS[part]}
              thing={line.things[part] ?? USUAL}
              vanishes={part === 'c'}
              onChange={(thing) => write({ ...line, things: { ...line.things, [part]: thing } })}
            />
          </div>
        ),
      )}
      <p className={styles.said}>
        <Sentence pieces={sentence(what, line)} />
      </p>
    </>
  );
}

function Place({
  part,
  value,
  onChange,
}: {
  readonly part: 'row' | 'column';
  readonly value: number;
  readonly onChange: (next: number) => void;
}) {
  const id = useId();
  return (
    <div className={styles.row}>
      <label htmlFor={id}>{part === 'row' ? t('Row, from 0 at the top') : t('Column, from 0 at the left')}</label>
      <input
        id={id}
        type="number"
        min={0}
        max={MOST_PLACE}
        value={value}
        onChange={(event) => onChange(Math.min(MOST_PLACE, Math.max(0, Math.round(Number(event.target.value) || 0))))}
      />
    </div>
  );
}

interface PickerProps {
  readonly name: string;
  readonly thing: Thing;
  /** Floor is offered as "nothing is left". */
  readonly vanishes?: boolean;
  readonly onChange: (thing: Thing) => void;
}

/** A thing by its shape and its colour. */
function Picker({ name, thing, vanishes = false, onChange }: PickerProps) {
  const { tile, colour } = thing;
  const tiles = CHOICES.includes(tile) ? CHOICES : [tile, ...CHOICES];
  const coloured = RULE_TILES[tile]?.coloured === true;
  const chosen = (next: number): Thing => ({ tile: next, colour: OWN_COLOUR[next] ?? (coloured ? colour : USUAL.colour) });
  return (
    <span className={styles.picker}>
      <ThingArt thing={thing} />
      <select
        aria-label={t('{thing}: shape', { thing: name })}
        value={tile}
        onChange={(event) => onChange(chosen(Number(event.target.value)))}
      >
        {tiles.map((each) => (
          <option key={each} value={each}>
            {each === 1 && vanishes ? t('nothing: it vanishes') : t(TILE_WORDS[each] ?? '')}
          </option>
        ))}
      </select>
      {coloured && (
        <select
          aria-label={t('{thing}: colour', { thing: name })}
          value={colour}
          onChange={(event) => onChange({ tile, colour: Number(event.target.value) })}
        >
          {COLOUR_WORDS.map((word, each) =>
            each === 0 && colour !== 0 ? null : (
              <option key={word} value={each}>
                {t(word)}
              </option>
            ),
          )}
        </select>
      )}
    </span>
  );
}
