/** Says what the opened link is pinned to, whether its policy is here, and makes it again where it is not. */
import { useStore } from 'zustand';
import { pins } from '#client/links/pin-service.ts';
import { type PinState, pinStore } from '#stores/pins.ts';
import { locale, msg, t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import styles from './Why.module.css';

const WORDS: { readonly [K in PinState['status']]: string } = {
  absent: msg(
    'No run on this device has that policy. The link holds no weights: training that seed again gives the same ones, bit for bit on wasm.',
  ),
  training: msg('Training that seed again; it is shown as soon as it is there.'),
  shown: msg('It is on the stage, with the same bits.'),
  differs: msg('It is on the stage, but with other bits than the link says: another executor or other rules. Its numbers may differ.'),
  gone: msg('Training ended without it.'),
};

export function PinNote() {
  const pin = useStore(pinStore, (state) => state.pin);
  const status = useStore(pinStore, (state) => state.status);
  if (pin === null) return null;
  return (
    <div className={styles.pin} role="status">
      <p>
        <b>
          {t('Pinned: seed {seed}, step {step}, episode {episode}, frame {frame}, policy {policy}.', {
            seed: pin.seed,
            step: pin.step.toLocaleString(locale()),
            episode: pin.start,
            frame: pin.t,
            policy: pin.policy,
          })}
        </b>{' '}
        {t(WORDS[status])}
      </p>
      {(status === 'absent' || status === 'gone') && (
        <Button kind="solid" icon="play" onClick={() => void pins.recompute()}>
          {t('Train it again')}
        </Button>
      )}
      <Button kind="bare" icon="close" label={t('Put this note away')} onClick={() => pins.dismiss()} />
    </div>
  );
}
