import { CheckboxItem, Content, Item, Root, Trigger } from '@radix-ui/react-dropdown-menu'
import { type ReactNode, type Ref, type RefObject, useRef, useSyncExternalStore } from 'react'
import { useConfig } from '../../lib/api/use-config.ts'
import { likesText, useLikeToggle } from '../../lib/likes/use-like-toggle.ts'
import { useBackLayer } from '../../ui/back-layers.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { castSender } from './cast/cast-sender.ts'
import { syncText } from './connection-quality.ts'
import type { LivePageState } from './live-page-state.ts'
import { reactionsShown, showReactions } from './reactions/reactions-setting.ts'
import { useConnectionQuality } from './use-connection-quality.ts'
import { useLiveState } from './use-live-session.ts'

const ITEM =
  'flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-3 py-1.5 text-sm outline-none data-[highlighted]:bg-line data-[highlighted]:outline-2 data-[highlighted]:-outline-offset-2 data-[highlighted]:outline-focus tv:min-h-13 tv:text-base'

/** The menu above the button More: synchronisation and connection, why the programme is on, and how to share it. */
export function MoreMenu({ page, button }: { page: LivePageState; button: RefObject<HTMLElement | null> }) {
  const { closePanel, setPanel } = page
  const quality = useConnectionQuality(page)
  const first = useRef<HTMLDivElement>(null)
  useBackLayer(true, closePanel)
  return (
    <Root open modal={false} onOpenChange={(isOpen) => isOpen || closePanel()}>
      {/* Only the place of the menu: Radix's own button would open it with Down, which changes the channel here. */}
      <Trigger asChild>
        <span aria-hidden="true" className="pointer-events-none absolute inset-0" />
      </Trigger>
      <Content
        side="bottom"
        align="start"
        sideOffset={8}
        collisionPadding={8}
        aria-labelledby={button.current?.id}
        className="z-50 max-h-(--radix-dropdown-menu-content-available-height) w-72 animate-rise overflow-y-auto rounded-md border border-line bg-raised p-1.5 shadow-lift tv:w-88"
        onFocus={({ target, currentTarget }) => {
          // Radix has not seen the key that opened the menu, because its code was loaded by it.
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
        <MenuItem
          ref={first}
          icon="sync"
          text={syncText(page.channel.connection)}
          detail={`Connection: ${quality}`}
          onSelect={() => setPanel('sync')}
        />
        <MenuItem icon="facts" text="Why is this on?" onSelect={() => setPanel('why')} />
        {page.takesRequests && <MenuItem icon="up" text="Requests" onSelect={() => setPanel('requests')} />}
        <MenuItem icon="share" text="Share" onSelect={() => setPanel('share')} />
        <LikeItem page={page} />
        <ReactionsItem />
        <CastItem page={page} />
      </Content>
    </Root>
  )
}

/** Likes what is on the air, on a station where audience runs. Not while the viewer watches another video. */
function LikeItem({ page: { session, programmes } }: { page: LivePageState }) {
  const { requests } = useConfig()
  const { programme, selected } = useLiveState(session)
  const video = programmes?.find(({ id }) => id === programme?.id)?.video
  return requests && video && !selected && <LikeVideoItem key={video.id} video={video} />
}

/** Shows or hides the reactions beside the picture. */
function ReactionsItem() {
  const isShown = useSyncExternalStore(reactionsShown.subscribe, reactionsShown.get)
  return (
    <CheckItem
      text="Reactions"
      detail={isShown ? 'Shown beside the picture' : 'Off'}
      icon={
        <span aria-hidden="true" className="grid size-5 shrink-0 place-items-center text-lg">
          🎉
        </span>
      }
      isChecked={isShown}
      onToggle={() => showReactions(!isShown)}
    />
  )
}

function LikeVideoItem({ video }: { video: { id: string; title: string } }) {
  const { liked, likeCount, isPublic, toggle } = useLikeToggle(video)
  if (isPublic === false) return null
  return (
    <CheckItem
      text="Like"
      detail={likeCount > 0 ? `${video.title} · ${likesText(likeCount)}` : video.title}
      icon={
        <Icon
          name="heart"
          className={classNames('size-5 shrink-0', liked ? 'fill-current text-accent' : 'text-muted')}
        />
      }
      isChecked={liked}
      onToggle={toggle}
    />
  )
}

function CheckItem(props: {
  text: string
  detail: string
  icon: ReactNode
  isChecked: boolean
  onToggle: () => void
}) {
  return (
    <CheckboxItem
      className={ITEM}
      checked={props.isChecked}
      onSelect={(event) => {
        // The menu stays open and shows the result.
        event.preventDefault()
        props.onToggle()
      }}
    >
      {props.icon}
      <ItemTexts {...props} />
    </CheckboxItem>
  )
}

/** Casting to a television, where the browser can and there is one. */
function CastItem({ page: { session, closePanel } }: { page: LivePageState }) {
  const status = useSyncExternalStore(castSender.subscribe, castSender.status)
  if (status === 'unavailable') return null
  if (status === 'casting') {
    const stop = () => {
      castSender.stop()
      closePanel()
    }
    return <MenuItem icon="cast" text="Stop casting" onSelect={stop} />
  }
  const start = async () => {
    closePanel()
    // The sound is on the television. The choice of the viewer is not stored: it returns with the next visit.
    if (await castSender.start()) session.setMuted(true)
  }
  const text = status === 'connecting' ? 'Connecting to the TV' : 'Cast to a TV'
  return <MenuItem icon="cast" text={text} onSelect={() => void start()} />
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
      className={ITEM}
      onSelect={(event) => {
        // The item decides what is open next.
        event.preventDefault()
        props.onSelect()
      }}
    >
      <Icon name={props.icon} className="size-5 shrink-0 text-muted" />
      <ItemTexts {...props} />
    </Item>
  )
}

function ItemTexts({ text, detail }: { text: string; detail?: string | undefined }) {
  return (
    <span className="min-w-0">
      <span className="block font-medium">{text}</span>
      {detail && <span className="block truncate text-xs text-muted tv:text-sm">{detail}</span>}
    </span>
  )
}
