import { executeFile } from '@looptide/service-kit/db/bridge'
import type { QueryExecutorProvider } from 'kysely'

/** What decisions are taken with, charged to and explained by. */
export const up = (db: QueryExecutorProvider): Promise<void> =>
  executeFile(db, new URL('20261128100000-decisions.sql', import.meta.url))
