import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LastEditor, LastEditorQuery } from '@looptide/contracts/http/admin'
import type { AuditService } from '../audit-service.ts'

/** GET /api/audit/last-editor: who made the last change of something that several users edit (`dashboard:watch`). */
export const getLastEditor: FastifyPluginAsyncTypebox<{ audit: AuditService }> = async (app, { audit }) => {
  app.get(
    '/api/audit/last-editor',
    {
      schema: { querystring: LastEditorQuery, response: { 200: LastEditor } },
      config: { operation: 'admin.audit.last_editor' },
    },
    async (request) => audit.lastEditor(request.query),
  )
}
