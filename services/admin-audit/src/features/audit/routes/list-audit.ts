import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AuditPage, AuditQuery } from '@looptide/contracts/http/admin'
import type { AuditService } from '../audit-service.ts'

/** GET /api/audit: a page of the audit log, newest first (`audit:read`). */
export const listAudit: FastifyPluginAsyncTypebox<{ audit: AuditService }> = async (app, { audit }) => {
  app.get(
    '/api/audit',
    {
      schema: { querystring: AuditQuery, response: { 200: AuditPage } },
      config: { operation: 'admin.audit.list' },
    },
    async (request) => audit.list(request.query),
  )
}
