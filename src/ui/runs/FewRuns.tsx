/** Below a table of a few runs: what more of them are good for. */
import { laboratory } from '#client/address/laboratory.ts';
import { hashOf } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { Nothing } from '#ui/frame/Nothing.tsx';
import { Button } from '#ui/kit/Button.tsx';
import styles from './Runs.module.css';

export function FewRuns() {
  return (
    <div className={styles.few}>
      <Nothing
        ways={
          <>
            <Button kind="solid" icon="play" big onClick={() => laboratory.back()}>
              {t('Open the laboratory')}
            </Button>
            <a href={hashOf({ page: 'compare', id: null, query: {} })}>{t('Compare')}</a>
            <a href={hashOf({ page: 'side', id: null, query: {} })}>{t('Side by side')}</a>
            <a href={hashOf({ page: 'home', id: null, query: {} })}>{t('Another world')}</a>
          </>
        }
      >
        {t(
          'Press a run to watch what it learned. With two runs of a world, Compare says whether they differ, and Side by side plays both from one start.',
        )}
      </Nothing>
    </div>
  );
}
