/** A defect planted in our own sources: a swarm that does not find it proves nothing. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Must are in the file exactly once. */
  readonly from: string;
  readonly to: string;
  /** A file of tests that catches it, where the swarm cannot see it or seldom does. */
  readonly test?: string;
}

/** @param file below `src` @param test below `test`, without its ending */
export function mutant(
  name: string,
  file: string,
  from: string,
  to: string,
  test?: string,
): Mutant {
  const by = test === undefined ? {} : { test: `test/${test}.test.ts` };
  return { name, file: `src/${file}`, from, to, ...by };
}
