/**
 * One leaf of a config: label, plain line, control, marks. Exactly one labelled control; the slider's track is for the pointer only,
 * its keyboard is the number field itself (arrows, Page Up and Down, Home, End after the spin-button pattern).
 */
import { memo, Suspense, useId } from 'react';
import { capital } from '#contract/kit/capital.ts';
import { type Json, ownJson } from '#contract/kit/json.ts';
import { msg, t } from '#text/text.ts';
import { termOfSetting } from '#ui/glossary/ids.ts';
import { Term } from '#ui/glossary/Term.tsx';
import { langOf } from '#ui/kit/format/fact.ts';
import { Icon } from '#ui/kit/Icon.tsx';
import { late } from '#ui/kit/late.tsx';
import type { ControlProps } from './control.ts';
import { DatasetControl } from './DatasetControl.tsx';
import styles from './Field.module.css';
import type { Leaf } from './leaves.ts';
import { rangeText, textOf } from './leaves.ts';
import { RangedNumber } from './RangedNumber.tsx';
import { SeatsControl } from './SeatsControl.tsx';
import { TextControl } from './TextControl.tsx';

// Few environments have such fields: their editors are loaded with the first of them.
const ContextsControl = late(() => import('./ContextsControl.tsx').then((module) => ({ default: module.ContextsControl })));
const MapField = late(() => import('./map/MapField.tsx').then((module) => ({ default: module.MapField })));
const PayoffField = late(() => import('./payoff/PayoffField.tsx').then((module) => ({ default: module.PayoffField })));
const RobotField = late(() => import('./robot/RobotField.tsx').then((module) => ({ default: module.RobotField })));
const RulesField = late(() => import('./rules/RulesField.tsx').then((module) => ({ default: module.RulesField })));
const SiteControl = late(() => import('./robot/SiteControl.tsx').then((module) => ({ default: module.SiteControl })));
const PotentialField = late(() => import('./map/PotentialField.tsx').then((module) => ({ default: module.PotentialField })));

interface Props {
  readonly leaf: Leaf;
  readonly value: Json | undefined;
  readonly base: Json | undefined;
  readonly problem: string | null;
  /** A hidden field that belongs to this one has changed. */
  readonly changedBeside?: boolean;
  /** A run of this config is going on: says which fields act on it at once. */
  readonly running: boolean;
  readonly onChange: (path: string, value: Json | undefined) => void;
  readonly onReset: (path: string) => void;
}

