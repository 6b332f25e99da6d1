import type { StreamStatus } from '@looptide/contracts/http/channels'

/** docs/product/admin.md §2, "24/7 Stream Manager". */
export const STATUS_WORDS: Record<StreamStatus, string> = {
  idle: 'Offline',
  syncing: 'Syncing...',
  live: 'Live 24/7',
}
