import type { Db } from '@looptide/service-kit/db/db'
import type { Database } from '../../db/schema.ts'

/** A user's session with the user's role and what the session has proved; undefined if it has ended. One statement. */
export function findSessionProofs(db: Db<Database>, sessionId: string, userId: string) {
  return db
    .selectFrom('sessions')
    .leftJoin('userRoles', 'userRoles.userId', 'sessions.userId')
    .leftJoin('outdatedSessions', 'outdatedSessions.id', 'sessions.id')
    .select([
      'userRoles.role',
      'sessions.arrivedCounter',
      'sessions.createdAt',
      'sessions.factorVerifiedAt',
      'outdatedSessions.minGeneration',
    ])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('factors')
            .select('factors.id')
            .whereRef('factors.userId', '=', 'sessions.userId')
            .where('factors.status', '=', 'verified'),
        )
        .as('hasFactor'),
    )
    .where('sessions.id', '=', sessionId)
    .where('sessions.userId', '=', userId)
    .executeTakeFirst()
}

/** The role of the owner of a personal access token; undefined if the token, or this generation of it, was revoked. */
export function findTokenRole(
  db: Db<Database>,
  { tokenId, userId, generation }: { tokenId: string; userId: string; generation: number },
) {
  return db
    .selectFrom('personalTokens')
    .leftJoin('userRoles', 'userRoles.userId', 'personalTokens.userId')
    .select('userRoles.role')
    .where('personalTokens.id', '=', tokenId)
    .where('personalTokens.userId', '=', userId)
    .where('personalTokens.generation', '<=', generation)
    .executeTakeFirst()
}
