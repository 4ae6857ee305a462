/** The instructions of a Dockerfile, as far as ours uses them. */

/**
 * Stages in order: `{ name, base, steps: [{ word, flags, rest }] }`.
 * @throws Error for an instruction that it does not know
 */
export function stagesOf(text) {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages = [];
  for (const line of lines) {
    const [, word, flagText, rest] = /^([A-Z]+)((?: --[a-z-]+=\S+)*) (.+)$/.exec(line) ?? [];
    if (word === 'FROM') {
      const [base, , name = String(stages.length)] = rest.split(' ');
      stages.push({ name, base, steps: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (!known.has(word) || stage === undefined) throw new Error(`Dockerfile: ${line}`);
    const flags = Object.fromEntries(
      [...flagText.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
    stage.steps.push({ word, flags, rest });
  }
  return stages;
}

const known = new Set('WORKDIR COPY RUN ENV USER EXPOSE HEALTHCHECK ENTRYPOINT CMD'.split(' '));

/** Paths that `.dockerignore` lets through: ours excludes everything, then names what is needed. */
export function admittedBy(text) {
  const [first, ...others] = text.trim().split('\n');
  if (first !== '*' || !others.every((line) => /^![\w./*-]+$/.test(line))) {
    throw new Error('.dockerignore: expected `*`, then lines of the form !PATH');
  }
  return others.map((line) => line.slice(1));
}
