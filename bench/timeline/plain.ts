import { planLoop } from '../../services/stream-scheduler/src/timeline/plan-loop.ts'
import { EXTEND_TO_MS, MAX_PLANNED } from '../../services/stream-scheduler/src/timeline/rules.ts'
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
    const loop = { items: rows, shuffle: channel.shuffleEnabled, seed: channel.seed }
    const { programmes } = planLoop(
      loop,
      { ...first, previousArtist: null, cycle: null },
      clock.nowMs + EXTEND_TO_MS,
      MAX_PLANNED,
    )
    const version = channel.timelineVersion + 1
    await deleteProgrammesFrom(trx, channelId, first.seq)
    await insertProgrammes(
      trx,
      channelId,
      version,
      fixed === undefined ? 'head' : 'follows',
      programmes.map((programme) => ({ ...programme, kind: 'video' as const, offsetMs: 0, reason: null })),
    )
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
