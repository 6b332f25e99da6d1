import { createHash } from 'node:crypto'
import type { ChannelRow } from '../db/schema.ts'
import type { ReplanMode } from '../timeline/programming.ts'

/** Whether a future that is planned again in this mode continues the current cycles. */
export const continuesCycle = (mode: ReplanMode): boolean => mode === 'edit' || mode === 'takeover'

/**
 * `edit` and `takeover` keep the seed, the other modes derive the next one. It depends only on the seed and the loop's
 * version, so a simulation shows the future that follows.
 */
export function seedFor({ seed, loopVersion }: ChannelRow, mode: ReplanMode): string {
  if (continuesCycle(mode)) return seed
  return createHash('sha256').update(`${seed}:${loopVersion}`).digest('hex').slice(0, 32)
}
