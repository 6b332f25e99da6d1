import type { Role } from '@looptide/contracts/common'
import type { Db } from '@looptide/service-kit/db/db'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { ProfileRow } from '../profile/profile-repository.ts'

/** A page of a list sorted by handle. */
export interface ProfileQuery {
  q: string | undefined
  /** `handleKey` of the last row of the previous page. */
  after: string | undefined
  limit: number
}

export type UserProfileRow = ProfileRow & { email: string | null; role: Role | null; userCreatedAt: Date }

/** Escapes a text for `like`. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`)

/** Minimum length that a trigram index supports, in characters. */
const MIN_TRIGRAM = 3

/** Matches anywhere in handle or artist name; terms shorter than three characters match the start of the handle. */
function matches(q: string): Expression<SqlBool> {
  const text = escapeLike(q.toLowerCase())
  return [...q].length < MIN_TRIGRAM
    ? sql<SqlBool>`profiles.handle_key like ${`${text}%`}`
    : sql<SqlBool>`profiles.search_key like ${`%${text}%`}`
}

/** Only admins see anonymous users (docs/decisions/0062-anonymous-users-have-no-email.md). */
const hasAccount = sql<SqlBool>`exists
  (select from users where users.id = profiles.user_id and users.email is not null)`

/** Lists the profiles of users with an account by handle. Returns `limit + 1` rows when there are more than `limit`. */
export function listProfiles(db: Db<Database>, { q, after, limit }: ProfileQuery): Promise<ProfileRow[]> {
  let query = db
    .selectFrom('profiles')
    .selectAll()
    .where(hasAccount)
    .orderBy('handleKey')
    .limit(limit + 1)
  if (after !== undefined) query = query.where('handleKey', '>', after)
  if (q !== undefined) query = query.where(matches(q))
  return query.execute()
}

/** Lists profiles with the fields that only admins see. A query with an `@` matches the start of the email. */
export function listAdminUsers(
  db: Db<Database>,
  { q, after, limit }: ProfileQuery,
): Promise<UserProfileRow[]> {
  let query = userProfiles(db)
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

/** A user with the fields that only admins see, anonymous users included; undefined without an account. */
export function findAdminUser(db: Db<Database>, userId: string): Promise<UserProfileRow | undefined> {
  return userProfiles(db).where('profiles.userId', '=', userId).executeTakeFirst()
}

const userProfiles = (db: Db<Database>) =>
  db
    .selectFrom('profiles')
    .innerJoin('users', 'users.id', 'profiles.userId')
    .leftJoin('userRoles', 'userRoles.userId', 'profiles.userId')
    .selectAll('profiles')
    .select(['users.email', 'userRoles.role', 'users.createdAt as userCreatedAt'])
