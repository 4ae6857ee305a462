/** The options of a program that embeds deskhand; all other settings are in deskhand.yaml. */
import type { Secret } from '../../base/secret.ts';
import type { Plan } from '../../engine/plan/plan.ts';

/** The key of an account, as given by the exchange. */
export interface AccountKey {
  readonly apiKey: string | Secret;
  readonly secretKey: string | Secret;
  readonly passphrase: string | Secret;
}

/**
 * A playbook: the path of its file, relative to `cwd`; or its content, as a value or as a text of several
 * lines, so that a program needs no file.
 */
export type PlaybookSource = string | Readonly<Record<string, unknown>>;

/** Options that every function has. */
export interface WorkOptions {
  /**
   * The folder of the work, with the playbooks, `deskhand.yaml` and `.deskhand`. Default: the current folder
   * of the process, which is never changed.
   */
  readonly cwd?: string;
  /** The environment variables, as the command line reads them. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * The configuration: the path of its file, or its content, as a value or as a text of several lines, whose
   * paths are relative to `cwd`. Default: the nearest `deskhand.yaml`.
   */
  readonly config?: string | Readonly<Record<string, unknown>>;
  /** The profile that takes precedence over the account of a playbook, as `--profile`. */
  readonly profile?: string;
}

/** Options of functions that use an account. */
export interface AccountOptions extends WorkOptions {
  /** The folder of runs, plans and the embedded exchange. Default: as configured. */
  readonly stateDir?: string;
  /** Address of the state store, as `--store`. Default: as configured. */
  readonly store?: string;
  /** Keys by the name of their profile. Default: each key is read from the source that the profile names. */
  readonly credentials?: Readonly<Record<string, AccountKey>>;
  /**
   * A signal that stops the work in order when it is aborted, as the first Ctrl-C does: nothing new is sent.
   */
  readonly signal?: AbortSignal;
}

/** A playbook with its inputs. */
export interface PlaybookOptions {
  /** The playbook: a file, or its content. */
  readonly playbook: PlaybookSource;
  /** Values of its inputs, by name; they replace defaults. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** Ids of the steps to run; the steps that they need are added. Default: all steps. */
  readonly only?: readonly string[];
  /** The occurrence of the playbook's schedule: `2026-08-01T09:00:00Z`. */
  readonly scheduledFor?: string;
}

/** Options of `plan`. */
export interface PlanOptions extends AccountOptions, PlaybookOptions {
  /** How long the plan is valid: `90s`, `15m`, `2h`, `3d`. */
  readonly expires?: string;
  /** Makes the plan without requests; such a plan is for review only. */
  readonly isOffline?: boolean;
}

/** The subject of `run`: a reviewed plan, or a playbook, which is planned first. */
export type RunOptions = AccountOptions & {
  /**
   * The id of the plan, as `--approve`: a person has approved it for a live account. It does not replace the
   * signed approvals that an account may require.
   */
  readonly approve?: string;
  /** Sets unfinished runs of the playbook aside and starts a new one, as `--new --reason`. */
  readonly beside?: {
    /** The person who decided to run the playbook again. */
    readonly who: string;
    /** Why the playbook runs again. */
    readonly reason: string;
  };
} & (
    | (PlaybookOptions & { readonly plan?: undefined })
    | {
        /** The plan itself, the id of a saved plan, or the path of a plan file. */
        readonly plan: Plan | string;
        /** The content that the plan was made of, if the playbook is not a file; it is compared with the plan. */
        readonly playbook?: PlaybookSource;
      }
  );

/** Options of `resume`. */
export interface ResumeOptions extends AccountOptions {
  /** The id of the run, `r-…`. */
  readonly run: string;
  /** The id of the run, as `--approve`: a person has approved sending the rest to a live account. */
  readonly approve?: string;
  /** Path of the plan that the run was started from, as `--plan`. */
  readonly planFile?: string;
}

/** Options of `validate`. */
export interface ValidateOptions extends WorkOptions {
  /** Playbooks: files, or their content. */
  readonly playbooks: PlaybookSource | readonly PlaybookSource[];
}
