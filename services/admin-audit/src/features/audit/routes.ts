import { Readable } from 'node:stream'
import {
  adminAuditActions,
  adminAuditExport,
  adminAuditLastEditor,
  adminAuditList,
} from '@looptide/contracts/operations/admin'
import { requireFreshFactor } from '@looptide/service-kit/identity/request-user'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { AuditExport } from './audit-export.ts'
import type { AuditService } from './audit-service.ts'

const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' }

/** Routes of the audit log. */
export const auditRoutes = ({ audit, exports }: { audit: AuditService; exports: AuditExport }): Route[] => [
  route(adminAuditLastEditor, ({ query }) => audit.lastEditor(query)),
  route(adminAuditList, ({ query }) => audit.list(query)),
  route(adminAuditActions, () => audit.actions()),
  route(adminAuditExport, async ({ request, body, cause, reply }) => {
    requireFreshFactor(request)
    const { text, isTruncated } = await exports.start(body, cause)
    return reply
      .type(TYPES[body.format])
      .header('content-disposition', `attachment; filename="audit.${body.format}"`)
      .header('cache-control', 'no-store')
      .header('x-truncated', String(isTruncated))
      .send(Readable.from(text))
  }),
]
