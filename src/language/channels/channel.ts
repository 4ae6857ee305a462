/** A channel of notifications: the addresses it serves, and the content that it sends to them. */
import { isLoopbackName } from '../../base/host.ts';
import type { TextTable } from '../../base/text-table.ts';

/** The content of a notification. */
export interface Content {
  /** One sentence, or the text of a step. */
  readonly text: string;
  /** A heading above the text. */
  readonly subject?: string;
  /** Named values; absent in a notification of a step. */
  readonly facts?: readonly (readonly [name: string, value: string])[];
  readonly table?: TextTable;
  /** The command to type, as a whole. */
  readonly command?: string;
  /** The address of the run's page. */
  readonly link?: string;
  /** The content as JSON in our own format. */
  readonly document: object;
}

export interface Channel {
  /** The name of the channel: the `format` of a step. */
  readonly name: string;
  /** The key of a recipient in `notify` of a profile. */
  readonly recipient: string;
  /** The meaning of a recipient and of its address, for editors. */
  readonly describes: { readonly recipient: string; readonly address: string };
  /** Whether the body may be signed with a key. */
  readonly isSigned: boolean;
  /** Whether a notification is sent as an e-mail; otherwise by one POST. */
  readonly isMail: boolean;
  /** Whether an address belongs to this channel if no name of a channel is given. */
  serves(url: URL): boolean;
  /**
   * Why a notification must not be sent to an address; undefined if it may be sent.
   * @param isSandbox whether the notification is about a sandbox
   */
  addressProblem(url: URL, isSandbox: boolean): string | undefined;
  /** The body of a POST. */
  body(content: Content): object;
}

/**
 * The problem of an address for a POST: it is sent without encryption only to this machine, and only
 * for a sandbox.
 */
export function postProblem({ protocol, hostname }: URL, isSandbox: boolean): string | undefined {
  const isPlainHere = protocol === 'http:' && isSandbox && isLoopbackName(hostname);
  return protocol === 'https:' || isPlainHere
    ? undefined
    : 'url must be https:// (http:// only to this machine, and only in the sandbox)';
}
