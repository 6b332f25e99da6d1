import { chatMessageExport } from '@looptide/contracts/operations/chat'
import { requireFreshFactor } from '@looptide/service-kit/identity/request-user'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { readMessages } from './export-messages.ts'

/** The route of the export of a user's messages. */
export const exportRoutes = ({ db }: { db: Kysely<Database> }): Route[] => [
  route(chatMessageExport, ({ request, user, query }) => {
    requireFreshFactor(request)
    return readMessages(db, user.id, query.cursor)
  }),
]
