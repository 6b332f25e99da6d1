import type { ProgrammeExplanation } from '@looptide/contracts/http/simulation'
import { seededRandom, shuffled } from '@looptide/playhead/random'
import { separateArtists } from '@looptide/playhead/shuffle'
import { errors } from '@looptide/service-kit/errors'
import type { ChannelRow, ProgrammeRow, Store } from '../../db/schema.ts'
import { readChange } from '../../timeline/change-repository.ts'
import { loadItems } from '../../timeline/loop-repository.ts'
import { readChannels } from '../../timeline/memory-repository.ts'
import type { LoopItem } from '../../timeline/plan-timeline.ts'
import { programmeId } from '../../timeline/programme-id.ts'
import { readEntries } from '../playlists/playlist-repository.ts'
import { programmesAround } from './programmes-around.ts'
import { videoTexts } from './simulate-repository.ts'

/** Why a programme is on. Throws `not_found` for one the timeline does not hold (any more). */
export async function explain(
  db: Store,
  channelId: string,
  wantedId: string,
  fallbackMaxMs: number,
): Promise<ProgrammeExplanation> {
  const channel = (await readChannels(db, [channelId]))[0]
  if (channel === undefined) throw errors.notFound('This channel')
  const seq = Number(wantedId.split('.').at(-2))
  const { programme, before, after, beforeRound } = await programmesAround(db, channelId, seq)
  if (programme === undefined || programmeId(programme) !== wantedId) throw errors.notFound('This programme')
  const shown = [programme, before, after].flatMap((row) => row?.videoId ?? [])
  const texts = await videoTexts(db, shown)
  const artistOf = (row: ProgrammeRow | undefined) => texts.get(row?.videoId ?? '')?.artistName ?? null
  const entries = await readEntries(db, channelId)
  const position = entries.findIndex((entry) => entry.itemId === programme.itemId)
  const items = await loadItems(db, channel, fallbackMaxMs)
  const place = seq - programme.roundSeq
  const isLibrary = programme.itemId === programme.videoId
  return {
    programmeId: wantedId,
    seq,
    startsAtMs: programme.startsAtMs,
    endsAtMs: programme.endsAtMs,
    title: texts.get(programme.videoId)?.title ?? '',
    artistName: artistOf(programme) ?? '',
    artistBefore: artistOf(before),
    artistAfter: artistOf(after),
    source: isLibrary ? 'library' : 'playlist',
    playlistPosition: position < 0 ? null : position,
    cycleSeq: programme.roundSeq,
    positionInCycle: place + 1,
    order: orderOf(channel, items, programme, beforeRound),
    seed: channel.shuffleEnabled ? channel.seed : null,
    change: await changeOf(db, programme),
  }
}

/**
 * How a programme came to its place: the round is drawn again as it was at its beginning. Where that does not lead to
 * the programme, the round was edited since.
 */
function orderOf(
  channel: ChannelRow,
  items: readonly LoopItem[],
  programme: ProgrammeRow,
  beforeRound: ProgrammeRow | undefined,
): ProgrammeExplanation['order'] {
  const place = programme.seq - programme.roundSeq
  if (!channel.shuffleEnabled) {
    return items.some((item) => item.itemId === programme.itemId) ? 'playlist' : 'edited'
  }
  const seed = `${channel.seed}:${programme.roundSeq}`
  const previousArtist = items.find((item) => item.itemId === beforeRound?.itemId)?.artist ?? null
  const order = separateArtists(items, (item) => item.artist, seed, { previousArtist })
  if (order[place]?.itemId !== programme.itemId) return 'edited'
  const drawn = shuffled(items, seededRandom(seed))
  return drawn[place]?.itemId === programme.itemId ? 'shuffled' : 'separated'
}

async function changeOf(db: Store, programme: ProgrammeRow): Promise<ProgrammeExplanation['change']> {
  const change = await readChange(db, programme.channelId, programme.version)
  if (change === undefined) return null
  const { kind, actorId, changedAt, nextSeq } = change
  return { kind, actorId, changedAt: changedAt.toISOString(), isExtension: programme.seq >= nextSeq }
}
