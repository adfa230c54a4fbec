import type { FieldMeta } from './catalog.ts';
import type { Json } from './json.ts';

/** Whether a field has an effect (FieldMeta.actsWhere), by the values of the fields beside it. */
export function acts({ actsWhere = {} }: FieldMeta, beside: (field: string) => Json | undefined): boolean {
  return Object.entries(actsWhere).every(([field, wanted]) => {
    const value = beside(field);
    if ('above' in wanted) return typeof value === 'number' && value > wanted.above;
    return value !== undefined && wanted.includes(value);
  });
}
