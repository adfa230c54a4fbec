/** What the pages of runs say while there are none. */
import { type ReactNode, useState } from 'react';
import { laboratory } from '#client/address/laboratory.ts';
import { runs } from '#client/runs/service.ts';
import { workers } from '#client/workers/service.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { envCard } from '#stores/catalog.ts';
import { hashOf } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { t } from '#text/text.ts';
import { Nothing } from '#ui/frame/Nothing.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { toast } from '#ui/kit/toasts.ts';

/** Learned in about two seconds on any machine, with what is recommended there. */
const EXAMPLE = 'frozen-lake';

async function trainExample(): Promise<void> {
  const { algo, config: settings, steps } = envCard(EXAMPLE)?.recommended ?? { algo: 'q-learning', config: {}, steps: 100_000 };
  const config = await workers.complete({ env: { id: EXAMPLE }, algo: { id: algo, config: settings }, run: { steps } });
  const id = await runs.trainQuietly(config, { kind: 'own', title: '', address: '#/runs' });
  runsStore.getState().rename(id, t('Example run'));
}

/** `example`: a run can be made here, so that the page shows what it is for. */
export function NoRuns({ children, example = false }: { readonly children: ReactNode; readonly example?: boolean }) {
  const [asked, setAsked] = useState(false);
  return (
    <Nothing
      ways={
        <>
          <Button kind="solid" icon="play" big onClick={() => laboratory.back()}>
            {t('Open the laboratory')}
          </Button>
          {example && (
            <Button
              icon="curve"
              big
              disabled={asked}
              onClick={() => {
                setAsked(true);
                trainExample().catch((error: unknown) => {
                  setAsked(false);
                  toast(toFailure(error).message, { tone: 'caution' });
                });
              }}
            >
              {t('Begin with an example run')}
            </Button>
          )}
          <a href={hashOf({ page: 'home', id: null, query: {} })}>{t('Choose a world first')}</a>
        </>
      }
    >
      {children}
    </Nothing>
  );
}
