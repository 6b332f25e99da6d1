import type { ChannelRow, ProgrammeRow, Store, Trx } from '../db/schema.ts'
import type { Loop, Plan, Round } from './plan-timeline.ts'
import { repeats, restOfRound } from './rest-of-round.ts'
import * as timeline from './timeline-repository.ts'

/** Where planning goes on at a timeline's end. */
export interface RoundAtEnd {
  /** Null begins a new round. */
  round: Round | null
  previousArtist: string | null
  /** Shuffled: how many of the stored order are laid out, if what is left of it is all there. */
  laidOut: number | null
}

/** What is left of the round at the end of the timeline (call it before programmes are taken out). */
export async function roundAtEnd(db: Store, channel: ChannelRow, loop: Loop): Promise<RoundAtEnd> {
  const last = await timeline.lastItem(db, channel)
  if (!loop.shuffle) {
    if (last === undefined) return { round: null, previousArtist: null, laidOut: null }
    const { itemId, roundSeq } = last
    const order = restOfRound(loop, { itemId, artist: null, planned: [], aired: new Set() }, '')
    return { round: { roundSeq, order, nextPlace: 0 }, previousArtist: null, laidOut: null }
  }
  const byId = new Map(loop.items.map((item) => [item.itemId, item]))
  const previousArtist = byId.get(last?.itemId ?? '')?.artist ?? null
  const stored = await timeline.readRound(db, channel.id)
  if (stored === undefined) return { round: null, previousArtist, laidOut: null }
  const ahead = stored.itemIds.slice(stored.nextPlace)
  const order = ahead.flatMap((id) => byId.get(id) ?? [])
  const whole = order.length === ahead.length
  // Something was taken out between two of one artist: the rebuild that will follow would mend it, a new round does now.
  if (!whole && repeats(order, previousArtist) > 0) return { round: null, previousArtist, laidOut: null }
  const round = { roundSeq: stored.roundSeq, order, nextPlace: 0 }
  return { round, previousArtist, laidOut: whole ? stored.nextPlace : null }
}

/** How the round of the programme `fixed` goes on after it; `current` is what was planned until now. */
export async function roundAfter(
  db: Store,
  channel: ChannelRow,
  loop: Loop,
  fixed: ProgrammeRow,
  current: readonly ProgrammeRow[],
  artist: string,
): Promise<Round> {
  const { roundSeq, itemId } = fixed
  const planned = current.filter((row) => row.roundSeq === roundSeq).map((row) => row.itemId)
  if (!loop.shuffle) {
    const order = restOfRound(loop, { itemId, artist, planned, aired: new Set() }, '')
    return { roundSeq, order, nextPlace: 0 }
  }
  const stored = await timeline.readRound(db, channel.id)
  if (stored?.roundSeq === roundSeq) planned.push(...stored.itemIds.slice(stored.nextPlace))
  const aired = await timeline.airedItems(db, channel.id, roundSeq, fixed.seq)
  const standing = { itemId, artist, planned, aired }
  const order = restOfRound(loop, standing, `${loop.seed}:${channel.loopVersion}`)
  return { roundSeq, order, nextPlace: 0 }
}

/** Remembers the round in which a plan ends. In playlist order there is nothing to remember. */
export async function saveRound(trx: Trx, channelId: string, loop: Loop, { round }: Plan): Promise<void> {
  await timeline.saveRound(trx, channelId, {
    roundSeq: round?.roundSeq ?? 0,
    itemIds: loop.shuffle ? (round?.order.map((item) => item.itemId) ?? []) : [],
    nextPlace: loop.shuffle ? (round?.nextPlace ?? 0) : 0,
  })
}
