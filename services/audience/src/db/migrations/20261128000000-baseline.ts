import { executeFile } from '@looptide/service-kit/db/bridge'
import type { QueryExecutorProvider } from 'kysely'

/** Creates the tables of the audience. */
export const up = (db: QueryExecutorProvider): Promise<void> =>
  executeFile(db, new URL('20261128000000-baseline.sql', import.meta.url))
