import { SPECIALS_AHEAD_MS } from '@looptide/contracts/http/channels'
import type { Announced } from '@looptide/contracts/http/guide'
import type { TimelineCache } from '../timeline/timeline-cache.ts'
import { findChannel, programmesBetween } from './now-response.ts'

/** More than a timeline has, unless its clips are very short. */
const MAX_PROGRAMMES = 10_000
/** Time ahead of which the guide shows blocks, in ms: they return every week. */
const LATER_BLOCKS_MS = 7 * 86_400_000

/** What the guide of a channel announces from now on, for audience. Throws `not_found` for an unknown channel. */
export async function announcedOf(
  timelines: TimelineCache,
  channelId: string,
  nowMs: number,
): Promise<Announced> {
  // Audience asks because of an event that this replica may be reading.
  await timelines.settled()
  const { row, programmes } = await findChannel(timelines, channelId)
  const { name, isActive, timelineVersion } = row
  const found = programmesBetween(programmes, nowMs, Number.POSITIVE_INFINITY, MAX_PROGRAMMES)
  return {
    ...{ channelId, name, isActive, timelineVersion },
    programmes: found.map((programme) => {
      const { id, videoId, startsAtMs, endsAtMs, block, video } = timelines.present(channelId, programme)
      return {
        ...{ id, videoId, startsAtMs, endsAtMs },
        title: video?.title ?? '',
        artistName: video?.artistName ?? '',
        blockId: block?.id ?? null,
        blockName: block?.name ?? null,
      }
    }),
    laterBlocks: laterBlocks(timelines, channelId, nowMs + LATER_BLOCKS_MS),
    specials: timelines
      .specialsOf(channelId, nowMs, nowMs + SPECIALS_AHEAD_MS)
      .map(({ id, name: title, startsAtMs, endsAtMs }) => ({ id, name: title, startsAtMs, endsAtMs })),
  }
}

/** The blocks of a schedule between the end of the timeline and `toMs`, each once. */
function laterBlocks(timelines: TimelineCache, channelId: string, toMs: number): Announced['laterBlocks'] {
  const scheduled = timelines.scheduledAfterTimeline(channelId, toMs)
  const names = new Map(scheduled.map(({ block: { id, name } }) => [id, name]))
  return [...names].map(([id, name]) => ({ id, name }))
}
