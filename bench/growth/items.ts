import type { Item } from './item.ts'
import { arrivals } from './items/arrivals.ts'
import { chat } from './items/chat.ts'
import { fanOut } from './items/fan-out.ts'
import { idle } from './items/idle.ts'
import { planner } from './items/planner.ts'
import { reads } from './items/reads.ts'
import { search } from './items/search.ts'
import { sync } from './items/sync.ts'
import { timeline } from './items/timeline.ts'

/** All items of docs/performance.md, in order. */
export const items: readonly Item[] = [fanOut, chat, arrivals, idle, reads, search, timeline, planner, sync]
