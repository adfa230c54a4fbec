/** How much the laboratory shows: the one switch for it, in its bar or, where that is narrow, in the menu. */
import { useStore } from 'zustand';
import { layoutStore } from '#stores/layout.ts';
import type { LayoutState } from '#stores/types.ts';
import { msg, t } from '#text/text.ts';
import { Segmented } from '#ui/kit/Segmented.tsx';

const DEPTHS: readonly { readonly value: LayoutState['depth']; readonly label: string }[] = [
  { value: 'teach', label: msg('Simple') },
  { value: 'lab', label: msg('All settings') },
  { value: 'research', label: msg('Research') },
];

export function DepthSwitch() {
  const depth = useStore(layoutStore, (state) => state.depth);
  return (
    <Segmented
      label={t('How much to show')}
      value={depth}
      onChange={(next) => layoutStore.getState().set('depth', next)}
      options={DEPTHS.map(({ value, label }) => ({ value, label: t(label) }))}
    />
  );
}
