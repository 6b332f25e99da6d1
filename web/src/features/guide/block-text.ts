import type { GuideBlock } from '@looptide/contracts/http/guide'
import { countText } from '../../lib/count-text.ts'

/** Artists that a cell names. */
const NAMED = 2

/**
 * The two lines of a block, the one that matters first: the name of a block of the schedule and its artists; else the first
 * two artists and how much else there is; of a single programme, title and artist. Without tracks the second is empty.
 */
export function blockText(block: GuideBlock): { title: string; detail: string } {
  const artists = block.artists.slice(0, NAMED).join(', ')
  const more = block.artistCount - Math.min(block.artists.length, NAMED)
  const rest = [more > 0 && `${more} more`, tracksText(block.trackCount)].filter(Boolean).join(' · ')
  if (block.block !== null) {
    return {
      title: block.block.name,
      detail: [artists, more > 0 && `${more} more`].filter(Boolean).join(', '),
    }
  }
  if (block.title !== null) return { title: block.title, detail: artists }
  return { title: artists || 'Station idents', detail: rest }
}

function tracksText(count: number): string {
  return count === 0 ? '' : countText(count, 'track')
}
