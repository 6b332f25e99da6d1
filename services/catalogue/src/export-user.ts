import { runExport } from '@looptide/service-kit/process/export-program'
import { env } from './config.ts'
import type { Database } from './db/schema.ts'
import { readPlaylists } from './features/export/export-playlists.ts'
import { readVideosOfUser } from './features/export/export-videos-of-user.ts'

await runExport<Database>('catalogue', env, { playlists: readPlaylists, videos: readVideosOfUser })
