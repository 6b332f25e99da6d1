import * as library from './catalogue/library.ts'
import * as playlists from './catalogue/playlists.ts'
import * as jobs from './catalogue/video-jobs.ts'
import * as videos from './catalogue/videos.ts'

/** The operations of the catalogue, except those about dead letters. */
export const catalogueOperations = { ...library, ...playlists, ...jobs, ...videos }
