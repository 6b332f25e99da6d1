import type { CurationItem, Video } from '@looptide/contracts/http/videos'
import { type HTMLAttributes, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Switch } from '../../../ui/switch.tsx'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import type { CurationDesk } from './use-curation-desk.ts'

type RowProps = {
  item: CurationItem
  /** In its section, from 1. */
  place: number
  count: number
  /** It is active, and another one is shown in its place. */
  isLeftOut: boolean
  desk: CurationDesk
  /** What makes the row follow a pointer. */
  handle: HTMLAttributes<HTMLElement>
}

/** A video of a section: whether it is shown, its place, and the ways to move and to remove it. */
export function CurationRow({ item, place, count, isLeftOut, desk, handle }: RowProps) {
  const title = item.video?.title ?? 'A video that is gone'
  const fault = faultOf(item.video)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 pr-3 pl-1">
      <div className="flex min-w-[min(100%,15rem)] flex-1 items-center gap-2">
        {/* For pointers alone: keys have the buttons and the number. */}
        <span
          {...handle}
          aria-hidden="true"
          title="Drag to move"
          className="grid h-11 w-8 shrink-0 cursor-grab touch-none place-items-center text-muted select-none hover:text-text active:cursor-grabbing"
        >
          ⠿
        </span>
        <Thumbnail
          url={item.video?.thumbnailUrl ?? null}
          className={classNames('w-20 shrink-0 rounded-sm', !item.isActive && 'opacity-50')}
        />
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium">{title}</p>
          <p className="truncate text-sm text-muted">
            {isLeftOut && 'Not shown • '}
            {fault ? <span className="font-medium text-text">⚠ {fault}</span> : item.video?.artistName}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-1">
        <Switch
          label={item.isActive ? 'Active' : 'Inactive'}
          isOn={item.isActive}
          onChange={() => void desk.toggle(item)}
        />
        <PlaceField
          key={place}
          label={`Position of ${title}`}
          place={place}
          onChange={(wanted) => void desk.move(item, Math.min(wanted, count))}
        />
        <MoveButton
          icon="up"
          label={`Move ${title} up`}
          isAtEnd={place === 1}
          onPress={() => void desk.move(item, place - 1)}
        />
        <MoveButton
          icon="down"
          label={`Move ${title} down`}
          isAtEnd={place === count}
          onPress={() => void desk.move(item, place + 1)}
        />
        <IconButton icon="remove" label={`Remove ${title}`} onClick={() => void desk.remove(item, place)} />
      </div>
    </div>
  )
}

/** Why viewers do not see it although it is chosen. */
function faultOf(video: Video | null): string | undefined {
  if (!video) return 'No longer in the library'
  if (!video.isPublic) return 'Private: viewers do not see it'
  if (video.metadataStatus === 'unavailable') return 'Unavailable at YouTube'
  return undefined
}

/** The place as a number (1-based, at least 1): typed, and taken with Enter or on leaving the field. */
function PlaceField(props: { label: string; place: number; onChange: (place: number) => void }) {
  const [text, setText] = useState(String(props.place))
  const take = () => {
    const wanted = Number(text)
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > 100_000) setText(String(props.place))
    else if (wanted !== props.place) props.onChange(wanted)
  }
  return (
    <input
      type="number"
      min={1}
      inputMode="numeric"
      aria-label={props.label}
      title="Position"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        take()
      }}
      className="field ml-1 w-14 px-2 tabular-nums sm:ml-2 sm:w-18"
    />
  )
}

/** Stays where it is at the end of the way, lest the focus be lost with it. */
function MoveButton(props: { icon: 'up' | 'down'; label: string; isAtEnd: boolean; onPress: () => void }) {
  return (
    <IconButton
      icon={props.icon}
      label={props.label}
      aria-disabled={props.isAtEnd}
      onClick={() => props.isAtEnd || props.onPress()}
      className="aria-disabled:opacity-40"
    />
  )
}
