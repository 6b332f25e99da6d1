import { databaseOwnerNames, databaseOwners } from '@looptide/backing/database/owners'
import type { AnyNote, AnyTables } from '@looptide/service-kit/db/tables'
import { tables as adminAudit } from '../../services/admin-audit/src/db/tables.ts'
import { tables as audience } from '../../services/audience/src/db/tables.ts'
import { tables as auth } from '../../services/auth/src/db/tables.ts'
import { tables as catalogue } from '../../services/catalogue/src/db/tables.ts'
import { tables as chat } from '../../services/chat/src/db/tables.ts'
import { tables as scheduler } from '../../services/stream-scheduler/src/db/tables.ts'

const TABLES_OF = { auth, catalogue, scheduler, chat, audience, admin_audit: adminAudit } satisfies Record<
  (typeof databaseOwnerNames)[number],
  AnyTables
>

export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** All tables of the services, by their names in the database. */
export const SERVICE_TABLES = databaseOwnerNames.flatMap((owner) =>
  Object.entries<AnyTables[string]>(TABLES_OF[owner]).map(([name, { bound, columns = {} }]) => ({
    table: `${databaseOwners[owner].schema}.${snakeCase(name)}`,
    bound,
    columns,
  })),
)

/** All columns that have a note. */
export const NOTED_COLUMNS: readonly { table: string; column: string; note: AnyNote }[] =
  SERVICE_TABLES.flatMap(({ table, columns }) =>
    Object.entries(columns).map(([column, note]) => ({ table, column: snakeCase(column), note })),
  )

/** The tables of a service, as its process knows them. */
export const tablesOf = (owner: (typeof databaseOwnerNames)[number]): AnyTables => TABLES_OF[owner]
