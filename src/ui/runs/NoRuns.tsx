/** What the pages of runs say while there are none. */
import type { ReactNode } from 'react';
import { laboratory } from '#client/address/laboratory.ts';
import { hashOf } from '#stores/route.ts';
import { Nothing } from '#ui/frame/Nothing.tsx';
import { Button } from '#ui/kit/Button.tsx';

export function NoRuns({ children }: { readonly children: ReactNode }) {
  return (
    <Nothing
      ways={
        <>
          <Button kind="solid" icon="play" big onClick={() => laboratory.back()}>
            Open the laboratory
          </Button>
          <a href={hashOf({ page: 'home', id: null, query: {} })}>Choose a world first</a>
        </>
      }
    >
      {children}
    </Nothing>
  );
}
