import type { CurationItem, Video } from '@looptide/contracts/http/videos'
import { typedNumber } from '@looptide/contracts/typed-text'
import { type HTMLAttributes, useId, useState } from 'react'
import { countText } from '../../../lib/count-text.ts'
import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Switch } from '../../../ui/switch.tsx'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import { useDragOrder } from '../../../ui/use-drag-order.ts'
import { CurationConflictNotice } from './curation-conflict.tsx'
import { type CurationSection, shownHero } from './curation-sections.ts'
import type { CurationEditor } from './use-curation-editor.ts'

/** One section with its videos in order. */
export function CurationList({ section, editor }: { section: CurationSection; editor: CurationEditor }) {
  const { items } = section
  const { list, drag, handle } = useDragOrder((from, to) => {
    const item = items[from]
    if (item) void editor.move(item, to + 1)
  })
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className="grid gap-3">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h3 id={headingId} className="text-lg font-semibold wrap-anywhere">
          {section.title}
        </h3>
        <p className="text-sm text-muted">
          {section.sectionType === 'category' && 'Category • '}
          {countText(items.length, 'video')}
        </p>
      </div>
      {section.sectionType === 'hero' && items.filter(({ isActive }) => isActive).length > 1 && (
        <p className="text-sm text-muted">
          Viewers see only the first active video, followed by four random ones.
        </p>
      )}
      {items.length === 0 ? (
        <p className="rounded-lg border border-dashed border-line px-4 py-6 text-center text-sm text-muted">
          No videos selected. Viewers see random videos here.
        </p>
      ) : (
        <ul ref={list} className="rounded-lg border border-line/70 bg-panel">
          {items.map((item, index) => (
            <li
              key={item.id}
              style={
                drag?.from === index ? { transform: `translateY(${drag.y - drag.startY}px)` } : undefined
              }
              className={classNames(
                'relative border-b border-line/70 last:border-b-0',
                drag?.from === index && 'z-10 rounded-md bg-raised shadow-lift',
                drag && index !== drag.from && dropMarkClass(drag, index),
              )}
            >
              <CurationRow
                item={item}
                place={index + 1}
                count={items.length}
                isLeftOut={section.sectionType === 'hero' && item.isActive && item !== shownHero(items)}
                editor={editor}
                handle={handle(index)}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Class of the line that marks where the dragged row would be dropped. */
function dropMarkClass({ from, to }: { from: number; to: number }, index: number): string | false {
  if (to === from || index !== to) return false
  return to < from ? 'shadow-[0_-3px_0_0_var(--theme-accent)]' : 'shadow-[0_3px_0_0_var(--theme-accent)]'
}

interface RowProps {
  item: CurationItem
  /** Position in the section, from 1. */
  place: number
  count: number
  /** It is active, but viewers see another hero video. */
  isLeftOut: boolean
  editor: CurationEditor
  /** Pointer event handlers of the drag handle. */
  handle: HTMLAttributes<HTMLElement>
}

/** A video of a section with its controls, in whose place a refused move is shown. */
function CurationRow({ item, place, count, isLeftOut, editor, handle }: RowProps) {
  const title = item.video?.title ?? 'Deleted video'
  const problem = problemOf(item.video)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 pr-3 pl-1">
      <div className="flex min-w-[min(100%,15rem)] flex-1 items-center gap-2">
        {/* For pointers only: the keyboard uses the buttons and the position field. */}
        <span
          {...handle}
          aria-hidden="true"
          title="Drag to reorder"
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
            {problem ? <span className="font-medium text-text">⚠ {problem}</span> : item.video?.artistName}
          </p>
        </div>
      </div>
      {editor.conflict?.item.id === item.id ? (
        <CurationConflictNotice editor={editor} conflict={editor.conflict} />
      ) : (
        <RowControls item={item} title={title} place={place} count={count} editor={editor} />
      )}
    </div>
  )
}

/** Buttons to show or hide a video, to move it and to remove it. */
function RowControls(props: Pick<RowProps, 'item' | 'place' | 'count' | 'editor'> & { title: string }) {
  const { item, title, place, count, editor } = props
  return (
    <div className="flex flex-wrap items-center gap-1 max-sm:pl-3">
      <Switch
        label={item.isActive ? 'Active' : 'Inactive'}
        isOn={item.isActive}
        onChange={() => void editor.toggle(item)}
      />
      <PlaceField
        key={place}
        label={`Position of ${title}`}
        place={place}
        onChange={(position) => void editor.move(item, Math.min(position, count))}
      />
      <MoveButton
        icon="up"
        label={`Move ${title} up`}
        isAtEnd={place === 1}
        onPress={() => void editor.move(item, place - 1)}
      />
      <MoveButton
        icon="down"
        label={`Move ${title} down`}
        isAtEnd={place === count}
        onPress={() => void editor.move(item, place + 1)}
      />
      <IconButton icon="remove" label={`Remove ${title}`} onClick={() => void editor.remove(item, place)} />
    </div>
  )
}

/** Why viewers do not see a curated video; undefined if they do. */
function problemOf(video: Video | null): string | undefined {
  if (!video) return 'No longer in the library'
  if (!video.isPublic) return 'Private: hidden from viewers'
  if (video.metadataStatus === 'unavailable') return 'Unavailable on YouTube'
  return undefined
}

/** The position as a number field (from 1). A typed value is applied with Enter or on blur. */
function PlaceField(props: { label: string; place: number; onChange: (place: number) => void }) {
  const [text, setText] = useState(String(props.place))
  const apply = () => {
    const position = typedNumber(text)
    if (!Number.isInteger(position) || position < 1 || position > 100_000) setText(String(props.place))
    else if (position !== props.place) props.onChange(position)
  }
  return (
    <input
      type="text"
      autoComplete="off"
      inputMode="numeric"
      aria-label={props.label}
      title="Position"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        apply()
      }}
      className="field ml-1 w-14 px-2 tabular-nums sm:ml-2 sm:w-18"
    />
  )
}

/** Uses `aria-disabled` at the end of the list, because a disabled button would lose the focus. */
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
