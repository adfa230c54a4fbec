/**
 * A card in a frame of another page: what is asked and what came out, and behind a press the card whole, which runs there. Keeps nothing. Links lead
 * out of the frame.
 */
import { type MouseEvent, useCallback, useEffect, useMemo, useState } from 'react';
import { cardAddress } from '#client/compare/own-card.ts';
import { cardOf } from '#client/compare/papers.ts';
import { startServices } from '#client/start.ts';
import { fail, toFailure } from '#contract/kit/errors.ts';
import { isJudged } from '#contract/papers/forms.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { EMBEDDED_PAPER, hashOf, type Route } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { CardPoster } from '#ui/claims/CardPoster.tsx';
import { JudgedView } from '#ui/claims/JudgedView.tsx';
import { openedCard } from '#ui/claims/own/kept.ts';
import { Boundary } from '#ui/kit/Boundary.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { type Command, originOf } from '#ui/kit/embed-protocol.ts';
import { failureText } from '#ui/kit/format/failure.ts';
import { useTexts } from '#ui/kit/parts.ts';
import frame from './CardFrame.module.css';
import styles from './Embed.module.css';
import { FrameBar, LONGEST_TITLE, useCommands, useTell } from './frame.tsx';

interface Opened {
  readonly card: JudgedCard;
  /** '': the card is a paper's. */
  readonly author: string | null;
  readonly address: string;
}

function opened({ id, query }: Route): Opened | { readonly problem: string } {
  try {
    if (id === EMBEDDED_PAPER) {
      const asked = (query.id ?? '').slice(0, 80);
      const found = cardOf(asked.toLowerCase());
      if (found === undefined || !isJudged(found))
        throw fail('link-foreign', `There is no card with an outcome at “${asked}”.`, 'Copy the code of a frame from the page of a paper.');
      return { card: found, author: null, address: hashOf({ page: 'papers', id: asked.toLowerCase(), query: {} }) };
    }
    const { own, card: made, packed } = openedCard(query.c ?? '');
    return { card: made, author: own.author ?? '', address: cardAddress(packed) };
  } catch (error) {
    return { problem: failureText(toFailure(error)) };
  }
}

/** An address within the workbench would be opened in the frame, which has no doors: it opens beside the page in its place. */
function leadOut(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (link === null) return;
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer');
}

export default function CardFrame({ route }: { readonly route: Route }) {
  const found = useMemo(() => opened(route), [route]);
  const ready = useTexts('papers');
  const [begun, setBegun] = useState(false);
  const [up, setUp] = useState(false);
  const origin = originOf(route.query.origin);
  const problem =
    origin === null ? t('The "origin" of this address is no origin such as https://example.org.') : 'problem' in found ? found.problem : '';
  const title = route.query.title?.slice(0, LONGEST_TITLE) ?? ('card' in found ? found.card.title : 'RL Workbench');
  const tell = useTell(origin);
  const start = useCallback(() => {
    if (problem !== '' || begun) return;
    setBegun(true);
    void startServices().then(() => setUp(true));
  }, [problem, begun]);
  useEffect(() => {
    tell(problem === '' ? { type: 'ready', title } : { type: 'failure', message: problem });
  }, [tell, title, problem]);
  useCommands(
    origin,
    useCallback(
      (command: Command) => {
        if (command === 'start') start();
      },
      [start],
    ),
  );
  const address = 'address' in found ? found.address : '#/papers';
  return (
    <div className={styles.embed}>
      <FrameBar title={title} whole={`${location.href.replace(/#.*$/, '')}${address}`} />
      <main className={frame.body} onClickCapture={leadOut} lang="en">
        {'problem' in found || problem !== '' ? (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        ) : (
          <Boundary name={title}>
            {!up && (
              <CardPoster card={found.card} author={found.author}>
                <p className={frame.press}>
                  <Button kind="solid" icon="play" disabled={begun} onClick={start}>
                    {t('Open it to run it here')}
                  </Button>
                  <span className={frame.quiet}>{t('Loaded when it is pressed; nothing is stored.')}</span>
                </p>
              </CardPoster>
            )}
            {up && ready && <JudgedView card={found.card} query={{}} {...(found.author !== null && { address: found.address })} />}
          </Boundary>
        )}
      </main>
    </div>
  );
}
