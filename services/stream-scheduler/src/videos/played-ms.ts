import { sql } from 'kysely'

/** The length that is played of the video `v`, in ms: `playedMs` of packages/playhead in SQL. */
export const playedMs = sql<number>`played_ms(v.duration_ms, v.start_at_ms, v.end_at_ms)`
