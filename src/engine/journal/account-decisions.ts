/** A person's decisions about keys and ids of accounts, read from the configuration. */

/** A person's decisions about keys and ids of a profile's account. */
export interface AccountDecisions {
  /** The fingerprints of the account's former keys. */
  readonly formerKeys: readonly string[];
  /** The fingerprints of keys of other accounts. */
  readonly otherKeys: readonly string[];
  /** Former or mistaken ids of the account. */
  readonly formerIds: readonly string[];
}

export const nothingDecided: AccountDecisions = { formerKeys: [], otherKeys: [], formerIds: [] };
