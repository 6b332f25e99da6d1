import type { Playlist } from '@looptide/contracts/http/playlists'
import {
  CheckboxItem,
  Content,
  Item,
  ItemIndicator,
  Label,
  Root,
  Separator,
  Trigger,
} from '@radix-ui/react-dropdown-menu'
import { type ReactNode, useState } from 'react'
import { useBackLayer } from '../../ui/back-layers.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useEntries, useOwnPlaylists } from './api.ts'
import { keepInList, type ListedVideo, takeOut } from './keep-in-list.ts'
import { PlaylistForm } from './playlist-form.tsx'

const itemClass =
  'flex min-h-11 cursor-pointer items-center gap-2 rounded-sm px-3 text-sm outline-none data-[highlighted]:bg-line data-[disabled]:opacity-55'

/** A menu of the user's playlists with those checked that contain the video; a choice adds or removes it. */
export function ChoosePlaylistMenu(props: {
  video: ListedVideo
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  trigger: ReactNode
}) {
  const { video, isOpen, onOpen } = props
  const [isNaming, setNaming] = useState(false)
  useBackLayer(isOpen, () => onOpen(false))
  const { data: lists, error } = useOwnPlaylists()
  const entries = useEntries(video.id, true)
  return (
    <>
      <Root open={isOpen} onOpenChange={onOpen} modal={false}>
        <Trigger asChild>{props.trigger}</Trigger>
        <Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          className="z-50 max-h-[min(22rem,var(--radix-dropdown-menu-content-available-height))] w-64 animate-rise overflow-y-auto rounded-md border border-line bg-raised p-1.5 shadow-lift"
        >
          <Label className="px-3 py-2 text-sm font-semibold">Add to playlist</Label>
          {error && !lists && (
            <Label className="px-3 py-2 text-sm text-muted">Failed to load playlists</Label>
          )}
          {lists?.map((list) => (
            <ListChoice
              key={list.id}
              list={list}
              video={video}
              itemId={entries?.find(({ playlistId }) => playlistId === list.id)?.itemId}
              isKnown={entries !== undefined}
            />
          ))}
          <Separator className="my-1 h-px bg-line" />
          <Item className={itemClass} onSelect={() => setNaming(true)}>
            <Icon name="plus" className="size-4" />
            New playlist...
          </Item>
        </Content>
      </Root>
      {isNaming && (
        <Dialog title="New Playlist" isOpen onClose={() => setNaming(false)} width="narrow">
          <PlaylistForm
            onSaved={(playlist) => {
              setNaming(false)
              void keepInList(playlist.id, video)
            }}
            onCancel={() => setNaming(false)}
          />
        </Dialog>
      )}
    </>
  )
}

function ListChoice(props: {
  list: Playlist
  video: ListedVideo
  /** The video's entry in this list; undefined if it is not in it. */
  itemId: string | undefined
  isKnown: boolean
}) {
  const { list, video, itemId, isKnown } = props
  const toggle = () => (itemId === undefined ? keepInList(list.id, video) : takeOut(list, itemId, video))
  return (
    <CheckboxItem
      className={itemClass}
      checked={itemId !== undefined}
      disabled={!isKnown}
      onSelect={(event) => {
        event.preventDefault()
        void toggle()
      }}
    >
      <span className="grid size-4 shrink-0 place-items-center">
        <ItemIndicator>
          <Icon name="check" className="size-4" />
        </ItemIndicator>
      </span>
      <span className="min-w-0 flex-1 truncate">{list.name}</span>
      <span className="text-xs text-muted tabular-nums">{list.itemCount}</span>
    </CheckboxItem>
  )
}
