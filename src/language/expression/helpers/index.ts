/** The closed list of helpers for expressions. */
import { comparisonHelpers, decimalHelpers } from './decimals.ts';
import type { Helper } from './define.ts';
import { listHelpers } from './lists.ts';
import { logicHelpers } from './logic.ts';
import { textHelpers } from './texts.ts';
import { timeHelpers } from './times.ts';
import { tradingHelpers } from './trading.ts';

/** The page that `deskhand explain` shows about a helper. */
export interface HelperPage {
  readonly name: string;
  readonly group: Helper['group'];
  /** The usage of the helper, as in `div dividend divisor scale= mode=`. */
  readonly usage: string;
  readonly description: string;
  readonly example: { readonly expression: string; readonly result: string };
}

export const helpers: ReadonlyMap<string, Helper> = new Map(
  Object.entries({
    ...decimalHelpers,
    ...comparisonHelpers,
    ...logicHelpers,
    ...listHelpers,
    ...textHelpers,
    ...timeHelpers,
    ...tradingHelpers,
  }),
);

export const helperPages: readonly HelperPage[] = [...helpers].map(
  ([
    name,
    {
      group,
      usage,
      description,
      example: [expression, result],
    },
  ]) => ({
    name,
    group,
    usage,
    description,
    example: { expression, result },
  }),
);
