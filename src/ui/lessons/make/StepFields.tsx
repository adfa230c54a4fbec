/** One step of the lesson: its text, its picture, its runs, its question. */
import { useStore } from 'zustand';
import { LESSON_TEXT } from '#contract/link/lesson.ts';
import { sceneOf } from '#scenes/index.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { t } from '#text/text.ts';
import type { Leaf } from '#ui/form/leaves.ts';
import { Button } from '#ui/kit/Button.tsx';
import fields from '#ui/kit/Fields.module.css';
import { Choice, Text, Tick } from '#ui/kit/Fields.tsx';
import type { Form, StepForm } from './form.ts';
import styles from './Make.module.css';
import { PreparedRuns } from './PreparedRuns.tsx';

interface Props {
  /** From 1. */
  readonly n: number;
  readonly form: Form;
  readonly step: StepForm;
  readonly leaves: readonly Leaf[];
  readonly onChange: (part: Partial<StepForm>) => void;
  /** null: it is the only one. */
  readonly onRemove: (() => void) | null;
}

export function StepFields({ n, form, step, leaves, onChange, onRemove }: Props) {
  const env = useStore(draftStore, (state) => state.env);
  const hidable = env !== null && sceneOf(env.frame).layers(env.frame).includes('payouts');
  const hides = (path: string): boolean => step.hidden.includes(path);
  return (
    <>
      <Text label={t('Title of step {n}', { n })} value={step.title} most={LESSON_TEXT.step} onChange={(title) => onChange({ title })} />
      <Text label={t('Text of step {n}', { n })} rows={3} value={step.say} most={LESSON_TEXT.say} onChange={(say) => onChange({ say })} />
      <Question n={n} step={step} onChange={onChange} />
      <details open={step.arms.length > 0 || undefined}>
        <summary>{step.arms.length === 0 ? t('Prepared runs') : t('Prepared runs, {n}', { n: step.arms.length })}</summary>
        <div className={styles.inside}>
          <p className={fields.quiet}>
            {t('The pupil starts them with one press and compares them: each has the settings of the lesson, but for what you name.')}
          </p>
          <PreparedRuns n={n} leaves={leaves} arms={step.arms} onChange={(arms) => onChange({ arms })} />
        </div>
      </details>
      <Tick checked={step.run} onChange={(run) => onChange({ run })}>
        {t('The pupil sets the controls and trains')}
      </Tick>
      {step.run && form.show.length > 1 && (
        <fieldset className={styles.some}>
          <legend>{t('Controls in step {n}', { n })}</legend>
          {form.show.map((path) => (
            <Tick
              key={path}
              checked={!hides(path)}
              onChange={(on) => onChange({ hidden: on ? step.hidden.filter((other) => other !== path) : [...step.hidden, path] })}
            >
              {t(leaves.find((leaf) => leaf.path === path)?.title ?? path)}
            </Tick>
          ))}
        </fieldset>
      )}
      <details open={step.picture !== '' || step.play || step.hides !== '' || step.surprise !== '' || undefined}>
        <summary>{t('Picture and more')}</summary>
        <div className={styles.inside}>
          <PictureField n={n} value={step.picture} onChange={(picture) => onChange({ picture })} />
          <Tick checked={step.play} onChange={(play) => onChange({ play })}>
            {t('The pupil can play the world by hand')}
          </Tick>
          {(hidable || step.hides !== '') && (
            <Choice
              label={t('What the levers pay is shown in step {n}', { n })}
              value={step.hides}
              options={[
                ['', t('from the start')],
                ['predicted', t('once a run began: what was predicted then stays')],
                ['step', t('not in this step')],
              ]}
              onChange={(hides) => onChange({ hides: hides === 'step' || hides === 'predicted' ? hides : '' })}
            />
          )}
          <Tick checked={step.greedy} onChange={(greedy) => onChange({ greedy })}>
            {t('Runs are judged by the greedy test, not by what they earn while learning')}
          </Tick>
          <Text
            label={t('Question after the run (may stay empty)')}
            value={step.surprise}
            most={LESSON_TEXT.ask}
            onChange={(surprise) => onChange({ surprise })}
          />
        </div>
      </details>
      {onRemove !== null && (
        <Button icon="trash" onClick={onRemove}>
          {t('Remove step {n}', { n })}
        </Button>
      )}
    </>
  );
}

