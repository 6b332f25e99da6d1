import { Uuid } from '@looptide/contracts/common'
import type { AccountExport } from '@looptide/contracts/http/exports'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Kysely } from 'kysely'
import { Check } from 'typebox/value'
import type { Database } from '../../db/schema.ts'
import { userRepository } from '../user/user-repository.ts'
import { collectAccount } from './collect-account.ts'

/**
 * The account of a person, by id or email, for an operator's response to a request for personal data. An audit entry is
 * written before the data is returned. Undefined without the account.
 */
export async function exportForOperator(
  db: Kysely<Database>,
  person: string,
): Promise<AccountExport | undefined> {
  const isId: boolean = Check(Uuid, person)
  const user = await (isId
    ? userRepository.byId(db, person)
    : userRepository.byEmail(db, person.toLowerCase()))
  if (user === undefined) return undefined
  const facts = {
    action: 'user.data.export',
    targetType: 'user',
    targetId: user.id,
    targetUserId: user.id,
  } as const
  await db
    .transaction()
    .execute((trx) => appendAudit(trx, 'auth.audit.recorded.v1', facts, { by: 'command line' }))
  return collectAccount(db, user.id)
}
