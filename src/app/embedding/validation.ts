/** The result of a validation, as `deskhand validate -o json` prints it. */
export interface Validation {
  /** Whether no file has an error; warnings do not count. */
  readonly isValid: boolean;
  /** Each validated playbook, and the playbooks it uses if they have problems. */
  readonly files: readonly {
    readonly file: string;
    readonly problems: readonly ValidationProblem[];
  }[];
}

export interface ValidationProblem {
  /** Id of the rule, such as `PB203`; `deskhand explain` describes it. */
  readonly code: string;
  readonly level: 'error' | 'warning';
  readonly message: string;
  readonly hint?: string;
  /** The location of the problem; lines and columns start at 1. */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}
