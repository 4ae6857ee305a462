/** The place where a secret is stored. */
export type SecretSource =
  /** Name of an environment variable, or the prefix of several. */
  | { readonly kind: 'env'; readonly name: string }
  /** A file that others may not change: the secret, or NAME=value lines for several. */
  | { readonly kind: 'file'; readonly path: string }
  /** A program that prints the secret, or such lines; never through a shell, and started in `folder`. */
  | {
      readonly kind: 'exec';
      readonly words: readonly [string, ...string[]];
      readonly folder: string;
    };
