/** The words of the field that a step uses, each opened where it stands by key, click or thumb; what it means comes from the one list of words. */
import { capital } from '#contract/kit/capital.ts';
import { t } from '#text/text.ts';
import { wordsUsed } from '#ui/glossary/words.ts';
import { Popover } from '#ui/kit/Popover.tsx';
import styles from './Lessons.module.css';

/** `english`: what the step says in English, in which the words are found whatever form they have in the language that is shown. */
export function WordsHere({ english }: { readonly english: string }) {
  const words = wordsUsed(english);
  if (words.length === 0) return null;
  return (
    <p className={styles.words}>
      {t('Words here:')}{' '}
      {words.map(({ word, meaning }) => (
        <Popover key={word} look="word" width={300} trigger={t(word)}>
          {() => (
            <p className={styles.meaning}>
              <b>{capital(t(word))}</b>
              {' – '}
              {t(meaning)}
            </p>
          )}
        </Popover>
      ))}
    </p>
  );
}
