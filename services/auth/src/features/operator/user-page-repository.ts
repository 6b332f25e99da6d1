import type { Db } from '@looptide/service-kit/db/db'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { escapeLike } from '../account/profile-search-repository.ts'
import type { UserRow } from '../user/user-repository.ts'

export interface UserPageQuery {
  /** From 1. */
  page: number
  perPage: number
  /** The start of the email. */
  filter: string | null
}

/** A page of accounts, newest first, as the auth protocol counts pages. */
export function listUserPage(db: Db<Database>, { page, perPage, filter }: UserPageQuery): Promise<UserRow[]> {
  let query = db
    .selectFrom('users')
    .selectAll()
    // Ids begin with their time.
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
  if (filter !== null) query = query.where(startsWith(filter))
  return query.execute()
}

/** The number of accounts on all pages. */
export async function countUsers(db: Db<Database>, filter: string | null): Promise<number> {
  let query = db.selectFrom('users').select(sql<number>`count(*)::int`.as('total'))
  if (filter !== null) query = query.where(startsWith(filter))
  return (await query.executeTakeFirstOrThrow()).total
}

const startsWith = (filter: string): Expression<SqlBool> =>
  sql<SqlBool>`users.email like ${`${escapeLike(filter.toLowerCase())}%`}`
