/** BibTeX of an environment or a method, to be pasted: the workbench, what is built here, what it was built after. */
import { type Cited, citeAll } from '#report/cite.ts';
import { Button } from '#ui/kit/Button.tsx';
import { copy } from '#ui/kit/save.ts';

export function CiteThing({ of }: { readonly of: Cited }) {
  return (
    <Button icon="copy" onClick={() => void copy(citeAll(of, BUILD, new Date().getFullYear()), 'BibTeX')}>
      Cite
    </Button>
  );
}
