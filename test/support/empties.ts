/** Every form in which a response has no rows. */
import { lists, type ListName } from './inputs.ts';

/** The data of a response without rows, as JSON; '' leaves the field out. */
export function emptiesOf(name: ListName): readonly string[] {
  const { rows } = lists[name];
  const next = name === 'futures/list-bills' ? 'endId' : 'cursor';
  if (rows === '') return ['[]', 'null', '""', '{}', ''];
  const lists_ = ['[]', 'null', '""', undefined];
  const nexts = ['null', '""', undefined];
  const objects = lists_.flatMap((list) =>
    nexts.map((place) => {
      const fields = [list && `"${rows}":${list}`, place && `"${next}":${place}`];
      return `{${fields.filter((field) => field !== undefined).join(',')}}`;
    }),
  );
  return [...objects, 'null', '""', '[]', ''];
}
