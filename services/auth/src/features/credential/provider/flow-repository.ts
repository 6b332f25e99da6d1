import type { Db } from '@looptide/service-kit/db/db'
import type { Selectable } from 'kysely'
import type { Database, ProviderFlowsTable } from '../../../db/schema.ts'

export type FlowRow = Selectable<ProviderFlowsTable>

/** Started sign-ins at providers that are not finished. Each row is used once. */
export const flowRepository = {
  insert: async (db: Db<Database>, row: FlowRow): Promise<void> => {
    await db.insertInto('providerFlows').values(row).execute()
  },

  find: (db: Db<Database>, digest: Buffer, step: FlowRow['step']): Promise<FlowRow | undefined> =>
    db
      .selectFrom('providerFlows')
      .selectAll()
      .where('digest', '=', digest)
      .where('step', '=', step)
      .executeTakeFirst(),

  /** Deletes the row and returns it; undefined when it was used before. */
  take: (db: Db<Database>, digest: Buffer, step: FlowRow['step']): Promise<FlowRow | undefined> =>
    db
      .deleteFrom('providerFlows')
      .where('digest', '=', digest)
      .where('step', '=', step)
      .returningAll()
      .executeTakeFirst(),
}
