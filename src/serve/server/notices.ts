/** Notices of changes for open pages. A notice names a run and its last entry, and the page reads the
 * missing entries. A reader that names the last notice it saw gets those after it; one whose last
 * notice is of another server, or forgotten, is asked to read everything again.
 */
import { choice, integer, oneOf, record, text, type Infer } from '../../exchange/api/schema.ts';
import { randomId } from '../../base/random.ts';
import { openLatest, type Latest } from './latest.ts';

export const notice = oneOf(
  record({ kind: choice(['reset'], { description: 'Read everything again' }) }),
  record({
    kind: choice(['run']),
    desk: text(),
    run: text(),
    seq: integer({ minimum: 0, description: 'The last entry of its journal' }),
  }),
  record({
    kind: choice(['schedules', 'sandbox', 'queue'], { description: 'What changed besides runs' }),
    desk: text(),
  }),
);

export type Notice = Infer<typeof notice>;

/** An event of a stream; a reader that names its id continues after it. */
export interface ServerEvent<E> {
  readonly id: string;
  readonly data: E;
}

export interface Notices {
  publish(notice: Exclude<Notice, { readonly kind: 'reset' }>): void;
  /**
   * The notices after the last one that was seen, and then new ones, until the signal is aborted.
   */
  follow(lastSeen: string | undefined, signal: AbortSignal): AsyncGenerator<ServerEvent<Notice>>;
}

const keptMax = 10_000; // runs whose last notice is remembered

/** A notice with its number, which grows. */
export interface Numbered {
  readonly revision: number;
  readonly data: Notice;
}

/**
 * Opens the notices of a server.
 * @param latest the last notice of each run: an earlier one of the same run adds nothing; default:
 * none
 */
export function openNotices(
  epoch: string = randomId(12),
  latest: Latest<Numbered> = openLatest(),
): Notices {
  const wakers = new Set<() => void>();
  let revision = 0;
  let forgotten = 0; // notices up to this one are no longer known

  const seenIn = (id: string | undefined): number | undefined => {
    const [of, number] = id?.split('.') ?? [];
    if (of !== epoch || number === undefined || !/^\d{1,15}$/.test(number)) return undefined;
    const seen = Number(number);
    return seen < forgotten || seen > revision ? undefined : seen;
  };

  return {
    publish: (data) => {
      const key = data.kind === 'run' ? `${data.desk}/${data.run}` : `${data.desk} ${data.kind}`;
      latest.set(key, { revision: ++revision, data });
      if (latest.size > keptMax) forgotten = latest.removeOldest()?.revision ?? forgotten;
      for (const wake of wakers) wake();
    },
    async *follow(lastSeen, signal) {
      let seen = seenIn(lastSeen);
      let wake = (): void => undefined;
      const onChange = (): void => wake();
      wakers.add(onChange);
      signal.addEventListener('abort', onChange);
      try {
        while (!signal.aborted) {
          if (seen === undefined || seen < forgotten) {
            seen = revision;
            yield { id: `${epoch}.${seen}`, data: { kind: 'reset' } };
          }
          for (const each of after(latest, seen)) {
            seen = each.revision;
            yield { id: `${epoch}.${seen}`, data: each.data };
          }
          if (seen < revision || signal.aborted) continue;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        wakers.delete(onChange);
        signal.removeEventListener('abort', onChange);
      }
    },
  };
}

/** Notices after a number, oldest first; of the older ones, only the first is visited. */
function after(latest: Latest<Numbered>, seen: number): readonly Numbered[] {
  const newer: Numbered[] = [];
  for (const each of latest.newestFirst()) {
    if (each.revision <= seen) break;
    newer.push(each);
  }
  return newer.toReversed();
}
