import type { LogEdit, LogProgramme } from '@looptide/contracts/http/log'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { segmentsOf } from '@looptide/planner/grid'
import { buildsOn, isChangeable } from '@looptide/planner/log-commands'
import type { LogEditRow, ProgrammeRow, Store } from '../db/schema.ts'
import { videoTexts } from '../library/video-repository.ts'
import { presentPreview, previewTexts } from '../schedule/present-preview.ts'
import { findBlock } from '../schedule/schedule-material.ts'
import { programmeId } from '../timeline/programme-id.ts'

interface LogContext {
  /** The last programme that cannot change. */
  fixed: ProgrammeRow
  edits: readonly LogEditRow[]
  document: ScheduleDocument
}

/** The programmes of a log as clients see them. */
export async function presentLog(
  db: Store,
  rows: readonly ProgrammeRow[],
  { fixed, edits, document }: LogContext,
): Promise<LogProgramme[]> {
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return []
  const hardStarts = new Set(
    hardStartsIn(document, first.startsAtMs, last.endsAtMs).map(({ startsAtMs }) => startsAtMs),
  )
  const editOf = new Map(
    edits.flatMap(({ id, operations }) => operations.map((operation) => [operation.id, id] as const)),
  )
  const texts = await previewTexts(db, rows)
  return rows.map((row) => {
    const { operationId = null, breaks = [] } = row.reason?.edit ?? {}
    return {
      programmeId: programmeId(row),
      ...presentPreview(row, texts),
      blockName:
        (row.reason && (row.reason.takeover?.title ?? findBlock(document, row.reason)?.name)) ?? null,
      isHardStart: hardStarts.has(row.startsAtMs),
      isFixed: row.seq <= fixed.seq,
      isChangeable: row.seq > fixed.seq && isChangeable(row),
      editId: (operationId !== null && editOf.get(operationId)) || null,
      breaks,
    }
  })
}

/** Edits as clients see them, newest first. */
export async function presentEdits(db: Store, edits: readonly LogEditRow[]): Promise<LogEdit[]> {
  const texts = await videoTexts(
    db,
    edits.map(({ videoId }) => videoId),
  )
  return edits
    .map((edit, index) => {
      const { id, action, videoId, startsAtMs, createdAt, createdBy, operations } = edit
      const { title = 'A deleted video', artistName = '' } = texts.get(videoId) ?? {}
      return {
        ...{ id, action, title, artistName, createdBy },
        startsAt: new Date(startsAtMs).toISOString(),
        createdAt: createdAt.toISOString(),
        isUndoable: !edits.slice(index + 1).some((later) => buildsOn(later.operations, operations)),
      }
    })
    .reverse()
}

/** The blocks and specials that start to the millisecond in [fromMs, toMs). */
export function hardStartsIn(
  document: ScheduleDocument,
  fromMs: number,
  toMs: number,
): { name: string; startsAtMs: number }[] {
  return segmentsOf(document, fromMs, toMs).flatMap(({ isHardStart, startMs, item }) =>
    isHardStart && startMs >= fromMs && startMs < toMs
      ? [{ name: item?.name ?? '', startsAtMs: startMs }]
      : [],
  )
}
