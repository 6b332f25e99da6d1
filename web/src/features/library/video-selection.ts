import { MAX_SELECTED_IDS, type VideoSelection } from '@looptide/contracts/http/video-jobs'
import type { Selection } from '../admin/selection.ts'

/** The videos that Select All has selected: the filter, and the ids that it matched. */
export interface AllSelected {
  filter: NonNullable<VideoSelection['filter']>
  ids: Selection
}

/**
 * The selected videos for a request. Their ids, as far as they fit into it; more were selected by Select All, and are
 * named by its filter, with those that were removed from the selection or added to it since.
 */
export function videoSelection(selected: Selection, all: AllSelected | null): VideoSelection {
  if (all === null || selected.size <= MAX_SELECTED_IDS) return { ids: [...selected] }
  return {
    filter: all.filter,
    except: [...all.ids].filter((id) => !selected.has(id)),
    ids: [...selected].filter((id) => !all.ids.has(id)),
  }
}
