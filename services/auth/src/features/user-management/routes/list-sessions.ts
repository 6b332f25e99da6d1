import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { SessionList } from '@looptide/contracts/http/users'
import { shownNetworkOf } from '@looptide/service-kit/http/client-network'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { sessionRepository } from '../../sessions/session-repository.ts'
import { deviceName } from '../../sign-ins/device-name.ts'

/** `GET /api/me/sessions` */
export const listSessions: FastifyPluginAsyncTypebox<{ db: Kysely<Database> }> = async (app, { db }) => {
  app.get(
    '/api/me/sessions',
    {
      schema: { response: { 200: SessionList } },
      config: { operation: 'auth.session.list' },
    },
    async (request) => {
      const user = signedIn(request)
      const rows = await sessionRepository.listOf(db, user.id)
      return {
        items: rows.map(({ id, userAgent, ip, createdAt, refreshedAt }) => ({
          id,
          current: id === user.sessionId,
          device: deviceName(userAgent),
          network: ip === null ? null : shownNetworkOf(ip),
          createdAt: createdAt.toISOString(),
          refreshedAt: refreshedAt.toISOString(),
        })),
      }
    },
  )
}
