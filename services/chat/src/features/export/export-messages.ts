import { chatDecisionExport, chatMessageExport, chatReportExport } from '@looptide/contracts/operations/chat'
import type { Db } from '@looptide/service-kit/db/db'
import { FIRST_ID } from '@looptide/service-kit/db/ids'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { type ExportPart, exportPart } from '@looptide/service-kit/routes/export-part'
import type { Database } from '../../db/schema.ts'
import { readDecisions, readReports } from '../cases/report-service.ts'
import { EXPORT_PAGE_SIZE, type ExportedRow, messagesOf } from './export-repository.ts'

const present = ({ createdAt, removedAt, ...row }: ExportedRow) => ({
  ...row,
  createdAt: createdAt.toISOString(),
  removedAt: removedAt?.toISOString() ?? null,
})

/** One page of a user's messages, oldest first, also removed ones. Errors: `invalid_cursor`. */
async function readMessages(db: Db<Database>, userId: string, cursor?: string) {
  const [afterId] = cursor === undefined ? [FIRST_ID] : decodeCursor(cursor, ['string'])
  return toPage(await messagesOf(db, userId, afterId), EXPORT_PAGE_SIZE, present, ({ id }) => [id])
}

/** What a user has stored, for their export and for `looptide users export`. */
export const exportParts: readonly ExportPart<Database>[] = [
  exportPart(chatMessageExport, readMessages),
  exportPart(chatReportExport, readReports),
  exportPart(chatDecisionExport, readDecisions),
]
