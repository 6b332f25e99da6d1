import * as airings from './stream/airings.ts'
import * as channels from './stream/channels.ts'
import * as guide from './stream/guide.ts'
import * as log from './stream/log.ts'
import * as playlists from './stream/playlists.ts'
import * as schedules from './stream/schedules.ts'

/** The operations of the stream scheduler, except those about dead letters. */
export const streamOperations = {
  ...airings,
  ...channels,
  ...guide,
  ...log,
  ...playlists,
  ...schedules,
}
