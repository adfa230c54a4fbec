/** The field of a person's robot: where its file is dropped or chosen, and what the model has. The example stands there before. */
import { type DragEvent, useRef, useState } from 'react';
import { type RobotCard, robotSchema } from '#contract/link/robot.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { measure } from '#ui/kit/format/numbers.ts';
import { save } from '#ui/kit/save.ts';
import type { ControlProps } from '../control.ts';
import { bringRobot } from './bring.ts';
import styles from './RobotField.module.css';
import { useCard } from './useCard.ts';

export function RobotField({ value, labelId, describedBy, problem, onChange }: ControlProps) {
  const [over, setOver] = useState(false);
  const [busy, setBusy] = useState('');
  const [wrong, setWrong] = useState('');
  const chooser = useRef<HTMLInputElement>(null);
  const card = useCard(value);

  const bring = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setWrong('');
    setBusy(file.name);
    setWrong(await bringRobot(file));
    setBusy('');
  };
  const drop = (event: DragEvent): void => {
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // the page would open it once more
    void bring(file);
  };
  const said = wrong !== '' ? wrong : (problem ?? card.problem);
  return (
    <div className={styles.robot}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button does the same */}
      <div
        className={styles.place}
        data-over={over ? '' : undefined}
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes('Files')) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <div className={styles.bar}>
          <Button
            icon="open"
            disabled={busy !== ''}
            aria-labelledby={`${labelId} ${labelId}-choose`}
            aria-describedby={describedBy}
            onClick={() => chooser.current?.click()}
          >
            <span id={`${labelId}-choose`}>{busy === '' ? t('Choose a file') : t('Reading {busy}', { busy })}</span>
          </Button>
          {value !== null && value !== undefined && (
            <>
              <Button onClick={() => saveModel(value)}>{t('Save its MJCF')}</Button>
              <Button onClick={() => onChange(null)}>{t('Back to the example')}</Button>
            </>
          )}
        </div>
        <p>{t('Or drop it here: an MJCF file (.xml), or a zip of one and its meshes. It stays on this device.')}</p>
        <input
          ref={chooser}
          type="file"
          accept=".xml,.mjcf,.zip"
          hidden
          onChange={(event) => {
            void bring(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </div>
      {said !== '' && (
        <p className={styles.problem} role="alert">
          {said}
        </p>
      )}
      {card.card !== null && <Facts card={card.card} />}
    </div>
  );
}

function saveModel(value: unknown): void {
  const robot = robotSchema.safeParse(value);
  if (robot.success) save(new Blob([robot.data.mjcf], { type: 'text/xml' }), `${robot.data.name || 'robot'}.xml`);
}

function Facts({ card }: { readonly card: RobotCard }) {
  const list = (names: readonly string[]): string => (names.length === 0 ? 'none' : `${names.length}: ${names.join(', ')}`);
  return (
    <dl className={styles.facts}>
      <dt>{t('Model')}</dt>
      <dd>{card.name}</dd>
      <dt>{t('Bodies')}</dt>
      <dd>
        {card.bodies}, {measure(card.mass)} kg
      </dd>
      <dt>{t('Actuators')}</dt>
      <dd>{list(card.motors)}</dd>
      <dt>{t('Sites')}</dt>
      <dd>{list(card.sites)}</dd>
      <dt>{t('Height')}</dt>
      <dd>{t('{height} m at the start', { height: measure(card.height) })}</dd>
      <dt>{t('Physics')}</dt>
      <dd>{t('{value} ms a step, computed in {stepMs} ms', { value: measure(1000 * card.timestep), stepMs: measure(card.stepMs) })}</dd>
      {card.notes.length > 0 && (
        <>
          <dt>{t('Not in the model')}</dt>
          <dd>{card.notes.join(' ')}</dd>
        </>
      )}
    </dl>
  );
}
