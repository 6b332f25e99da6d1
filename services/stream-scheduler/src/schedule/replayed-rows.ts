import type { ReplayedProgramme } from '@looptide/planner/plan'
import { LOOP_SOURCE } from './loop-material.ts'
import type { ReplayedRow } from './replayed-row-repository.ts'

/**
 * Converts rows for a replay. `before` is the programme before the first row, if it is still stored. In a loop, each item
 * counts as one of its only source, also where a schedule planned it before the channel lost it.
 */
export function toReplayed(
  rows: readonly ReplayedRow[],
  before: ReplayedRow | undefined,
  isLoop: boolean,
): ReplayedProgramme[] {
  let own = before?.kind === 'takeover' ? undefined : before
  let previous = before
  return rows.map((row) => {
    const { itemId, videoId, startsAtMs, endsAtMs, slot, kind } = row
    const isOwn = kind !== 'takeover'
    const source = isLoop ? LOOP_SOURCE : row.source
    const startsCycle = own?.kind === 'loop' ? row.cycleSeq !== own.cycleSeq : row.cycleSeq === row.seq
    const replayed: ReplayedProgramme = {
      itemId,
      videoId,
      startsAtMs,
      endsAtMs,
      startsCycle: kind === 'loop' ? startsCycle : null,
      isResumed: kind === 'loop' && row.offsetMs > 0,
      isJoined: isOwn && previous?.kind === 'takeover',
      reason: { slot, source: kind === 'loop' || kind === 'scheduled' ? source : null },
    }
    if (isOwn) own = row
    previous = row
    return replayed
  })
}
