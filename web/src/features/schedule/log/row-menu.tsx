import type { LogProgramme } from '@looptide/contracts/http/log'
import { Content, Item, Label, Portal, Root, Trigger } from '@radix-ui/react-dropdown-menu'
import { type Ref, type RefObject, useId, useRef } from 'react'
import { useBackLayer } from '../../../ui/back-layers.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { programmeTitle } from '../model/sentences.ts'
import { exactTimeIn } from '../model/zoned-time.ts'
import type { BegunChange } from './change-dialog.tsx'
import { programmeAt } from './log-texts.ts'

/** What the menu of a programme can do. */
export interface RowMenuActions {
  onBegin: (begun: BegunChange) => void
  /** Undoes the edit of the programme; undefined if it has none, or a later edit builds on it. */
  onUndo: (() => void) | undefined
}

/** The changes of one programme, in a menu at a point of its row (px), or at its button. */
export function RowMenu(
  props: RowMenuActions & {
    programme: LogProgramme
    /** The programme with which it is swapped by one step. */
    next: LogProgramme | undefined
    /** It follows the programme on the air already. */
    isNext: boolean
    timeZone: string
    at: { x: number; y: number } | undefined
    button: RefObject<HTMLButtonElement | null>
    onClose: () => void
  },
) {
  const { programme, next, timeZone, at, button, onClose, onUndo } = props
  const id = useId()
  const first = useRef<HTMLDivElement>(null)
  useBackLayer(true, onClose)
  const begin = (begun: BegunChange) => () => props.onBegin(begun)
  return (
    <Root open modal={false} onOpenChange={(isOpen) => isOpen || onClose()}>
      {/* Only the place of the menu: Radix's own button would open it with Down, which goes to the next row here. */}
      <Trigger asChild>
        <span
          aria-hidden="true"
          className={
            at ? 'pointer-events-none absolute size-0' : 'pointer-events-none absolute inset-y-0 right-3 w-11'
          }
          style={at && { left: at.x, top: at.y }}
        />
      </Trigger>
      <Portal>
        <Content
          align={at ? 'start' : 'end'}
          sideOffset={4}
          collisionPadding={12}
          aria-labelledby={id}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) w-72 max-w-[calc(100vw-1.5rem)] animate-rise overflow-y-auto overscroll-contain rounded-md border border-line bg-raised p-1.5 shadow-lift"
          onFocus={({ target, currentTarget }) => {
            // Radix has not seen the key that opened the menu, because the menu is rendered only then.
            if (target === currentTarget && currentTarget.matches(':focus-visible')) first.current?.focus()
          }}
          onInteractOutside={(event) => {
            // A press on the button closes the menu itself.
            if (event.target instanceof Node && button.current?.contains(event.target)) event.preventDefault()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // A dialog that an item has opened keeps the focus.
            if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
          }}
        >
          <Label id={id} className="truncate px-3 py-2 text-xs text-muted">
            {programmeAt(programme, timeZone)}
          </Label>
          <MenuItem
            ref={first}
            icon="plus"
            text="Insert before..."
            onSelect={begin({ open: { action: 'insert', before: programme } })}
          />
          {!props.isNext && (
            <MenuItem
              icon="play"
              text="Play next"
              onSelect={begin({ request: { action: 'move', programme, before: null } })}
            />
          )}
          <MenuItem icon="next" text="Skip" onSelect={begin({ request: { action: 'skip', programme } })} />
          {next && (
            <MenuItem
              icon="sync"
              text="Swap with next"
              detail={`${exactTimeIn(timeZone, Date.parse(next.startsAt))} ${programmeTitle(next)}`}
              onSelect={begin({ request: { action: 'swap', programme, other: next } })}
            />
          )}
          <MenuItem
            icon="again"
            text="Swap with..."
            onSelect={begin({ open: { action: 'swap', programme } })}
          />
          <MenuItem icon="list" text="Move to..." onSelect={begin({ open: { action: 'move', programme } })} />
          {onUndo && <MenuItem icon="undo" text="Undo its edit" onSelect={onUndo} />}
        </Content>
      </Portal>
    </Root>
  )
}

function MenuItem(props: {
  icon: IconName
  text: string
  detail?: string
  ref?: Ref<HTMLDivElement>
  onSelect: () => void
}) {
  return (
    <Item
      ref={props.ref}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-3 py-1.5 text-sm outline-none data-[highlighted]:bg-line data-[highlighted]:outline-2 data-[highlighted]:-outline-offset-2 data-[highlighted]:outline-focus"
      onSelect={props.onSelect}
    >
      <Icon name={props.icon} className="size-5 shrink-0 text-muted" />
      <span className="min-w-0">
        <span className="block font-medium">{props.text}</span>
        {props.detail && <span className="block truncate text-xs text-muted">{props.detail}</span>}
      </span>
    </Item>
  )
}
