/** The closed list of helpers expressions may call. */

/** What `deskhand explain` shows of a helper. */
export interface HelperPage {
  readonly name: string;
  readonly group: 'decimals' | 'comparison' | 'logic' | 'lists' | 'text' | 'time' | 'trading';
  /** As in `div dividend divisor scale= mode=`. */
  readonly usage: string;
  readonly description: string;
  readonly example: { readonly expression: string; readonly result: string };
}

export const helperPages: readonly HelperPage[] = [];
