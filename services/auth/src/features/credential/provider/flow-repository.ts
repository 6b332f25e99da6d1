import type { Db } from '@looptide/service-kit/db/db'
import type { Selectable } from 'kysely'
import type { Database, ProviderFlowsTable } from '../../../db/schema.ts'

export type FlowRow = Selectable<ProviderFlowsTable>

/** Stores a sign-in that was begun, by the digest of what its browser or the provider will show. */
export const insert = async (db: Db<Database>, row: FlowRow): Promise<void> => {
  await db.insertInto('providerFlows').values(row).execute()
}

/** A sign-in that waits for this step, expired ones included. */
export const find = (db: Db<Database>, digest: Buffer, step: FlowRow['step']): Promise<FlowRow | undefined> =>
  db
    .selectFrom('providerFlows')
    .selectAll()
    .where('digest', '=', digest)
    .where('step', '=', step)
    .executeTakeFirst()

/** Deletes the row and returns it; undefined when it was used before. */
export const take = (db: Db<Database>, digest: Buffer, step: FlowRow['step']): Promise<FlowRow | undefined> =>
  db
    .deleteFrom('providerFlows')
    .where('digest', '=', digest)
    .where('step', '=', step)
    .returningAll()
    .executeTakeFirst()
