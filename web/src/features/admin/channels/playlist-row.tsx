import type { DraggableProvidedDragHandleProps } from '@hello-pangea/dnd'
import type { ChannelPlaylistItem } from '@looptide/contracts/http/channels'
import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import { titleOf } from './draft.ts'

export type RowActions = {
  canRemove: boolean
  /** None: it cannot go there. */
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
  onRemove: (item: ChannelPlaylistItem) => void
}

/** A video of the playlist with its place, counted from 1, its handle and its buttons. */
export function PlaylistRow(props: {
  item: ChannelPlaylistItem
  index: number
  actions: RowActions
  handle: DraggableProvidedDragHandleProps | null
  isLifted?: boolean
}) {
  const { item, index, actions, handle, isLifted } = props
  const title = titleOf(item)
  return (
    <div
      className={classNames(
        'flex h-16 items-center gap-2 rounded-md pr-1 sm:gap-3',
        isLifted ? 'bg-raised shadow-lift' : 'hover:bg-raised',
      )}
    >
      <span
        {...handle}
        className={classNames(
          'lift grid h-full w-9 shrink-0 place-items-center rounded-md text-muted',
          handle ? 'cursor-grab' : 'opacity-40',
        )}
      >
        <Icon name="grip" />
        <span className="sr-only">Drag to reorder: {title}</span>
      </span>
      <span className="w-8 shrink-0 text-right text-sm text-muted tabular-nums">{index + 1}</span>
      <Thumbnail
        url={item.video?.thumbnailUrl ?? null}
        className="hidden w-20 shrink-0 rounded-sm sm:block"
      />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{title}</span>
        <span className="block truncate text-sm text-muted">
          {item.video ? `${item.video.artistName} • ${item.video.duration}` : 'Not in the library any more'}
        </span>
      </span>
      <span className="flex shrink-0">
        <IconButton
          icon="up"
          label={`Move up: ${title}`}
          disabled={!actions.onUp}
          onClick={() => actions.onUp?.()}
          className="hidden @lg:inline-flex"
        />
        <IconButton
          icon="down"
          label={`Move down: ${title}`}
          disabled={!actions.onDown}
          onClick={() => actions.onDown?.()}
          className="hidden @lg:inline-flex"
        />
        <IconButton
          icon="remove"
          label={`Remove: ${title}`}
          disabled={!actions.canRemove}
          onClick={() => actions.onRemove(item)}
        />
      </span>
    </div>
  )
}
