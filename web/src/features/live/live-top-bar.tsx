import { type ReactNode, useId } from 'react'
import { Link } from 'react-router-dom'
import { useIsOnline } from '../../lib/browser/use-is-online.ts'
import { paths } from '../../lib/paths.ts'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { LiveBadge } from '../../ui/live-badge.tsx'
import { fadeClass } from './fade-class.ts'
import type { LivePageState } from './live-page-state.ts'
import { useLiveState } from './use-live-session.ts'

/** The bar above the picture: Back, LIVE, and the buttons for search, guide, chat and fullscreen. */
export function LiveTopBar(props: {
  page: LivePageState
  isActive: boolean
  /** The unread badge on the chat button; its text has the id `id`. */
  chatUnread: (id: string) => ReactNode
}) {
  const { page, isActive } = props
  const unreadId = useId()
  const { fullscreen, isChatOpen, setChatOpen, setPanel } = page
  return (
    <nav
      aria-label="Live TV"
      data-controls
      className={classNames(
        'flex h-14 shrink-0 items-center gap-1 px-2 sm:px-3',
        'overlay:absolute overlay:inset-x-0 overlay:top-0 overlay:z-20 overlay:h-24 overlay:items-start overlay:pt-3 beside:px-5',
        'overlay:bg-linear-to-b overlay:from-black/85 overlay:to-transparent',
        fadeClass(isActive),
      )}
    >
      <Link to={paths.root()} className={buttonClass('plain', 'px-2.5 tv:text-base')} aria-label="Back">
        <Icon name="back" />
        <span className="hidden lg:inline">Back</span>
      </Link>
      <StatusBadge page={page} />
      <div className="ml-auto flex gap-0.5">
        <BarButton icon="search" label="Search" onClick={() => setPanel('search')} />
        <BarButton icon="guide" label="TV Guide" onClick={() => setPanel('guide')} />
        <BarButton
          icon="chat"
          label="Chat"
          isPressed={isChatOpen}
          descriptionId={unreadId}
          onClick={() => setChatOpen(!isChatOpen)}
        >
          {props.chatUnread(unreadId)}
        </BarButton>
        <BarButton
          icon={fullscreen.isFullscreen ? 'window' : 'full'}
          label="Full"
          isPressed={fullscreen.isFullscreen}
          onClick={fullscreen.toggle}
        />
      </div>
    </nav>
  )
}

/**
 * The LIVE badge and the viewer count. Another badge while a selected video plays, the channel is off the air, or nothing
 * is received.
 */
function StatusBadge({ page }: { page: LivePageState }) {
  const { selected, phase } = useLiveState(page.session)
  const isOnline = useIsOnline()
  const { viewers } = page.channel
  const quietText = !isOnline
    ? 'OFFLINE'
    : page.isUnavailable
      ? 'NO STREAM'
      : phase === 'off-air'
        ? 'OFF AIR'
        : undefined
  return (
    <div className="mx-1 flex h-11 min-w-0 items-center gap-3">
      {selected ? (
        <span className="rounded-sm bg-secondary px-2 py-0.5 text-xs font-bold tracking-wider whitespace-nowrap text-on-secondary">
          YOUR PICK
        </span>
      ) : quietText ? (
        <span className="rounded-sm bg-raised px-2 py-0.5 text-xs font-bold tracking-wider whitespace-nowrap text-muted">
          {quietText}
        </span>
      ) : (
        <LiveBadge />
      )}
      {isOnline && viewers !== undefined && viewers > 0 && (
        <span className="truncate text-sm text-white/85 tabular-nums tv:text-base">
          <Icon name="show" className="-mt-0.5 mr-1 inline size-4 sm:hidden" />
          {viewers.toLocaleString(dateLocale)} <span className="max-sm:sr-only">watching</span>
        </span>
      )}
    </div>
  )
}

function BarButton(props: {
  icon: IconName
  label: string
  isPressed?: boolean
  descriptionId?: string
  onClick: () => void
  children?: ReactNode
}) {
  return (
    <Button
      tone="plain"
      icon={props.icon}
      aria-label={props.label}
      aria-pressed={props.isPressed}
      aria-describedby={props.descriptionId}
      className="relative px-2.5 aria-pressed:bg-raised tv:text-base"
      onClick={props.onClick}
    >
      <span className="hidden lg:inline">{props.label}</span>
      {props.children}
    </Button>
  )
}
