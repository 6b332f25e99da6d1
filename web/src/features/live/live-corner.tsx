import { useEffect, useEffectEvent } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import type { LivePageState } from './live-page-state.ts'
import type { LiveViewProps } from './live-view-props.ts'
import { useNowPlayingTexts } from './now-playing-texts.ts'
import { noticeKind, type PictureNoticeKind } from './picture-notice.tsx'
import { ProgrammeProgress } from './programme-progress.tsx'
import { useLiveState } from './use-live-session.ts'

/** Classes of the picture in the corner with its bar: above the tab bar of phones, else at the bottom right. */
export const CORNER =
  'dark-surface fixed right-2 bottom-[calc(var(--tab-bar)+0.5rem)] z-20 flex overflow-hidden rounded-lg bg-panel shadow-lift ring-1 ring-line forced-colors:outline tall:w-(--corner-width) tall:flex-col lg:right-6 lg:bottom-6'

/** What only the live page can change, and what shows no picture until then. */
const WITHOUT_PICTURE = new Set<PictureNoticeKind | undefined>([
  'missing',
  'unavailable',
  'off-air',
  'blocked',
])

/** Ends the picture when another page has it and there is none to show. The home page shows its own picture then. */
export function useEndWithoutPicture(page: LivePageState, { place, onClose }: LiveViewProps): void {
  const state = useLiveState(page.session)
  const kind = noticeKind(page, state)
  const isOver =
    place === 'home'
      ? page.youtube.isReplaced || WITHOUT_PICTURE.has(kind) || kind === 'unreachable'
      : place === 'corner' && WITHOUT_PICTURE.has(kind)
  const end = useEffectEvent(onClose)
  useEffect(() => {
    if (isOver) end()
  }, [isOver])
}

/**
 * What is on in the corner, and its controls. They are below the picture, in low windows beside it, because YouTube forbids
 * overlays.
 */
export function CornerBar(props: { page: LivePageState; defaultChannelId: string; onClose: () => void }) {
  const { page, defaultChannelId, onClose } = props
  const { session, channelId } = page
  const state = useLiveState(session)
  const { title, detail } = useNowPlayingTexts(state, page.isUnavailable, page.programmes)
  const { programme, selected } = state
  const isSilent = state.muted || state.soundBlocked
  return (
    <>
      {programme && !selected && (
        <ProgrammeProgress
          key={`${programme.id} ${programme.endsAtMs}`}
          startsAtMs={programme.startsAtMs}
          endsAtMs={programme.endsAtMs}
          className="hidden h-0.5 motion-reduce:hidden tall:block"
        />
      )}
      <div className="flex flex-col items-center gap-1 p-1 tall:h-14 tall:flex-row">
        <Link
          to={channelId === defaultChannelId ? paths.live() : paths.live({ channel: channelId })}
          className={classNames(
            'flex min-h-11 min-w-11 items-center justify-center gap-3 rounded-md px-2.5 tall:flex-1 tall:justify-start',
            // The picture is a part of the link where nothing forbids to cover it.
            state.playerKind !== 'youtube' && 'after:absolute after:inset-0',
          )}
        >
          <Icon name="full" className="size-5 shrink-0" />
          <span className="sr-only">Back to Live TV: </span>
          <span className="sr-only min-w-0 tall:not-sr-only">
            <span className="block truncate text-sm font-semibold">
              <bdi>{title}</bdi>
            </span>
            <span className="block truncate text-xs text-muted">
              <bdi>{detail}</bdi>
            </span>
          </span>
        </Link>
        {page.mayHear && (
          <IconButton
            icon={isSilent ? 'muted' : 'sound'}
            label={isSilent ? 'Unmute' : 'Mute'}
            className="relative"
            onClick={() => page.sound.setMuted(!isSilent)}
          />
        )}
        <IconButton icon="close" label="Close Live TV" className="relative" onClick={onClose} />
      </div>
    </>
  )
}
