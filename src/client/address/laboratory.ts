/** The way back from a page to the laboratory, whose address says what is set up there. */
import { inLaboratory, LAB, routeStore } from '#stores/route.ts';

export interface Laboratory {
  /** The address that stands for what is set up, written by the page itself. */
  readonly address: string;
  /** The set-up has this address from now on. */
  moved(address: string): void;
  /** Back from a page to the laboratory, by a step that the browser's back button can undo. */
  back(): void;
  /** A page that lies over the laboratory makes way for what a person opened there. */
  show(): void;
}

let own = LAB;

export const laboratory: Laboratory = {
  get address() {
    return own;
  },
  moved: (address) => {
    own = address;
  },
  back: () => {
    location.hash = own;
  },
  show: () => {
    if (!inLaboratory(routeStore.getState())) laboratory.back();
  },
};
