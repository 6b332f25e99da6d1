import { PLACEHOLDER_TITLE } from '@looptide/contracts/http/videos'
import { type SqlBool, sql } from 'kysely'

/**
 * Whether a channel may play a row of `videos`, whose columns are unambiguous in the query. `playable` says that the video
 * exists and that players support it; without a title viewers would see the placeholder in the guide.
 */
export const isPlayable = sql<SqlBool>`(playable and title <> ${sql.lit(PLACEHOLDER_TITLE)})`
