/** The notification of a step, complete and checked, before it has the form of its channel. */
import type { TextTable } from '../../base/text-table.ts';

export interface StepNotice {
  readonly text: string;
  /**
   * The id of the notification, which is the same whenever a run sends it, so a receiver can ignore
   * the second of two.
   */
  readonly id?: string;
  readonly playbook?: string;
  readonly target?: string;
  readonly run?: string;
  /** The name of a channel. Default: derived from the address. */
  readonly format?: string;
  readonly subject?: string;
  readonly table?: TextTable;
  /** A page of the run, for an e-mail. */
  readonly page?: NoticePage;
  /** Files of the run, for an e-mail. */
  readonly attached?: readonly Attachment[];
  /** The address of the run's page. */
  readonly link?: string;
  /** The command that shows the run, if no address is known. */
  readonly command?: string;
}

export interface NoticePage {
  readonly file: string;
  /** The page as HTML; absent for a page in Markdown. */
  readonly html?: string;
  readonly text: string;
}

export interface Attachment {
  /** The file in the workspace. */
  readonly file: string;
  readonly content: Buffer;
}
