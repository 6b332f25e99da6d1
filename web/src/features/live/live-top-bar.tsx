import { Link } from 'react-router-dom'
import { paths } from '../../app/paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { LiveBadge } from '../../ui/live-badge.tsx'
import type { LivePageState } from './use-live-page.ts'

/** Above the picture: the way back, LIVE, and the ways to search, guide, chat and the full screen. */
export function LiveTopBar({ page, isActive }: { page: LivePageState; isActive: boolean }) {
  const { fullscreen, isChatOpen, setChatOpen, setPanel } = page
  return (
    <nav
      aria-label="Live TV"
      className={classNames(
        'flex h-14 shrink-0 items-center gap-1 px-2 transition-opacity sm:px-3',
        'overlay:absolute overlay:inset-x-0 overlay:top-0 overlay:z-20 overlay:h-20 overlay:pb-6',
        'overlay:bg-linear-to-b overlay:from-black/85 overlay:to-transparent',
        isActive ? 'opacity-100' : 'lg:opacity-0 overlay:opacity-0',
      )}
    >
      <Link to={paths.root()} className={buttonClass('plain', 'px-2.5')} aria-label="Back">
        <Icon name="back" />
        <span className="hidden lg:inline">Back</span>
      </Link>
      <LiveBadge className="mx-1" />
      <div className="ml-auto flex gap-0.5">
        <BarButton icon="search" label="Search" onClick={() => setPanel('search')} />
        <BarButton icon="guide" label="TV Guide" onClick={() => setPanel('guide')} />
        <BarButton icon="chat" label="Chat" isPressed={isChatOpen} onClick={() => setChatOpen(!isChatOpen)} />
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

function BarButton(props: { icon: IconName; label: string; isPressed?: boolean; onClick: () => void }) {
  return (
    <Button
      tone="plain"
      icon={props.icon}
      aria-label={props.label}
      aria-pressed={props.isPressed}
      className="px-2.5 aria-pressed:bg-raised"
      onClick={props.onClick}
    >
      <span className="hidden lg:inline">{props.label}</span>
    </Button>
  )
}
