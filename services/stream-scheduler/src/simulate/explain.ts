import type { ProgrammeExplanation } from '@looptide/contracts/http/simulation'
import { plainShuffle, shuffledOrder } from '@looptide/planner/source-order'
import { errors } from '@looptide/service-kit/http/errors'
import type { ChannelRow, ProgrammeRow, Store } from '../db/schema.ts'
import { videoTexts } from '../library/video-repository.ts'
import { readEntries } from '../playlists/playlist-repository.ts'
import { LOOP_SOURCE } from '../schedule/loop-material.ts'
import { type LoopItem, loadItems } from '../schedule/loop-repository.ts'
import { findBlock } from '../schedule/schedule-material.ts'
import type { ScheduleReader } from '../schedule/schedule-reader.ts'
import { readState } from '../schedule/schedule-repository.ts'
import { readChange } from '../timeline/change-repository.ts'
import { programmeId } from '../timeline/programme-id.ts'
import { readChannels } from '../timeline/timeline-cache-repository.ts'
import {
  countCycleStarts,
  countRequests,
  findProgrammeWithNeighbours,
} from './programme-neighbour-repository.ts'

interface ExplainDeps {
  fallbackMaxMs: number
  schedules: ScheduleReader
}

/** Explains how a programme got its place. Throws `not_found` for a programme that is not in the timeline. */
export async function explain(
  db: Store,
  channelId: string,
  requestedId: string,
  { fallbackMaxMs, schedules }: ExplainDeps,
): Promise<ProgrammeExplanation> {
  const channel = (await readChannels(db, [channelId]))[0]
  if (channel === undefined) throw errors.notFound('This channel')
  const seq = Number(requestedId.split('.').at(-2))
  const { programme, before, after, beforeCycle } = await findProgrammeWithNeighbours(db, channelId, seq)
  if (programme === undefined || programmeId(programme) !== requestedId)
    throw errors.notFound('This programme')
  const videoIds = [programme, before, after].flatMap((row) => row?.videoId ?? [])
  const texts = await videoTexts(db, videoIds)
  const artistOf = (row: ProgrammeRow | undefined) => texts.get(row?.videoId ?? '')?.artistName ?? null
  const entries = await readEntries(db, channelId)
  const position = entries.findIndex((entry) => entry.itemId === programme.itemId)
  const items = await loadItems(db, channel, fallbackMaxMs)
  const requests = await countRequests(db, channelId, programme.roundSeq, seq)
  const index = seq - programme.roundSeq - requests
  const isLibrary = programme.itemId === programme.videoId
  return {
    programmeId: requestedId,
    seq,
    startsAtMs: programme.startsAtMs,
    endsAtMs: programme.endsAtMs,
    title: texts.get(programme.videoId ?? '')?.title ?? '',
    artistName: artistOf(programme) ?? '',
    artistBefore: artistOf(before),
    artistAfter: artistOf(after),
    schedule: await presentSchedule(db, schedules, channel, programme),
    source: isLibrary ? 'library' : 'playlist',
    playlistPosition: position < 0 ? null : position,
    cycleSeq: programme.roundSeq,
    positionInCycle: index + 1,
    order: orderOf(channel, items, { programme, index, beforeCycle, cycle: await cycleOf(db, programme) }),
    seed: channel.shuffleEnabled ? channel.seed : null,
    change: await changeOf(db, programme),
  }
}

interface ExplainedProgramme {
  programme: ProgrammeRow
  /** Its place in the cycle, from 0. */
  index: number
  beforeCycle: ProgrammeRow | undefined
  cycle: number | undefined
}

/**
 * Determines how a programme got its place in the cycle: the cycle is shuffled again as at its start. If another programme
 * is at this place then, the cycle has been edited since.
 */
function orderOf(
  channel: ChannelRow,
  items: readonly LoopItem[],
  { programme, index, beforeCycle, cycle }: ExplainedProgramme,
): ProgrammeExplanation['order'] {
  if (!channel.shuffleEnabled) {
    return items.some((item) => item.itemId === programme.itemId) ? 'playlist' : 'edited'
  }
  if (cycle === undefined) return 'edited'
  const artists = new Map(items.map(({ itemId, artist }) => [itemId, artist]))
  const itemIds = [...artists.keys()]
  const shuffle = { seed: channel.seed, source: LOOP_SOURCE, cycle }
  const previousArtist = artists.get(beforeCycle?.itemId ?? '') ?? null
  const order = shuffledOrder(itemIds, (id) => artists.get(id) ?? '', { ...shuffle, previousArtist })
  if (order[index] !== programme.itemId) return 'edited'
  return plainShuffle(itemIds, shuffle)[index] === programme.itemId ? 'shuffled' : 'separated'
}

/**
 * The number of a programme's cycle, from which its shuffle is derived: the stored state has that of one cycle, and the
 * first programme of each cycle is known. Undefined without a state.
 */
async function cycleOf(db: Store, { channelId, seq }: ProgrammeRow): Promise<number | undefined> {
  const stored = await readState(db, channelId)
  const source = stored?.state?.sources[LOOP_SOURCE]
  if (stored === undefined || source === undefined) return undefined
  const { cycle, count = 0 } = source
  if (seq < stored.seq) return cycle - (await countCycleStarts(db, channelId, seq + 1, stored.seq - 1))
  // A cycle that has not played anything has been counted, and starts with the next programme.
  const firstSeq = count === 0 ? stored.seq + 1 : stored.seq
  return cycle + (await countCycleStarts(db, channelId, firstSeq, seq))
}

async function presentSchedule(
  db: Store,
  schedules: ScheduleReader,
  channel: ChannelRow,
  { kind, reason }: ProgrammeRow,
): Promise<ProgrammeExplanation['schedule']> {
  if (reason === null || reason.takeover !== undefined) return null
  const { ident: _ident, isResumed: _isResumed, edit: _edit, request: _request, ...rest } = reason
  const document = await schedules.findDocument(db, channel, reason.version)
  const blockName = document === undefined ? undefined : findBlock(document, reason)?.name
  return { kind, blockName: blockName ?? null, ...rest }
}

async function changeOf(db: Store, programme: ProgrammeRow): Promise<ProgrammeExplanation['change']> {
  const change = await readChange(db, programme.channelId, programme.version)
  if (change === undefined) return null
  const { kind, actorId, changedAt, nextSeq } = change
  return { kind, actorId, changedAt: changedAt.toISOString(), isExtension: programme.seq >= nextSeq }
}
