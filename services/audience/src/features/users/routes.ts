import {
  audienceOwnSettingsGet,
  audienceOwnSettingsUpdate,
} from '@looptide/contracts/operations/audience/requests'
import type { Db } from '@looptide/service-kit/db/db'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { Database } from '../../db/schema.ts'
import type { AccountLoader } from './account-loader.ts'
import { setShowsRequests, showsRequests } from './user-repository.ts'

/** The routes of what a user has chosen for their requests. */
export const userRoutes = ({ db, accounts }: { db: Db<Database>; accounts: AccountLoader }): Route[] => [
  route(audienceOwnSettingsGet, async ({ user }) => ({ showsName: await showsRequests(db, user.id) })),
  route(audienceOwnSettingsUpdate, async ({ user, body }) => {
    // The row of an account whose events have not arrived is fetched.
    await accounts.registeredAt(user.id)
    await setShowsRequests(db, user.id, body.showsName)
    return body
  }),
]
