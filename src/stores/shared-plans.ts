/** Plans that machines share: made through the queue, and found by their ids. */

/** The plans of a store. Every method throws StoreError when the store gave no answer. */
export interface SharedPlans {
  /**
   * Stores a plan.
   * @param text the sealed file
   * @returns false if another plan has this id: ids have 32 bits
   */
  put(id: string, text: string): Promise<boolean>;
  /** The sealed file of a plan. Its seal proves that it is whole, and not who made it. */
  find(id: string): Promise<string | undefined>;
  /** The ids of the newest plans, newest first. */
  newest(most: number): Promise<readonly string[]>;
}
