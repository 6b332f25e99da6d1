import type { Channel, ChannelPlaylistItem } from '@looptide/contracts/http/channels'
import type { SimulateBody } from '@looptide/contracts/http/simulation'

/** A change that was made but not saved yet. */
export type Draft =
  | { kind: 'order'; items: readonly ChannelPlaylistItem[] }
  | { kind: 'remove'; item: ChannelPlaylistItem }
  | { kind: 'shuffle'; isOn: boolean }

/** What the server is asked to simulate. */
export function wishOf(draft: Draft | null): SimulateBody {
  if (draft === null) return {}
  if (draft.kind === 'order') return { order: draft.items.map((item) => item.id) }
  return draft.kind === 'remove' ? { remove: [draft.item.id] } : { shuffleEnabled: draft.isOn }
}

/** The list as it would be. */
export function itemsAfter(
  items: readonly ChannelPlaylistItem[],
  draft: Draft | null,
): readonly ChannelPlaylistItem[] {
  if (draft?.kind === 'order') return draft.items
  return draft?.kind === 'remove' ? items.filter(({ id }) => id !== draft.item.id) : items
}

/** The list with one entry at another place; the same list when nothing moves. */
export function withMoved<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const item = items[from]
  if (item === undefined || from === to || to < 0 || to >= items.length) return items
  return items.toSpliced(from, 1).toSpliced(to, 0, item)
}

export const titleOf = ({ video }: ChannelPlaylistItem): string => video?.title ?? 'Unknown Title'

/** A draft in words. */
export function draftText(draft: Draft, channel: Channel): string {
  if (draft.kind === 'order') return 'The new order is not saved yet.'
  if (draft.kind === 'remove') return `“${titleOf(draft.item)}” is not removed yet.`
  return `Shuffle is not ${draft.isOn ? 'enabled' : 'disabled'} for ${channel.name} yet.`
}
