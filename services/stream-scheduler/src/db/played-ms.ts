import { type RawBuilder, sql } from 'kysely'

/** The length that is played of the video `v`, in ms: `playedMs` of packages/playhead in SQL. */
export const playedMs = sql<number>`played_ms(v.duration_ms, v.start_at_ms, v.end_at_ms)`

/** The position at which the video `table` starts, in ms of its media: `fromMs` of packages/playhead in SQL. */
export const playedFromMs = (table: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`played_from_ms(${table}.duration_ms, ${table}.start_at_ms, ${table}.end_at_ms)`
