/** Options of the library in a separate folder, with the playbooks of the tests of the command line. */
import { envOf, folderWith } from '../../cli/deskhand.ts';
import { files, ladder } from '../../cli/ladder.ts';

const pause = `  - id: pause
    uses: wait
    with: { until: "{{ addTime run.time '1h' }}" }
`;

/** Pauses for an hour of the exchange after its orders. */
export const waiting = ladder.replace('  - id: tickers', `${pause}  - id: tickers`);

/** Pauses for an hour of the exchange before its orders. */
export const pauseFirst = ladder.replace('  - id: orders', `${pause}  - id: orders`);

export interface Where {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A folder with a ladder, one that pauses, and more files. */
export function folder(
  more: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Where {
  const cwd = folderWith({ ...files, 'waiting.yaml': waiting, ...more });
  return { cwd, env: envOf({ cwd, env }) };
}
