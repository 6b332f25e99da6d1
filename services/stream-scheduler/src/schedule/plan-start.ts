import { createHash } from 'node:crypto'
import type { PlanInput } from '@looptide/planner/plan'
import type { ChannelRow } from '../db/schema.ts'
import type { ReplanMode } from '../timeline/programming.ts'

/** The planner's state at the start of a programme, and what aired or is planned before it. */
export interface PlanStart
  extends Pick<PlanInput, 'state' | 'history' | 'planned' | 'previous' | 'edits' | 'requests'> {
  /** The sequence number of the first programme of a loop's cycle, if the programme before is stored. */
  cycleSeq?: number | undefined
}

/** A start, and whether its state was stored. */
export type KnownStart = PlanStart & { isKnown: boolean }
/** A start of a changed future. `keepsState`: the stored state stays, because later changes may begin before this one. */
export type ChangedStart = KnownStart & { keepsState: boolean }

/** The start of a plan that begins every source again. */
export const beginningAgain = ({ history, edits, previous, requests }: PlanStart): PlanStart => ({
  state: null,
  history,
  ...(edits && { edits }),
  ...(requests && { requests }),
  ...(previous && { previous: { ...previous, itemId: null } }),
})

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
