import type { RequestCheck } from '@looptide/contracts/http/requests'
import { LocalDays } from '@looptide/planner/local-days'
import { AirHistory, effectiveRules, RuleCheck } from '@looptide/planner/rules'
import { programmeAt } from '@looptide/playhead/programme'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { findChannel } from '../guide/now-response.ts'
import { findRequestable } from '../library/video-repository.ts'
import type { ScheduleReader } from '../schedule/schedule-reader.ts'
import { readHistory } from '../schedule/schedule-repository.ts'
import { presentVideo } from '../timeline/present-programme.ts'
import type { TimelineCache } from '../timeline/timeline-cache.ts'

export interface RequestCheckDeps {
  db: Kysely<Database>
  timelines: TimelineCache
  schedules: ScheduleReader
  now: () => number
}

/**
 * Whether a channel would air a requested video now, by the rules of the channel: those of the block in which it will be
 * aired are not known. Throws `not_found` for an unknown channel.
 */
export async function checkRequest(
  { db, timelines, schedules, now }: RequestCheckDeps,
  channelId: string,
  videoId: string,
): Promise<RequestCheck> {
  const { row, programmes } = await findChannel(timelines, channelId)
  const onAir = { isActive: row.isActive, airingId: programmeAt(programmes, now())?.id ?? null }
  const document = await schedules.findDocument(db, row, row.scheduleVersion)
  if (!row.takesRequests) {
    return { ...onAir, isOpen: false, video: null, forbidden: null }
  }
  const found = await findRequestable(db, videoId)
  if (found === undefined) return { ...onAir, isOpen: true, video: null, forbidden: null }
  const { id, title, artistName, thumbnailUrl, durationMs } = presentVideo(found)
  const accepted = {
    ...onAir,
    isOpen: true,
    video: { id, title, artistName, thumbnailUrl, durationMs },
  }
  // The loop of a channel has no rules.
  if (document === undefined) return { ...accepted, forbidden: null }
  const nowMs = now()
  const { videos } = await schedules.library(db)
  const aired = await readHistory(db, channelId, nowMs)
  const history = new AirHistory(videos, new LocalDays(document.timeZone), aired)
  return {
    ...accepted,
    forbidden: forbiddenAt(new RuleCheck(effectiveRules(document, undefined), history, nowMs), videoId),
  }
}

function forbiddenAt(check: RuleCheck, videoId: string): RequestCheck['forbidden'] {
  const rule = check.forbiddenBy(videoId)
  if (rule === undefined) return null
  const untilMs = check.allowedFrom(videoId)
  return { rule, until: Number.isFinite(untilMs) ? new Date(untilMs).toISOString() : null }
}
