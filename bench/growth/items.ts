import type { Item } from './item.ts'
import { search } from './items/search.ts'
import { sync } from './items/sync.ts'
import { timeline } from './items/timeline.ts'

/** Everything that is measured for docs/performance.md, in its order. */
export const items: readonly Item[] = [search, timeline, sync]
