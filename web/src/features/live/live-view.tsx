import { useEffect, useState } from 'react'
import { type Activity, useActivity, useHiddenGuard } from '../../lib/browser/use-activity.ts'
import { useIsOnline } from '../../lib/browser/use-is-online.ts'
import { useMediaQuery } from '../../lib/browser/use-media-query.ts'
import type { TopicState } from '../../lib/realtime/shared-topic.ts'
import { useBackLayer } from '../../ui/back-layers.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { currentCard } from './card-content.ts'
import { ChannelBanner } from './channel-banner.tsx'
import { CORNER, CornerBar, useEndWithoutPicture } from './live-corner.tsx'
import { LiveInfo } from './live-info.tsx'
import type { LivePageState } from './live-page-state.ts'
import { LivePanels, LiveRail } from './live-panels.tsx'
import {
  CardPicture,
  DefaultVideo,
  FirstPicture,
  LivePicture,
  PictureCover,
  PictureFocus,
} from './live-picture.tsx'
import { LiveTopBar } from './live-top-bar.tsx'
import type { LiveViewProps } from './live-view-props.ts'
import { hasButton, noticeKind, PictureNotice, SubstituteNotice } from './picture-notice.tsx'
import { PICTURE_GAP, PICTURE_PLACES, type PicturePlace, useAreaOf } from './picture-place.ts'
import { useLivePage } from './use-live-page.ts'
import { isChannelKey } from './use-live-remote.ts'
import { useLiveState } from './use-live-session.ts'

/** As in `overlay` without `beside` (web/src/styles/app.css): the chat of a phone in landscape covers the picture. */
const CHAT_COVERS_PICTURE = '(max-height: 30rem) and (orientation: landscape) and (max-width: 63.9rem)'

/** What the place decides about the view: the live page with its controls, or a small region of another page. */
const VIEWS = {
  page: {
    root: { role: 'main', id: 'main' },
    className:
      'dark-surface fixed inset-0 flex flex-col overflow-y-auto bg-black sideways:flex-row sideways:overflow-clip',
    column:
      'relative isolate flex shrink-0 flex-col overlay:[container:picture/size] overlay:min-h-0 overlay:flex-1',
  },
  corner: { root: { 'aria-label': 'Live TV', 'data-corner': true }, className: CORNER, column: 'contents' },
  home: {
    root: { 'aria-label': 'Live TV' },
    // Before it plays, the picture of the page is seen instead.
    className:
      'dark-surface absolute z-10 overflow-hidden transition-opacity duration-300 not-has-[[data-state=playing]]:opacity-0 md:rounded-lg',
    column: 'contents',
  },
} as const

/**
 * The live picture: on the live page, filling it where possible, with the controls over or around it; or in a place of
 * another page. All are the same elements, so that the picture goes on without loading again.
 */
export function LiveView(props: LiveViewProps) {
  const page = useLivePage(props)
  const isPage = props.place === 'page'
  const view = VIEWS[props.place]
  const activity = useActivity(page.panel !== null, isChannelKey, isPage)
  const { isActive } = activity
  const [place, setPlace] = useState<PicturePlace>('page')
  const isInGuide = isPage && place === 'guide'
  useEndWithoutPicture(page, props)
  const isDrawer = useMediaQuery(CHAT_COVERS_PICTURE)
  const isChatShown = isPage && page.isChatOpen
  useBackLayer(isChatShown && isDrawer, () => page.setChatOpen(false))
  return (
    <section
      {...useHiddenGuard()}
      {...view.root}
      style={useAreaOf(props.stage)}
      data-fullscreen={page.fullscreen.isFullscreen}
      className={view.className}
    >
      <div className={classNames(view.column, isPage && !isActive && 'overlay:cursor-none')}>
        {isPage && (
          <>
            <LiveTopBar
              page={page}
              isActive={isActive}
              chatUnread={(id) => props.chatUnread(props.channelId, page.isChatOpen, id)}
            />
            <ConnectionStatus
              connection={page.channel.connection}
              hasStream={page.channel.timeline !== undefined}
            />
          </>
        )}
        {isInGuide && <div className={PICTURE_GAP} />}
        <Picture page={page} place={isInGuide ? 'guide' : props.place} activity={activity} />
        {isPage && (
          <>
            {page.youtube.isNoticeShown && <YoutubeNotice page={page} />}
            <SubstituteNotice session={page.session} isActive={isActive} />
            <LiveInfo page={page} isActive={isActive} />
            <ChannelBanner page={page} />
          </>
        )}
        {props.place === 'corner' && (
          <CornerBar page={page} defaultChannelId={props.defaultChannelId} onClose={props.onClose} />
        )}
      </div>
      {isPage && <LiveRail page={page} props={props} />}
      {isChatShown && (
        <aside
          data-beside-picture
          className="min-h-36 flex-1 border-line sideways:min-h-0 sideways:w-[min(22rem,45%)] sideways:flex-none sideways:border-l"
        >
          {props.chat(props.channelId, () => page.setChatOpen(false), page.channel.viewers, page.programmes)}
        </aside>
      )}
      {isPage && <LivePanels page={page} props={props} onPlace={setPlace} />}
    </section>
  )
}

