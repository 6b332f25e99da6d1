import type { GuideBlock } from '@looptide/contracts/http/guide'
import type { ScheduledBlock } from '../timeline/block-cache.ts'
import { scheduleBlockId } from './guide-blocks.ts'

/**
 * Adds the blocks that the schedule has after the end of the timeline, and whose tracks nobody knows yet, to those of the
 * timeline in the window from `fromMs` on. A block in which the timeline ends continues. `scheduled` begins at the end of
 * the timeline.
 */
export function withAnnouncedBlocks(
  planned: readonly GuideBlock[],
  scheduled: readonly ScheduledBlock[],
  fromMs: number,
): GuideBlock[] {
  const blocks = [...planned]
  const counts = new Map<string, number>()
  for (const [index, { kind, block, startMs, endMs, occurrenceMs }] of scheduled.entries()) {
    const before = blocks.at(-1)
    const hasBegun = index === 0 && occurrenceMs < startMs
    if (before !== undefined && hasBegun && before.block?.id === block.id) {
      blocks[blocks.length - 1] = { ...before, endsAtMs: endMs }
    } else if (endMs > fromMs) {
      // It may have begun before a window that contains no programmes.
      const startsAtMs = hasBegun && before === undefined ? occurrenceMs : startMs
      const place = scheduleBlockId(`${kind}-${block.id}`, startsAtMs)
      const count = counts.get(place) ?? blocks.filter(({ id }) => id.startsWith(place)).length
      counts.set(place, count + 1)
      const id = count > 0 ? `${place}.${count}` : place
      blocks.push({ id, startsAtMs, endsAtMs: endMs, ...NO_TRACKS, block })
    }
  }
  return blocks
}

const NO_TRACKS = { trackCount: 0, artists: [], artistCount: 0, title: null }
