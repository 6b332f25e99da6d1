import type { ChannelRow, ProgrammeRow, Store, Trx } from '../db/schema.ts'
import type { Cycle, Loop, LoopPlan } from './plan-loop.ts'
import { countRepeats, restOfCycle } from './rest-of-cycle.ts'
import * as timeline from './timeline-repository.ts'

/** Where planning continues at the end of a timeline. */
export interface CycleAtEnd {
  /** Null starts a new cycle. */
  cycle: Cycle | null
  previousArtist: string | null
  /** Shuffled loops: how many items of the stored order are planned. Null if some of the remaining ones are gone. */
  plannedCount: number | null
}

/** The rest of the cycle at the end of the timeline. Call it before programmes are deleted. */
export async function cycleAtEnd(db: Store, channel: ChannelRow, loop: Loop): Promise<CycleAtEnd> {
  const last = await timeline.lastItem(db, channel)
  if (!loop.shuffle) {
    if (last === undefined) return { cycle: null, previousArtist: null, plannedCount: null }
    const { itemId, roundSeq } = last
    const order = restOfCycle(loop, { itemId, artist: null, planned: [], aired: new Set() }, '')
    return { cycle: { cycleSeq: roundSeq, order, nextIndex: 0 }, previousArtist: null, plannedCount: null }
  }
  const byId = new Map(loop.items.map((item) => [item.itemId, item]))
  const previousArtist = byId.get(last?.itemId ?? '')?.artist ?? null
  const stored = await timeline.readCycle(db, channel.id)
  if (stored === undefined) return { cycle: null, previousArtist, plannedCount: null }
  const remaining = stored.itemIds.slice(stored.nextIndex)
  const order = remaining.flatMap((id) => byId.get(id) ?? [])
  const isComplete = order.length === remaining.length
  // An item between two of the same artist was removed. The pending rebuild would separate them; a new cycle does so now.
  if (!isComplete && countRepeats(order, previousArtist) > 0) {
    return { cycle: null, previousArtist, plannedCount: null }
  }
  const cycle = { cycleSeq: stored.cycleSeq, order, nextIndex: 0 }
  return { cycle, previousArtist, plannedCount: isComplete ? stored.nextIndex : null }
}

/** The rest of the cycle after the programme `fixed`. `current` holds the programmes planned after it so far. */
export async function cycleAfter(
  db: Store,
  channel: ChannelRow,
  loop: Loop,
  fixed: ProgrammeRow,
  current: readonly Pick<ProgrammeRow, 'itemId' | 'roundSeq'>[],
  artist: string,
): Promise<Cycle> {
  const { roundSeq: cycleSeq, itemId } = fixed
  const planned = current.flatMap((row) => (row.roundSeq === cycleSeq ? (row.itemId ?? []) : []))
  if (!loop.shuffle) {
    const order = restOfCycle(loop, { itemId, artist, planned, aired: new Set() }, '')
    return { cycleSeq, order, nextIndex: 0 }
  }
  const stored = await timeline.readCycle(db, channel.id)
  if (stored?.cycleSeq === cycleSeq) planned.push(...stored.itemIds.slice(stored.nextIndex))
  const aired = await timeline.airedItems(db, channel.id, cycleSeq, fixed.seq)
  const state = { itemId, artist, planned, aired }
  const order = restOfCycle(loop, state, `${loop.seed}:${channel.loopVersion}`)
  return { cycleSeq, order, nextIndex: 0 }
}

/** Stores the cycle in which a plan ends. In playlist order there is nothing to store. */
export async function saveCycle(trx: Trx, channelId: string, loop: Loop, { cycle }: LoopPlan): Promise<void> {
  await timeline.saveCycle(trx, channelId, {
    cycleSeq: cycle?.cycleSeq ?? 0,
    itemIds: loop.shuffle ? (cycle?.order.map((item) => item.itemId) ?? []) : [],
    nextIndex: loop.shuffle ? (cycle?.nextIndex ?? 0) : 0,
  })
}
