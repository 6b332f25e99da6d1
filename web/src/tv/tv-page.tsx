import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useNowPlayingTexts } from '../features/live/now-playing-texts.ts'
import { noticeKind } from '../features/live/picture-notice.tsx'
import { useLiveState } from '../features/live/use-live-session.ts'
import { useBrand, useConfig } from '../lib/api/use-config.ts'
import { authClient } from '../lib/clients.ts'
import { usePollNotice } from '../lib/polls/use-poll-notice.ts'
import { useTvCommands } from '../lib/remote/use-tv-commands.ts'
import { pairedSessionOf } from '../lib/session/token-claims.ts'
import { useActiveTheme } from '../lib/theme/api.ts'
import { themeVariables } from '../lib/theme/theme-variables.ts'
import { showToastsWith } from '../ui/toast.ts'
import { AccountPanel } from './account-panel.tsx'
import { GuidePanel } from './guide-panel.tsx'
import { PollPanel } from './poll-panel.tsx'
import { RequestsPanel } from './requests-panel.tsx'
import { SearchPanel } from './search-panel.tsx'
import { Banner, InfoStrip, SoundStrip } from './strips.tsx'
import { TvPicture } from './tv-picture.tsx'
import { type Tv, type TvPanel, useTv } from './use-tv.ts'
import { useTvKeys } from './use-tv-keys.ts'

/** The page for televisions: the picture, and at most one thing beside it. Used with arrows, OK and Back. */
export function TvPage() {
  useTheme()
  return useConfig().isSettled ? <Television /> : <main className="tv" data-layout="full" />
}

const PANELS: Record<
  TvPanel,
  { label: string; isStrip: boolean; Content: (props: { tv: Tv }) => ReactNode }
> = {
  info: { label: 'Channel', isStrip: true, Content: InfoStrip },
  sound: { label: 'Sound', isStrip: true, Content: SoundStrip },
  guide: { label: 'Guide', isStrip: false, Content: GuidePanel },
  search: { label: 'Search', isStrip: false, Content: SearchPanel },
  requests: { label: 'Requests', isStrip: false, Content: RequestsPanel },
  poll: { label: 'Poll', isStrip: false, Content: PollPanel },
  account: { label: 'Account', isStrip: false, Content: AccountPanel },
}

/**
 * The picture fills the screen; a strip, a banner or a message makes it smaller instead of covering it, because YouTube
 * forbids overlays. It stays the same element, so that its player goes on.
 */
function Television() {
  const tv = useTv()
  const main = useRef<HTMLElement>(null)
  useTvKeys(tv)
  usePhone(tv)
  usePollNotice(tv.channelId, tv.panel === 'poll', { description: 'Press OK and choose Poll.' })
  useTitle(tv)
  const message = useMessage()
  const hint = useHint(tv)
  const panel = tv.panel && PANELS[tv.panel]
  useEffect(() => {
    if (tv.panel === undefined) main.current?.focus()
  }, [tv.panel])
  const hasBanner = panel === undefined && (tv.digits !== '' || tv.bannerChannelId !== undefined)
  const isBand = panel?.isStrip || hasBanner || message !== undefined || hint !== undefined
  const layout = panel && !panel.isStrip ? 'side' : isBand ? 'band' : 'full'
  return (
    <main ref={main} tabIndex={-1} className="tv" data-layout={layout}>
      <h1 className="tv-hidden">Live TV</h1>
      <TvPicture tv={tv} />
      {panel && (
        <section
          key={`${tv.panel} ${tv.searchNumber}`}
          aria-label={panel.label}
          data-panel
          className={panel.isStrip ? 'tv-band' : 'tv-side'}
        >
          <panel.Content tv={tv} />
        </section>
      )}
      <div role="status" aria-label="Channel" className={hasBanner ? 'tv-band' : undefined}>
        {hasBanner && <Banner tv={tv} />}
      </div>
      <div role="status" aria-label="Message" className={message || hint ? 'tv-message' : undefined}>
        {message ?? hint}
      </div>
    </main>
  )
}

/** Lets phones of the account that has paired this television control it. */
function usePhone(tv: Tv): void {
  const auth = useSyncExternalStore(authClient.onChange, authClient.state)
  const session = auth.status === 'signed-in' ? auth.session : undefined
  const own = session && pairedSessionOf(session.access_token)
  useTvCommands(session && own ? { tv: own, userId: session.user.id } : undefined, (command) => {
    if (command.kind === 'channel') tv.zap(command.step)
    else if (command.kind === 'guide') tv.setPanel('guide')
    else if (command.kind === 'search') tv.search(command.text)
    else tv.sound.setMuted(!tv.session.state.get().muted)
  })
}

/** What OK does while the browser waits for a press. */
function useHint(tv: Tv): string | undefined {
  const kind = noticeKind(tv, useLiveState(tv.session))
  if (tv.panel !== undefined) return undefined
  if (kind === 'blocked') return 'Press OK to watch.'
  return kind === 'sound-blocked' ? 'Press OK for sound.' : undefined
}

/** The last message of the app, while it is to be shown. */
function useMessage(): string | undefined {
  const [shown, setShown] = useState<{ id: number; text: string; durationMs: number }>()
  useEffect(
    () =>
      showToastsWith({
        show: ({ id, title, description, durationMs }) =>
          setShown({ id, durationMs, text: description ? `${title}: ${description}` : title }),
        hide: (id) => setShown((known) => (known?.id === id ? undefined : known)),
      }),
    [],
  )
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setShown(undefined), shown.durationMs)
    return () => clearTimeout(timer)
  }, [shown])
  return shown?.text
}

/** Shows the current video in the document title, which televisions list among the open apps. */
function useTitle(tv: Tv): void {
  const { title, detail } = useNowPlayingTexts(useLiveState(tv.session), tv.isUnavailable, tv.programmes)
  const { shortName } = useBrand()
  useEffect(() => {
    document.title = `${title} – ${detail} | ${shortName}`
  }, [title, detail, shortName])
}

/** The colours of the station's theme. Its font is not loaded: televisions have one that is readable from afar. */
function useTheme(): void {
  const { data: theme } = useActiveTheme()
  useEffect(() => {
    if (!theme) return
    for (const [name, value] of Object.entries(themeVariables(theme))) {
      document.documentElement.style.setProperty(name, value)
    }
  }, [theme])
}