type Part = { readonly n: number; readonly step: StepForm; readonly onChange: (part: Partial<StepForm>) => void };

function Question({ n, step, onChange }: Part) {
  const tells = step.came === 'least' || step.came === 'most' || step.came === '' ? step.came : 'borders';
  return (
    <>
      <Text
        label={t('Question before the run (may stay empty)')}
        value={step.ask}
        most={LESSON_TEXT.ask}
        onChange={(ask) => onChange({ ask })}
      />
      {step.ask.trim() !== '' && (
        <div className={styles.inside}>
          <Choice
            label={t('How step {n} is answered', { n })}
            value={step.kind}
            options={[
              ['choice', t('a choice')],
              ['number', t('a number')],
              ['sketch', t('a sketch of the curve')],
            ]}
            onChange={(kind) => onChange({ kind: kind === 'number' || kind === 'sketch' ? kind : 'choice' })}
          />
          {step.kind === 'choice' ? (
            <>
              <Text
                label={t('Its answers, one a line, 2 to 5')}
                rows={3}
                value={step.options}
                most={420}
                onChange={(options) => onChange({ options })}
              />
              <Choice
                label={t('How the runs tell which answer came out')}
                value={tells}
                options={[
                  ['', t('they do not')],
                  ['least', t('an answer stands for each run: the lowest return')],
                  ['most', t('an answer stands for each run: the highest return')],
                  ['borders', t('by the return of the first run: borders between the answers')],
                ]}
                onChange={(came) => onChange({ came: came === 'borders' ? '0' : came })}
              />
              {tells === 'borders' && (
                <Text
                  label={t('Borders between the answers, one less than there are answers')}
                  value={step.came}
                  most={60}
                  onChange={(came) => onChange({ came: came === '' ? ' ' : came })}
                />
              )}
            </>
          ) : (
            <Range n={n} step={step} onChange={onChange} />
          )}
        </div>
      )}
    </>
  );
}

/** Of a number or of a sketch. */
function Range({ n, step, onChange }: Part) {
  const number = (label: string, key: 'min' | 'max') => (
    <label className={fields.text}>
      <span>{label}</span>
      <input type="number" step="any" value={step[key]} onChange={(event) => onChange({ [key]: event.target.value })} />
    </label>
  );
  return (
    <span className={fields.row}>
      {number(t('Lowest number in step {n}', { n }), 'min')}
      {number(t('Highest number in step {n}', { n }), 'max')}
      <Text
        label={t('What is measured in step {n}', { n })}
        value={step.unit}
        most={LESSON_TEXT.unit}
        onChange={(unit) => onChange({ unit })}
      />
      {step.kind === 'number' && (
        <Choice
          label={t('Answered by')}
          value={step.arm}
          options={[
            ['', t('no run')],
            ...(step.arms.length === 0
              ? [['0', t('the run of the pupil')] as const]
              : step.arms.map(({ label }, i) => [String(i), label.trim() === '' ? `${t('run')} ${i + 1}` : label] as const)),
          ]}
          onChange={(arm) => onChange({ arm })}
        />
      )}
    </span>
  );
}

/** The pictures of the worlds: that of the lesson first. */
function PictureField({ n, value, onChange }: { readonly n: number; readonly value: string; readonly onChange: (value: string) => void }) {
  const envs = useStore(catalogStore, (state) => state.catalog?.envs);
  const own = useStore(draftStore, (state) => state.config.env.id);
  const drawn = (envs ?? []).toSorted((a, b) => Number(b.id === own) - Number(a.id === own) || t(a.title).localeCompare(t(b.title)));
  return (
    <Choice
      label={t('Picture of step {n}', { n })}
      value={value}
      options={[
        ['', t('none')],
        ...drawn.flatMap((env) =>
          env.presets
            .filter(({ id }) => PICTURES.includes(`${env.id}-${id}`))
            .map((preset) => [`${env.id} ${preset.id}`, `${t(env.title)}: ${t(preset.title)}`] as const),
        ),
      ]}
      onChange={onChange}
    />
  );
}
