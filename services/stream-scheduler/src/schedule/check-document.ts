import type { ScheduleDocument, ScheduleProblem } from '@looptide/contracts/schedule'
import { checkSchedule } from '@looptide/planner/check-schedule'
import { clashProblems } from '@looptide/planner/clash-problems'
import { documentProblems, MAX_PROBLEMS, normaliseDocument } from '@looptide/planner/document-problems'
import type { ChannelRow, Store } from '../db/schema.ts'
import type { ScheduleMaterial } from './schedule-material.ts'
import type { ScheduleReader } from './schedule-reader.ts'

/**
 * The problems for which a document cannot be published, and its material if it can be planned: a draft with blocks that
 * overlap can be.
 */
export async function checkDocument(
  db: Store,
  schedules: ScheduleReader,
  channel: ChannelRow,
  given: unknown,
  nowMs: number,
): Promise<{ problems: ScheduleProblem[]; material?: ScheduleMaterial }> {
  const document = normaliseDocument(given)
  const malformed = documentProblems(document ?? {}, 'complete')
  if (malformed.length > 0) return { problems: malformed }
  const material = await schedules.material(db, channel, document as ScheduleDocument, 0)
  const { library, playlists } = material
  const unfit = checkSchedule(material.document, { library: library.videos, playlists, nowMs })
  const problems = [...unfit, ...clashProblems(material.document)].slice(0, MAX_PROBLEMS)
  return unfit.length > 0 ? { problems } : { problems, material }
}