function Picture(props: { page: LivePageState; place: PicturePlace; activity: Activity }) {
  const { page, place } = props
  const { isActive, isByKey, onPicturePress } = props.activity
  const isPage = place === 'page' || place === 'guide'
  const state = useLiveState(page.session)
  const isSwitching = useSwitching(page.channelId)
  const kind = noticeKind(page, state)
  const card = currentCard(page.programmes, state)
  return (
    <div
      className={classNames(
        PICTURE_PLACES[place],
        isPage &&
          isActive &&
          isByKey &&
          'has-[[data-picture-focus]:focus-visible]:outline-3 has-[[data-picture-focus]:focus-visible]:-outline-offset-3 has-[[data-picture-focus]:focus-visible]:outline-focus',
      )}
    >
      <LivePicture session={page.session}>
        {card && <CardPicture card={card} programmes={page.programmes ?? []} />}
        {kind === 'off-air' && <DefaultVideo />}
        {kind === 'connecting' && <FirstPicture programmes={page.channel.timeline?.programmes} />}
        {kind && (isPage || (place === 'corner' && !hasButton(kind))) && (
          <PictureNotice kind={kind} page={page} state={state} />
        )}
      </LivePicture>
      {isPage && (
        <PictureCover
          isActive={isActive}
          isForeign={state.playerKind === 'youtube' && !card}
          onPress={onPicturePress}
          onDoubleClick={page.fullscreen.toggle}
        />
      )}
      {isPage && !hasButton(kind) && <PictureFocus isActive={isActive} onPress={onPicturePress} />}
      {isSwitching && (
        <div className="absolute inset-0 z-20 grid place-items-center bg-black text-lg text-white lg:text-xl">
          <Spinner text="Switching Channel..." />
        </div>
      )}
    </div>
  )
}

/** docs/product/viewer.md §9. */
const SWITCH_OVERLAY_MS = 500

/** True for half a second after the channel changed. */
function useSwitching(channelId: string): boolean {
  const [settledId, setSettledId] = useState(channelId)
  useEffect(() => {
    const timer = setTimeout(() => setSettledId(channelId), SWITCH_OVERLAY_MS)
    return () => clearTimeout(timer)
  }, [channelId])
  return settledId !== channelId
}

/** Shorter interruptions are not shown, in ms. */
const SHOW_AFTER_MS = 3_000

/** A message while the connection is lost. Playback continues with the programmes that are already loaded. */
function ConnectionStatus({ connection, hasStream }: { connection: TopicState; hasStream: boolean }) {
  const isOnline = useIsOnline()
  const isLost = useHasLasted(hasStream && (!isOnline || connection === 'down'))
  const text = isOnline
    ? 'Connection lost. Playback continues.'
    : 'You are offline. Loaded videos keep playing; the chat continues when you are online again.'
  return (
    <p
      role="status"
      className={classNames(
        'pointer-events-none absolute inset-x-0 top-16 z-20 mx-auto w-fit rounded-full bg-black/75 text-center',
        'text-sm text-white/85 overlay:top-20 tv:text-base',
        isLost && 'animate-fade px-4 py-1.5',
      )}
    >
      {isLost && text}
    </p>
  )
}

/** True once a condition has held for 3 s; false as soon as it ends. */
function useHasLasted(condition: boolean): boolean {
  const [hasLasted, setLasted] = useState(false)
  useEffect(() => {
    if (!condition) return
    const timer = setTimeout(() => setLasted(true), SHOW_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setLasted(false)
    }
  }, [condition])
  return condition && hasLasted
}

/** Shows the viewer that the network blocks YouTube, and what is shown instead. Over the picture: nothing moves for it. */
function YoutubeNotice({ page }: { page: LivePageState }) {
  const { youtube, bannerChannelId } = page
  return (
    <div
      role="status"
      className={classNames(
        'absolute inset-x-0 top-16 z-20 flex flex-wrap items-center gap-2 bg-panel px-4 py-2 text-sm overlay:top-20 overlay:mx-auto overlay:w-fit overlay:max-w-[calc(100%-2rem)] overlay:rounded-md overlay:border overlay:border-line overlay:shadow-lift',
        // The banner of a channel has the same place for some seconds.
        bannerChannelId !== undefined && 'not-focus-within:invisible',
      )}
    >
      <p className="mr-3 min-w-56 flex-1">
        YouTube cannot be reached from this network.
        {youtube.isReplaced &&
          ' The Test Card is shown instead. Chat, guide and viewer count still belong to this channel.'}
      </p>
      <Button onClick={youtube.retry}>Try YouTube again</Button>
      <IconButton icon="close" label="Dismiss" onClick={youtube.dismiss} />
    </div>
  )
}
