/** How long ago something was, in the language that is shown. */
import { locale, t } from '#text/text.ts';

/** By language: making a formatter takes a hundred times as long as using it, and a table asks for many in every frame. */
const formats: { [language: string]: Intl.RelativeTimeFormat } = {};

/** "3 minutes ago" for a moment in ms since the epoch. */
export function ago(then: number, now: number): string {
  const seconds = Math.max(0, (now - then) / 1000);
  if (seconds < 60) return t('just now');
  const format = (formats[locale()] ??= new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }));
  if (seconds < 3600) return format.format(-Math.floor(seconds / 60), 'minute');
  if (seconds < 86_400) return format.format(-Math.floor(seconds / 3600), 'hour');
  return format.format(-Math.floor(seconds / 86_400), 'day');
}
