import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AuditExportBody } from '@looptide/contracts/http/admin'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { requireFreshFactor } from '@looptide/service-kit/identity/request-user'
import type { AuditExport } from '../audit-export.ts'

const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' }

/**
 * POST /api/audit/export: streams the log as a file (`audit:read`). The header `x-truncated: true` means that the export reached
 * its maximum size.
 */
export const exportAudit: FastifyPluginAsyncTypebox<{ exports: AuditExport }> = async (app, { exports }) => {
  app.post(
    '/api/audit/export',
    {
      schema: { body: AuditExportBody },
      config: { operation: 'admin.audit.export' },
    },
    async (request, reply) => {
      requireFreshFactor(request)
      const { format } = request.body
      const { text, isTruncated } = await exports.start(request.body, causeOf(request))
      return reply
        .type(TYPES[format])
        .header('content-disposition', `attachment; filename="audit.${format}"`)
        .header('cache-control', 'no-store')
        .header('x-truncated', String(isTruncated))
        .send(Readable.from(text))
    },
  )
}