export const Field = memo(function Field({ leaf, value, base, problem, running, changedBeside = false, onChange, onReset }: Props) {
  const id = useId();
  const { schema } = leaf;
  const changed = changedBeside || JSON.stringify(value) !== JSON.stringify(base);
  const wide =
    leaf.kind === 'robot' ||
    leaf.kind === 'rules' ||
    leaf.kind === 'map' ||
    leaf.kind === 'payoffs' ||
    leaf.kind === 'seats' ||
    leaf.kind === 'contexts' ||
    leaf.kind === 'potential';
  const control: ControlProps = {
    leaf,
    value,
    base,
    id: `${id}-control`,
    labelId: `${id}-label`,
    describedBy: `${id}-help ${id}-more`,
    problem,
    onChange: (next) => onChange(leaf.path, next),
  };
  const term = termOfSetting(leaf.path);
  const source = schema.source === undefined ? '' : ` (${schema.source})`;
  const was = textOf(leaf, base) || t('empty');
  const more = [
    leaf.kind === 'number' ? capital(rangeText(schema)) : '',
    schema.default === undefined || wide ? '' : `${t('default {value}', { value: textOf(leaf, schema.default) })}${source}`,
    schema.live ? t('can be changed while training') : '',
  ].filter((part) => part !== '');

  return (
    <div className={styles.field} data-kind={leaf.kind} data-changed={changed ? '' : undefined} data-field={leaf.path}>
      <div className={styles.head}>
        <span className={styles.label}>
          {wide ? (
            <span id={`${id}-label`} lang={langOf(leaf.title)}>
              {t(leaf.title)}
            </span>
          ) : (
            <label id={`${id}-label`} htmlFor={control.id} lang={langOf(leaf.title)}>
              {t(leaf.title)}
            </label>
          )}
          {term !== null && (
            <span data-from="lab">
              <Term id={term} label={t(leaf.title)} />
            </span>
          )}
          {changed && (
            <>
              <span className={styles.dot} title={t('Changed from {value}', { value: was })} />
              <span className="visually-hidden">, {t('changed from {value}', { value: was })}</span>
            </>
          )}
          {running && (
            <span className={styles.tag} data-live={schema.live ? '' : undefined}>
              {schema.live ? t('live') : t('new run')}
            </span>
          )}
        </span>
        {changed && (
          <button type="button" className={styles.reset} onClick={() => onReset(leaf.path)} title={t('Back to {value}', { value: was })}>
            <Icon name="reset" size={13} />
            <span className="visually-hidden">{t('Reset {field}', { field: t(leaf.title) })}</span>
          </button>
        )}
        {!wide && leaf.kind !== 'json' && (
          <Suspense>
            <Control {...control} />
          </Suspense>
        )}
      </div>
      {(wide || leaf.kind === 'json') && (
        <Suspense>
          <Control {...control} />
        </Suspense>
      )}
      {schema.description && (
        <p id={`${id}-help`} className={styles.help} lang={langOf(schema.description)}>
          {leaf.kind === 'map' ? beforeColon(t(schema.description)) : t(schema.description)}
        </p>
      )}
      <p id={`${id}-more`} className={styles.more} data-more="">
        {more.join(' · ')}
      </p>
    </div>
  );
});

/** Of a map: its letters are those of the tiles. */
const beforeColon = (text: string): string => `${text.split(/\s?[:：]/)[0]}${text.at(-1)}`;

function Control(props: ControlProps) {
  switch (props.leaf.kind) {
    case 'number':
      return <RangedNumber {...props} />;
    case 'choice':
      return <ChoiceControl {...props} />;
    case 'switch':
      return <SwitchControl {...props} />;
    case 'map':
      return <MapField {...props} />;
    case 'robot':
      return <RobotField {...props} />;
    case 'rules':
      return <RulesField {...props} />;
    case 'site':
      return <SiteControl {...props} />;
    case 'potential':
      return <PotentialField {...props} />;
    case 'payoffs':
      return <PayoffField {...props} />;
    case 'seats':
      return <SeatsControl {...props} />;
    case 'contexts':
      return <ContextsControl {...props} />;
    case 'dataset':
      return <DatasetControl {...props} />;
    case 'text':
    case 'json':
      return <TextControl {...props} />;
  }
}

function ChoiceControl({ leaf, value, id, describedBy, problem, onChange }: ControlProps) {
  const options = leaf.schema.enum ?? [];
  return (
    <select
      className={styles.select}
      id={id}
      aria-describedby={describedBy}
      aria-invalid={problem !== null}
      value={JSON.stringify(value ?? null)}
      onChange={(event) => onChange(ownJson(event.target.value))}
    >
      {leaf.nullable && <option value="null">{t(leaf.schema.empty ?? msg('auto'))}</option>}
      {options.map((option) => (
        <option key={JSON.stringify(option)} value={JSON.stringify(option)} lang={typeof option === 'string' ? langOf(option) : undefined}>
          {option === true ? t('yes') : option === false ? t('no') : t(String(option))}
        </option>
      ))}
    </select>
  );
}

function SwitchControl({ value, id, describedBy, problem, onChange }: ControlProps) {
  return (
    <input
      type="checkbox"
      role="switch"
      className={styles.switch}
      id={id}
      aria-describedby={describedBy}
      aria-invalid={problem !== null}
      checked={value === true}
      aria-checked={value === true}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
