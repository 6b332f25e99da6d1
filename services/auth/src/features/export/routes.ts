import { authAccountExport } from '@looptide/contracts/operations/auth/accounts'
import { errors } from '@looptide/service-kit/http/errors'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { collectAccount } from './collect-account.ts'

/** Routes of the export of what a user has stored. */
export const exportRoutes = ({ db }: { db: Kysely<Database> }): Route[] => [
  route(authAccountExport, async ({ user }) => {
    const account = await collectAccount(db, user.id)
    if (account === undefined) throw errors.notFound('This account')
    return account
  }),
]
