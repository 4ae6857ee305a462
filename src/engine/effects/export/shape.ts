/** Rows in the shape in which they are written: the columns of a step, over each row. */
import type { Json } from '../../../base/json.ts';
import type { Row } from '../../../exchange/api/listing.ts';
import { knownValue } from '../../../language/expression/known.ts';
import { toJson, type Scope } from '../../../language/expression/value.ts';
import type { Template, Write } from '../../../language/playbook.ts';
import type { Item } from '../../plan/items.ts';

/** A row in the shape in which it is written. */
export function shape(row: Row, write: Write, item: Item): Row {
  if (write.columns === undefined) return row;
  const scope: Scope = { ...item.scope, row };
  return Object.fromEntries(
    [...write.columns].map(([name, template]) => [name, valueOf(name, template, scope)]),
  );
}

function valueOf(name: string, template: Template, scope: Scope): Json {
  return toJson(knownValue(template, scope, `column ${name}`));
}
