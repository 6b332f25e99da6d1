import type { ProgrammeExplanation } from '@looptide/contracts/http/simulation'
import { seededRandom, shuffled } from '@looptide/playhead/random'
import { separateArtists } from '@looptide/playhead/shuffle'
import { errors } from '@looptide/service-kit/http/errors'
import type { ChannelRow, ProgrammeRow, Store } from '../../db/schema.ts'
import { readChange } from '../../timeline/change-repository.ts'
import { loadItems } from '../../timeline/loop-repository.ts'
import type { LoopItem } from '../../timeline/plan-loop.ts'
import { programmeId } from '../../timeline/programme-id.ts'
import { readChannels } from '../../timeline/timeline-cache-repository.ts'
import { videoTexts } from '../../videos/video-texts.ts'
import { readEntries } from '../playlists/playlist-repository.ts'
import { findProgrammeWithNeighbours } from './programme-neighbours.ts'

/** Explains how a programme got its place. Throws `not_found` for a programme that is not in the timeline. */
export async function explain(
  db: Store,
  channelId: string,
  requestedId: string,
  fallbackMaxMs: number,
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
  const index = seq - programme.roundSeq
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
    schedule: presentSchedule(programme),
    source: isLibrary ? 'library' : 'playlist',
    playlistPosition: position < 0 ? null : position,
    cycleSeq: programme.roundSeq,
    positionInCycle: index + 1,
    order: orderOf(channel, items, programme, beforeCycle),
    seed: channel.shuffleEnabled ? channel.seed : null,
    change: await changeOf(db, programme),
  }
}

/**
 * How a programme got its place in the cycle: the cycle is shuffled again as at its start. If that does not give the
 * programme, the cycle has been edited since.
 */
function orderOf(
  channel: ChannelRow,
  items: readonly LoopItem[],
  programme: ProgrammeRow,
  beforeCycle: ProgrammeRow | undefined,
): ProgrammeExplanation['order'] {
  const index = programme.seq - programme.roundSeq
  if (!channel.shuffleEnabled) {
    return items.some((item) => item.itemId === programme.itemId) ? 'playlist' : 'edited'
  }
  const seed = `${channel.seed}:${programme.roundSeq}`
  const previousArtist = items.find((item) => item.itemId === beforeCycle?.itemId)?.artist ?? null
  const order = separateArtists(items, (item) => item.artist, seed, { previousArtist })
  if (order[index]?.itemId !== programme.itemId) return 'edited'
  const shuffledOrder = shuffled(items, seededRandom(seed))
  return shuffledOrder[index]?.itemId === programme.itemId ? 'shuffled' : 'separated'
}

function presentSchedule({ kind, reason }: ProgrammeRow): ProgrammeExplanation['schedule'] {
  if (reason === null || reason.takeover !== undefined) return null
  const { ident: _ident, isResumed: _isResumed, ...rest } = reason
  return { kind, ...rest }
}

async function changeOf(db: Store, programme: ProgrammeRow): Promise<ProgrammeExplanation['change']> {
  const change = await readChange(db, programme.channelId, programme.version)
  if (change === undefined) return null
  const { kind, actorId, changedAt, nextSeq } = change
  return { kind, actorId, changedAt: changedAt.toISOString(), isExtension: programme.seq >= nextSeq }
}
