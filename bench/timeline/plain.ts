import { separateArtists } from '@looptide/playhead/shuffle'
import type { PlannedProgramme } from '../../services/stream-scheduler/src/timeline/programming.ts'
import {
  EXTEND_TO_MS,
  MAX_PLANNED,
  MIN_PROGRAMME_MS,
} from '../../services/stream-scheduler/src/timeline/rules.ts'
import {
  deleteProgrammesFrom,
  insertProgrammes,
  lastFixed,
  lockChannel,
  updateChannel,
} from '../../services/stream-scheduler/src/timeline/timeline-repository.ts'
import type { Scheduler } from './scheduler.ts'

/**
 * Baseline: after any change the channel's playlist is read row by row, and all future programmes are deleted and
 * written again from the first place of the loop. Nothing is cached or published.
 */
export async function rebuildPlainly({ db, clock, timelines }: Scheduler, channelId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const channel = await lockChannel(trx, channelId)
    if (channel === undefined) throw new Error(`There is no channel ${channelId}.`)
    const rows = await trx
      .selectFrom('channelPlaylists')
      .innerJoin('videos', 'videos.id', 'channelPlaylists.videoId')
      .select([
        'channelPlaylists.id as itemId',
        'videos.id as videoId',
        'videos.version as videoVersion',
        'videos.durationMs',
        'videos.artistName as artist',
      ])
      .where('channelPlaylists.channelId', '=', channelId)
      .where('videos.playable', '=', true)
      .orderBy('channelPlaylists.position')
      .orderBy('channelPlaylists.id')
      .execute()
    const fixed = await lastFixed(trx, channel, clock.nowMs)
    const first = {
      seq: fixed === undefined ? channel.nextSeq : fixed.seq + 1,
      startsAtMs: Math.max(fixed?.endsAtMs ?? 0, clock.nowMs),
    }
    const order = channel.shuffleEnabled ? separateArtists(rows, ({ artist }) => artist, channel.seed) : rows
    const programmes = repeatedly(order, first, clock.nowMs + EXTEND_TO_MS)
    const version = channel.timelineVersion + 1
    await deleteProgrammesFrom(trx, channelId, first.seq)
    await insertProgrammes(trx, channelId, version, fixed === undefined ? 'head' : 'follows', programmes)
    const last = programmes.at(-1)
    await updateChannel(trx, channelId, {
      nextSeq: (last?.seq ?? first.seq - 1) + 1,
      endsAtMs: last?.endsAtMs ?? null,
      timelineVersion: version,
      loopVersion: channel.loopVersion + 1,
    })
  })
  await timelines.refresh([channelId])
}

/** The items one after the other from `start` until `untilMs`, repeated. */
function repeatedly(
  items: readonly { itemId: string; videoId: string; videoVersion: number; durationMs: number }[],
  start: { seq: number; startsAtMs: number },
  untilMs: number,
): PlannedProgramme[] {
  const programmes: PlannedProgramme[] = []
  let { seq, startsAtMs } = start
  while (startsAtMs < untilMs && programmes.length < MAX_PLANNED) {
    const index = programmes.length % items.length
    const item = items[index]
    if (item === undefined) break
    const { itemId, videoId, videoVersion, durationMs } = item
    const endsAtMs = startsAtMs + Math.max(durationMs, MIN_PROGRAMME_MS)
    const fixed = { kind: 'video' as const, offsetMs: 0, reason: null }
    const times = { startsAtMs, endsAtMs, cycleSeq: seq - index }
    programmes.push({ ...fixed, ...times, seq, itemId, videoId, videoVersion })
    startsAtMs = endsAtMs
    seq += 1
  }
  return programmes
}
