import type {
  PublishedSchedule,
  ScheduleVersionDocument,
  ScheduleVersionPage,
} from '@looptide/contracts/http/schedules'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { errors } from '@looptide/service-kit/http/errors'
import type { ChannelRow, Store } from '../db/schema.ts'
import { readChannels } from '../timeline/timeline-cache-repository.ts'
import type { ScheduleReader } from './schedule-reader.ts'
import { listVersions, readVersion, type VersionRow } from './schedule-repository.ts'

/** Throws `not_found`. */
export async function findChannelRow(db: Store, id: string): Promise<ChannelRow> {
  const [channel] = await readChannels(db, [id])
  if (channel === undefined) throw errors.notFound('This channel')
  return channel
}

/** The schedule that a channel follows, with its problems at `nowMs`. Throws `not_found` for an unknown channel. */
export async function publishedSchedule(
  db: Store,
  schedules: ScheduleReader,
  channelId: string,
  { nowMs, needsApproval }: { nowMs: number; needsApproval: boolean },
): Promise<PublishedSchedule> {
  const channel = await findChannelRow(db, channelId)
  const row = await readVersion(db, channelId, channel.scheduleVersion)
  if (row === undefined) {
    return { version: 0, document: null, publishedAt: null, publishedBy: null, problems: [], needsApproval }
  }
  const programming = await schedules.programming(db, channel, 'edit')
  return {
    version: row.version,
    document: row.document,
    publishedAt: row.publishedAt.toISOString(),
    publishedBy: row.publishedBy,
    problems: programming.problemsAt(nowMs),
    needsApproval,
  }
}

/** A page of published versions, newest first. Throws `not_found` for an unknown channel. */
export async function versionPage(
  db: Store,
  channelId: string,
  { limit = 100, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): Promise<ScheduleVersionPage> {
  const { scheduleVersion } = await findChannelRow(db, channelId)
  const [before] = cursor === undefined ? [2 ** 31 - 1] : decodeCursor(cursor, ['number'])
  const rows = await listVersions(db, channelId, before, limit)
  return toPage(
    rows,
    limit,
    (row) => presentVersion(row, scheduleVersion),
    (row) => [row.version],
  )
}

/** A version with its document. Throws `not_found`. */
export async function versionDocument(
  db: Store,
  channelId: string,
  version: number,
): Promise<ScheduleVersionDocument> {
  const { scheduleVersion } = await findChannelRow(db, channelId)
  const row = await readVersion(db, channelId, version)
  if (row === undefined) throw errors.notFound('This version')
  return { ...presentVersion(row, scheduleVersion), document: row.document }
}

function presentVersion(row: Omit<VersionRow, 'document'>, currentVersion: number) {
  const { version, publishedAt, publishedBy, restoredFrom, note } = row
  return {
    version,
    publishedAt: publishedAt.toISOString(),
    publishedBy,
    restoredFrom,
    note,
    isCurrent: version === currentVersion,
  }
}
