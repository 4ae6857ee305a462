// An esbuild plugin: of the commands, a script has this one; the loader starts it for no other.

/** @param verb the file of the command in src/cli/commands */
export function oneCommand(verb) {
  const namespace = 'other-commands';
  return {
    name: 'one-command',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\/(?:commands|completion)\/[^/]+\.ts$/ }, ({ kind, path }) =>
        kind === 'dynamic-import' && !path.endsWith(`/commands/${verb}.ts`)
          ? { path, namespace }
          : undefined,
      );
      onLoad({ filter: /./, namespace }, ({ path }) => ({
        contents: `throw new Error(${JSON.stringify(`${path} is not in the script of ${verb}`)});`,
      }));
    },
  };
}
