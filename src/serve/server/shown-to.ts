/** What a person may see of an answer: a viewer sees no absolute folder of the server's machine. */
import type { ServerContext } from './route-context.ts';
import { mayAct, type Session } from './session.ts';

/** The answer without the folders of the machine, for a viewer; unchanged for others. */
export function shownTo<A>(
  session: Session | undefined,
  answer: A,
  { desks }: Pick<ServerContext, 'desks'>,
): A {
  if (session === undefined || mayAct(session, 'operator')) return answer;
  const places = desks.flatMap(({ name, folder, config: { stateDir } }) => [
    [stateDir, `${name}/state`] as const,
    [folder, name] as const,
  ]);
  const all = places.toSorted(([a], [b]) => b.length - a.length);
  return withoutFolders(answer, all);
}

type Places = readonly (readonly [folder: string, name: string])[];

function withoutFolders<A>(value: A, places: Places): A;
function withoutFolders(value: unknown, places: Places): unknown {
  if (typeof value === 'string') {
    return places.reduce((text, [folder, name]) => text.replaceAll(folder, name), value);
  }
  if (Array.isArray(value)) return value.map((each: unknown) => withoutFolders(each, places));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withoutFolders(each, places)]),
  );
}
