/** One press: what a run learned as a film of ten seconds, small enough to send. */
import { useEffect, useRef, useState } from 'react';
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { save } from '#ui/kit/save.ts';
import { toast } from '#ui/kit/toasts.ts';
import { FILM } from './learning.ts';
import { toldBy } from './told-by.ts';

export function LearningFilm({ group, title }: { readonly group: RunGroup; readonly title: string }) {
  const [share, setShare] = useState<number | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  if (toldBy(group) === null) return null;
  const make = async (): Promise<void> => {
    const own = new AbortController();
    stop.current = own;
    setShare(0);
    try {
      const { filmOfLearning } = await import('./learning-film.ts');
      const film = await filmOfLearning(group, title, setShare, own.signal);
      if (film !== null) await save(film.blob, `${group.config.env.id}-learning.${film.extension}`);
    } catch (error) {
      toast(t('The film could not be made: {why}', { why: error instanceof Error ? error.message : String(error) }), { tone: 'caution' });
    }
    stop.current = null;
    setShare(null);
  };
  return share === null ? (
    <Button
      icon="download"
      onClick={() => void make()}
      label={t('{n} seconds from the first policy to the last, as a small video', { n: FILM.seconds })}
    >
      {t('A film of learning')}
    </Button>
  ) : (
    <Button icon="stop" onClick={() => stop.current?.abort()}>
      {t('The film: {n} %', { n: Math.round(100 * share) })}
    </Button>
  );
}
