import { useStore } from 'zustand';
import { runs } from '#client/runs/service.ts';
import { inLesson, routeStore } from '#stores/route.ts';
import { msg, t } from '#text/text.ts';
import { pressable } from '#ui/kit/action.ts';
import { Button } from '#ui/kit/Button.tsx';
import { oneIteration } from '#ui/runs/actions.ts';
import { pressMain, useTransport } from '#ui/runs/useTransport.ts';
import styles from './Header.module.css';

const MAIN = {
  train: { icon: 'play', words: msg('Train') },
  pause: { icon: 'pause', words: msg('Pause') },
  resume: { icon: 'play', words: msg('Resume') },
  play: { icon: 'play', words: msg('Play') },
  hold: { icon: 'pause', words: msg('Hold') },
} as const;

export function TransportBar() {
  const transport = useTransport();
  const { main, blocked, differs, group } = transport;
  const off = main === 'train' && blocked !== '';
  const lesson = useStore(routeStore, inLesson);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a toolbar is not a fieldset
    <div className={styles.transport} role="group" aria-label={t('Training')} data-tour="train">
      {lesson && off ? (
        <span className={styles.inLesson}>{blocked}</span>
      ) : (
        <Button
          kind={main === 'pause' || main === 'hold' ? 'quiet' : 'solid'}
          big
          icon={MAIN[main].icon}
          hotkey={off ? undefined : 'Space'}
          label={off ? blocked : undefined}
          disabled={off}
          onClick={() => pressMain(transport)}
        >
          {t(MAIN[main].words)}
        </Button>
      )}
      {transport.canStep && group && <Button icon="step" {...pressable(oneIteration)} label={t('One training iteration')} />}
      {transport.canStep && group && (
        <span data-from="lab">
          <Button icon="episode" label={t('Train to the end of the next episode')} onClick={() => runs.stepOnce(group.id, 'episode')} />
        </span>
      )}
      {transport.canStop && group && <Button icon="stop" label={t('Stop and keep what was learned')} onClick={() => runs.stop(group.id)} />}
      {transport.canReset && group && (
        <span data-from="lab">
          <Button
            icon="reset"
            label={t('Back to step 0: the same run anew, paused; this one is kept')}
            onClick={() => void runs.startOver(group.id)}
          />
        </span>
      )}
      {differs && (
        <Button
          icon="fork"
          disabled={blocked !== ''}
          label={blocked === '' ? t('The configuration differs from the run going on') : blocked}
          onClick={() => void runs.train()}
        >
          {t('Train new')}
        </Button>
      )}
    </div>
  );
}
