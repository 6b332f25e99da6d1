import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AuditActions } from '@looptide/contracts/http/admin'
import type { AuditService } from '../audit-service.ts'

/** GET /api/audit/actions: the distinct actions of the log, for its filter (`audit:read`). */
export const listActions: FastifyPluginAsyncTypebox<{ audit: AuditService }> = async (app, { audit }) => {
  app.get(
    '/api/audit/actions',
    {
      schema: { response: { 200: AuditActions } },
      config: { operation: 'admin.audit.actions' },
    },
    async () => audit.actions(),
  )
}
