/** The settings of what was written, and of the environment under it. */
import { useId } from 'react';
import type { OwnCard, OwnSettings, OwnSetup } from '#contract/own/sandbox.ts';
import { t } from '#text/text.ts';
import { langOf, titleOf } from '#ui/kit/format/fact.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import styles from './Write.module.css';

interface Props {
  readonly card: OwnCard;
  readonly setup: OwnSetup;
  readonly onChange: (setup: OwnSetup) => void;
  readonly onDone: () => void;
}

type Setting = OwnCard['settings'][number];
/** A setting may be a whole number of so many at most to be a slider. */
const SLIDER_MOST = 100_000;

export function Settings({ card, setup, onChange, onDone }: Props) {
  const own = card.settings.filter(({ of }) => of !== 'base');
  const base = card.settings.filter(({ of }) => of === 'base');
  const rows = (settings: readonly Setting[]) =>
    settings.map((setting) => {
      const room = setting.of === 'method' ? 'method' : 'settings';
      const values: OwnSettings = setup[room];
      return (
        <Row
          key={`${setting.of} ${setting.name}`}
          setting={setting}
          value={values[setting.name] ?? setting.value}
          onChange={(value) => onChange({ ...setup, [room]: { ...values, [setting.name]: value } })}
          onDone={onDone}
        />
      );
    });
  return (
    <>
      {own.length > 0 && (
        <section aria-label={t('Settings')} className={styles.settings}>
          {rows(own)}
        </section>
      )}
      {base.length > 0 && (
        <details className={styles.more}>
          <summary>{`Settings of ${card.base?.title ?? 'the environment'}`}</summary>
          <div className={styles.settings}>{rows(base)}</div>
        </details>
      )}
    </>
  );
}

interface RowProps {
  readonly setting: Setting;
  readonly value: number | boolean | string;
  readonly onChange: (value: number | boolean | string) => void;
  readonly onDone: () => void;
}

function Row({ setting, value, onChange, onDone }: RowProps) {
  const id = useId();
  const { title, about, min, max, whole, unit, options } = setting;
  const control = () => {
    if (typeof value === 'boolean')
      return <input id={id} type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} onBlur={onDone} />;
    if (typeof value === 'string')
      return (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)} onBlur={onDone}>
          {(options ?? [value]).map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      );
    if (min === undefined || max === undefined || setting.name === 'maxSteps' || max - min > SLIDER_MOST)
      return (
        <input
          id={id}
          type="number"
          {...(min !== undefined && { min })}
          {...(max !== undefined && { max })}
          step={whole === true ? 1 : 'any'}
          value={value}
          onChange={(event) => {
            const next = event.target.valueAsNumber;
            if (Number.isFinite(next)) onChange(whole === true ? Math.round(next) : next);
          }}
          onBlur={onDone}
        />
      );
    return (
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={whole === true ? 1 : (max - min) / 100}
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
        onPointerUp={onDone}
        onKeyUp={onDone}
      />
    );
  };
  return (
    <div className={styles.setting} title={titleOf(about)} lang={langOf(about)}>
      <label htmlFor={id}>{title}</label>
      {control()}
      <output htmlFor={id}>{typeof value === 'number' ? `${measure(value)} ${unit ?? ''}` : ''}</output>
    </div>
  );
}
