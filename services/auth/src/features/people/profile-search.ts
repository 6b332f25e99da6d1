import type { Role } from '@looptide/contracts/common'
import type { Db } from '@looptide/service-kit/db'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { AuthDatabase } from '../../db/schema.ts'
import type { ProfileRow } from './profile-repository.ts'

/** `after`: the key of the last handle of the page before. */
export interface ProfileQuery {
  q: string | undefined
  after: string | undefined
  limit: number
}

export type PersonRow = ProfileRow & { email: string; role: Role | null; userCreatedAt: Date }

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)

/** Shorter than the three letters an index of trigrams needs. */
const MIN_TRIGRAM = 3

/** From three letters on anywhere in handle or artist name; shorter ones at the start of the handle. */
function matches(q: string): Expression<SqlBool> {
  const text = escapeLike(q.toLowerCase())
  return [...q].length < MIN_TRIGRAM
    ? sql<SqlBool>`profiles.handle_key like ${`${text}%`}`
    : sql<SqlBool>`profiles.search_key like ${`%${text}%`}`
}

/** Profiles by handle, one more than `limit` when there are more. */
export function listProfiles(db: Db<AuthDatabase>, { q, after, limit }: ProfileQuery): Promise<ProfileRow[]> {
  let query = db
    .selectFrom('profiles')
    .selectAll()
    .orderBy('handleKey')
    .limit(limit + 1)
  if (after !== undefined) query = query.where('handleKey', '>', after)
  if (q !== undefined) query = query.where(matches(q))
  return query.execute()
}

/** Profiles with what only admins see. A query with an `@` looks at the start of addresses. */
export function listPeople(db: Db<AuthDatabase>, { q, after, limit }: ProfileQuery): Promise<PersonRow[]> {
  let query = people(db)
    .orderBy('handleKey')
    .limit(limit + 1)
  if (after !== undefined) query = query.where('handleKey', '>', after)
  if (q?.includes('@') === true) {
    query = query.where(sql<SqlBool>`users.email like ${`${escapeLike(q.toLowerCase())}%`}`)
  } else if (q !== undefined) {
    query = query.where(matches(q))
  }
  return query.execute()
}

export function personById(db: Db<AuthDatabase>, userId: string): Promise<PersonRow | undefined> {
  return people(db).where('profiles.userId', '=', userId).executeTakeFirst()
}

const people = (db: Db<AuthDatabase>) =>
  db
    .selectFrom('profiles')
    .innerJoin('users', 'users.id', 'profiles.userId')
    .leftJoin('userRoles', 'userRoles.userId', 'profiles.userId')
    .selectAll('profiles')
    .select(['users.email', 'userRoles.role', 'users.createdAt as userCreatedAt'])
