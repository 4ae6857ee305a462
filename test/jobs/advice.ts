/** What messages tell a person to do next, read from what commands print. */
import type { Typed } from './desk.ts';

/** What a refusal advises: what to name as well, which run to go on from, or what to change back. */
export type Advice =
  | { readonly kind: 'from'; readonly name: string; readonly again: number }
  | { readonly kind: 'new'; readonly step: string }
  | { readonly kind: 'of'; readonly run: string }
  | { readonly kind: 'plain'; readonly again: number }
  | { readonly kind: 'abandoned'; readonly name: string }
  | { readonly kind: 'resume'; readonly run: string }
  | { readonly kind: 'back' };

/** What a command printed, in one line. */
export function flat({ out, err }: Typed): string {
  return `${out} ${err}`.replaceAll(/\s+/g, ' ');
}

/** A word as a shell reads it, with its quotes. */
const word = String.raw`(?:'[^']*'|\\'|[^\s'\\])+`;

/** The command that does the rest of a run, if one is named. */
export function commandIn(typed: Typed): readonly string[] | undefined {
  const pattern = new RegExp(`deskhand run (\\S+ -p \\S+(?: --from ${word})+ --of \\S+)`);
  const [, words] = pattern.exec(flat(typed)) ?? [];
  return words === undefined ? undefined : wordsIn(words);
}

/** The addresses of a run that are in doubt, by the commands that settle them. */
export function doubtsIn(typed: Typed, run: string): readonly string[] {
  const pattern = new RegExp(`deskhand resolve ${run} (${word}) --abandon`, 'g');
  const found = [...flat(typed).matchAll(pattern)].flatMap(([, address = '']) => wordsIn(address));
  return [...new Set(found)];
}

/** The message of a refusal with its help. */
export function refusalIn(typed: Typed): string {
  const text = flat(typed);
  return text.slice(Math.max(0, text.indexOf('error[')));
}

export function adviceIn(typed: Typed): readonly Advice[] {
  const text = refusalIn(typed);
  const named = (before: string): readonly string[] =>
    [...text.matchAll(new RegExp(`${before}(${word})`, 'g'))].flatMap(([, name = '']) =>
      wordsIn(name.replace(/[,;]$/, '')),
    );
  const [abandoned] = named('if it does not, name it, too: --from ');
  if (abandoned !== undefined) return [{ kind: 'abandoned', name: abandoned }];
  const again = Number(/which sends (\d+) orders? of \S+ again/.exec(text)?.[1] ?? 0);
  const all = named('--from ').filter((name) => name !== 'names');
  const from = all.filter((name) => !name.endsWith('[KEY]'));
  const isBack = /leave in for-each what|as it was named|did you mean|leave out --var/.test(text);
  return [
    ...all
      .filter((name) => name.endsWith('[KEY]'))
      .map((name) => ({ kind: 'new', step: name.slice(0, -5) }) as const),
    ...(isBack ? [{ kind: 'back' } as const] : []),
    ...named('--of ').map((run) => ({ kind: 'of', run }) as const),
    ...from.map((name) => ({ kind: 'from', name, again }) as const),
    ...(/deskhand run \S+(?:,|$| )/.test(text) && from.length === 0
      ? [{ kind: 'plain', again } as const]
      : []),
    ...named('deskhand resume ').map((run) => ({ kind: 'resume', run }) as const),
  ];
}

function wordsIn(text: string): readonly string[] {
  return (text.match(new RegExp(word, 'g')) ?? []).map((each) =>
    each.replaceAll(
      /'([^']*)'|\\(')/g,
      (_all, quoted?: string, bare?: string) => quoted ?? bare ?? '',
    ),
  );
}
