/** How much the laboratory shows: the one switch for it, in its bar or, where that is narrow, in the menu. */
import { useStore } from 'zustand';
import { layoutStore } from '#stores/layout.ts';
import type { LayoutState } from '#stores/types.ts';
import { Segmented } from '#ui/kit/Segmented.tsx';

const DEPTHS: readonly { readonly value: LayoutState['depth']; readonly label: string }[] = [
  { value: 'teach', label: 'Simple' },
  { value: 'lab', label: 'All settings' },
  { value: 'research', label: 'Research' },
];

export function DepthSwitch() {
  const depth = useStore(layoutStore, (state) => state.depth);
  return (
    <Segmented label="How much to show" value={depth} onChange={(next) => layoutStore.getState().set('depth', next)} options={DEPTHS} />
  );
}
