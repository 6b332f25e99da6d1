import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AccountExport } from '@looptide/contracts/http/exports'
import { errors } from '@looptide/service-kit/http/errors'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { collectAccount } from './collect-account.ts'

/** `GET /api/export/account` */
export const exportAccount: FastifyPluginAsyncTypebox<{ db: Kysely<Database> }> = async (app, { db }) => {
  app.get(
    '/api/export/account',
    { schema: { response: { 200: AccountExport } }, config: { operation: 'auth.account.export' } },
    async (request) => {
      const account = await collectAccount(db, signedIn(request).id)
      if (account === undefined) throw errors.notFound('This account')
      return account
    },
  )
}
