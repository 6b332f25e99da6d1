import { NOTED_COLUMNS } from './service-tables.ts'

/**
 * A column that names a user, as `schema.table.column`: the operation that exports its rows to the user, or why none
 * does, as the service's `src/db/tables.ts` says.
 */
export const PERSONAL_DATA: Readonly<Record<string, { call: string } | { leftOut: string }>> =
  Object.fromEntries(
    NOTED_COLUMNS.flatMap(({ table, column, note }) => {
      if (!('exported' in note)) return []
      const { exported } = note
      return [
        [`${table}.${column}`, typeof exported === 'string' ? { call: exported } : { leftOut: exported.not }],
      ]
    }),
  )
