/** The class of a paper: its link, the predictions that come back as codes, and how many chose what. They are counted, nothing is simulated. */
import { useState } from 'react';
import { cardOf } from '#client/compare/papers.ts';
import { decodePrediction } from '#contract/link/prediction.ts';
import { hashOf } from '#stores/route.ts';
import { t, tn } from '#text/text.ts';
import { askedOf } from '#ui/claims/predictions.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import sheet from '#ui/frame/Sheet.module.css';
import { Sheet } from '#ui/frame/Sheet.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { useTexts } from '#ui/kit/parts.ts';
import { QrCode } from '#ui/kit/QrCode.tsx';
import { copy } from '#ui/kit/save.ts';
import styles from './Class.module.css';
import { predictionsIn } from './paper-codes.ts';

/** Codes that a class may have. */
const MOST = 300;
const keyOf = (paper: string, word: string): string => `rl-workbench:class:${paper}:${word}`;

function kept(paper: string, word: string, choices: number, salt: number): readonly string[] {
  try {
    return predictionsIn(localStorage.getItem(keyOf(paper, word)) ?? '', paper, choices, salt).codes;
  } catch {
    return []; // blocked storage: nothing was collected
  }
}

interface Props {
  /** "p059". */
  readonly id: string;
  readonly word: string;
  readonly salt: number;
}

/** The question of the paper stands in the texts of its page. */
export function PaperClass(props: Props) {
  return useTexts('papers') ? <Class {...props} /> : null;
}

function Class({ id, word, salt }: Props) {
  const card = cardOf(id);
  const asked = card === undefined ? null : askedOf(card);
  const [codes, setCodes] = useState(() => (card === undefined || asked === null ? [] : kept(card.id, word, asked.choices.length, salt)));
  const [text, setText] = useState('');
  const [said, setSaid] = useState('');
  if (card === undefined || asked === null)
    return (
      <PageFrame title={t('There is no such paper here.')} page="class">
        <a href={hashOf({ page: 'papers', id: null, query: {} })}>{t('All papers')}</a>
      </PageFrame>
    );
  const address = `${location.href.replace(/#.*$/, '')}${hashOf({ page: 'papers', id, query: { predict: 'first', class: word } })}`;
  const keep = (next: readonly string[]): void => {
    setCodes(next);
    try {
      localStorage.setItem(keyOf(card.id, word), next.join('\n'));
    } catch {
      // Storage is blocked: the codes last for this visit.
    }
  };
  const add = (): void => {
    const found = predictionsIn(text, card.id, asked.choices.length, salt);
    const fresh = found.codes.filter((code) => !codes.includes(code)).slice(0, MOST - codes.length);
    keep([...codes, ...fresh]);
    setText('');
    const more =
      found.others === 0
        ? ''
        : ` ${tn('{n} code is of something else or damaged.', '{n} codes are of something else or damaged.', found.others)}`;
    setSaid(`${tn('{n} prediction added.', '{n} predictions added.', fresh.length)}${more}`);
  };
  const chosen = codes.map((code) => decodePrediction(code).choice);
  return (
    <Sheet title={t('{lesson}: class {word}', { lesson: card.id, word })} page="class" tab={card.id}>
      <details className={styles.invitation} open={codes.length === 0}>
        <summary>
          <h2>{t('For the class: link and code')}</h2>
        </summary>
        <div className={styles.invite}>
          <QrCode className={styles.qr} text={address} name={t('QR code of the paper for the class')} recovery="M" />
          <ol className={styles.how}>
            <li>{t('Open the paper by this code or link: what came out is covered.')}</li>
            <li>{t('Choose what you expect, and copy the code below your choice.')}</li>
          </ol>
        </div>
        <span className={styles.row}>
          <input
            type="text"
            readOnly
            className={styles.link}
            aria-label={t('Link for the class')}
            value={address}
            onFocus={(event) => event.target.select()}
          />
          <Button kind="solid" icon="copy" onClick={() => void copy(address, t('Link'))}>
            {t('Copy link')}
          </Button>
        </span>
      </details>
      <section className={sheet.part} aria-labelledby="class-collect">
        <h2 id="class-collect">{t('Collect')}</h2>
        <textarea
          className={styles.paste}
          rows={3}
          aria-label={t('Result codes')}
          placeholder={t('Paste result codes, as many as you like; each begins with RL1:')}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <span className={styles.row}>
          <Button kind="solid" icon="plus" disabled={text.trim() === ''} onClick={add}>
            {t('Add these')}
          </Button>
        </span>
        <p className={styles.said} role="status">
          {said}
        </p>
      </section>
      <section className={sheet.part} aria-labelledby="class-predicted">
        <h2 id="class-predicted">{t('What the class predicted')}</h2>
        <p lang="en">{asked.ask}</p>
        <table className={styles.counts}>
          <tbody>
            {asked.choices.map((choice, k) => {
              const count = chosen.filter((one) => one === k).length;
              return (
                <tr key={choice}>
                  <th scope="row" lang="en">
                    {choice}
                  </th>
                  <td>
                    <meter
                      min={0}
                      max={Math.max(1, chosen.length)}
                      value={count}
                      aria-label={t('{n} of {all}', { n: count, all: chosen.length })}
                    />{' '}
                    {count}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        <p>
          <a href={hashOf({ page: 'papers', id, query: { class: word } })}>{t('What came out')}</a>
        </p>
      </section>
    </Sheet>
  );
}
