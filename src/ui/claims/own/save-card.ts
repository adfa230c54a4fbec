/** A card as the file that the page opens and `rl claims --card` runs. */
import type { OwnCard } from '#contract/link/card.ts';
import { fileName, save } from '#ui/kit/save.ts';

export function saveCard(card: OwnCard): void {
  const file = new Blob([`${JSON.stringify(card, null, 2)}\n`], { type: 'application/json' });
  void save(file, `${fileName(card.title)}.card.json`);
}
