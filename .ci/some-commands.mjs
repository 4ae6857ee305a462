// An esbuild plugin: of the commands, a script has these; the loader starts it for no other.

/** @param verbs the files of the commands in src/cli/commands */
export function someCommands(...verbs) {
  const namespace = 'other-commands';
  return {
    name: 'some-commands',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\/(?:commands|completion)\/[^/]+\.ts$/ }, ({ kind, path }) =>
        kind === 'dynamic-import' && !verbs.some((verb) => path.endsWith(`/commands/${verb}.ts`))
          ? { path, namespace }
          : undefined,
      );
      onLoad({ filter: /./, namespace }, ({ path }) => {
        const problem = `${path} is not in the script of ${verbs.join(', ')}`;
        return { contents: `throw new Error(${JSON.stringify(problem)});` };
      });
    },
  };
}
