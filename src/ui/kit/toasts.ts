/** Short notes at the page's foot. One polite live region says them; one with an action stays longer, what went wrong until it is closed, and none steals the focus. */
import { createStore } from 'zustand/vanilla';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'caution';
  readonly action: { readonly label: string; readonly run: () => void } | null;
}

const MOST = 3;
let next = 1;

export const toastStore = createStore<{ readonly toasts: readonly Toast[] }>(() => ({ toasts: [] }));

export function toast(text: string, options: { readonly tone?: Toast['tone']; readonly action?: Toast['action'] } = {}): void {
  const id = next++;
  const entry: Toast = { id, text, tone: options.tone ?? 'plain', action: options.action ?? null };
  toastStore.setState(({ toasts }) => ({ toasts: [...toasts.filter((old) => old.text !== text).slice(1 - MOST), entry] }));
  if (entry.tone === 'plain') setTimeout(() => dismiss(id), entry.action === null ? 5000 : 10_000);
}

export function dismiss(id: number): void {
  toastStore.setState(({ toasts }) => ({ toasts: toasts.filter((entry) => entry.id !== id) }));
}
