import type { Channel } from '@looptide/contracts/http/channels'
import type { GuideTrack } from '@looptide/contracts/http/guide'
import { formatDuration } from '@looptide/playhead/duration'
import { useNowAndNextOf } from '../features/live/channel-banner.tsx'
import { useNowPlayingTexts } from '../features/live/now-playing-texts.ts'
import { substituteEndsAtMs } from '../features/live/player/substitution.ts'
import { useLiveState } from '../features/live/use-live-session.ts'
import { useRequestChannels } from '../features/requests/api.ts'
import { clockTime } from '../lib/time/date-locale.ts'
import { useServerNow } from '../lib/time/use-server-now.ts'
import { initialsOf } from '../ui/channel-logo.tsx'
import { Progress, TvButton, VideoName } from './parts.tsx'
import { PollButton } from './poll-panel.tsx'
import { RequestedBy } from './requests-panel.tsx'
import type { Tv } from './use-tv.ts'
import { VOLUME_STEP } from './use-tv-keys.ts'

const SECOND_MS = 1_000

/** The logo of a channel, or the initials of its name. */
export function ChannelMark({ channel }: { channel: Pick<Channel, 'name' | 'logoUrl'> }) {
  if (channel.logoUrl) return <img src={channel.logoUrl} alt="" className="tv-mark" />
  return (
    <span aria-hidden="true" className="tv-mark tv-initials">
      {initialsOf(channel.name)}
    </span>
  )
}

/** Number and name of a channel with what is on now and next; shown below the picture. */
function ChannelLines({ tv, channelId }: { tv: Tv; channelId: string }) {
  const index = tv.channels.findIndex(({ id }) => id === channelId)
  const channel = tv.channels[index]
  const { timeline } = tv.channel
  // Undefined until the programmes of a new channel are received.
  const programmes = timeline?.channelId === channelId ? timeline.programmes : undefined
  const { now, next } = useNowAndNextOf(programmes ?? [])
  return (
    <div className="tv-channel">
      {channel && <ChannelMark channel={channel} />}
      <div className="tv-lines">
        <p className="tv-title">
          {channel && <span className="tv-number">{index + 1}</span>}
          <bdi>{channel?.name ?? channelId}</bdi>
        </p>
        {programmes?.length === 0 ? <p>Off the air</p> : <NowAndNext now={now} next={next} />}
        <RequestedBy programme={programmes?.find(({ startsAtMs }) => startsAtMs === now?.startsAtMs)} />
      </div>
    </div>
  )
}

function NowAndNext({ now, next }: { now: GuideTrack | undefined; next: GuideTrack | undefined }) {
  const nowMs = useServerNow(SECOND_MS)
  return (
    <>
      <p className="tv-line">
        {now && (
          <>
            <span className="tv-when">Now</span>
            <span className="tv-name">
              <VideoName {...now} />
            </span>
            <span className="tv-left">{formatDuration(Math.max(0, now.endsAtMs - nowMs))} left</span>
          </>
        )}
      </p>
      {now && <Progress key={now.startsAtMs} {...now} />}
      <p className="tv-line">
        {next && (
          <>
            <span className="tv-when">{clockTime(next.startsAtMs)}</span>
            <span className="tv-name">
              <VideoName {...next} />
            </span>
          </>
        )}
      </p>
    </>
  )
}

/** The banner of a channel after it was chosen; or the number that is being entered. */
export function Banner({ tv }: { tv: Tv }) {
  if (tv.digits) return <p className="tv-title">Channel {tv.digits}</p>
  return tv.bannerChannelId && <ChannelLines tv={tv} channelId={tv.bannerChannelId} />
}

/** What is on now and next, and what can be done. */
export function InfoStrip({ tv }: { tv: Tv }) {
  const { session, mayHear, setPanel } = tv
  const { selected, volume, muted } = useLiveState(session)
  const takesRequests = useRequestChannels().some(({ id }) => id === tv.channelId)
  return (
    <>
      {selected ? <SelectedLines tv={tv} /> : <ChannelLines tv={tv} channelId={tv.channelId} />}
      <Note tv={tv} />
      <div className="tv-row">
        {selected && (
          <TvButton isFirst onPress={() => session.backToLive()}>
            Back to live
          </TvButton>
        )}
        <TvButton isFirst onPress={() => setPanel('guide')}>
          Guide
        </TvButton>
        <TvButton onPress={() => tv.search('')}>Search</TvButton>
        {takesRequests && <TvButton onPress={() => setPanel('requests')}>Requests</TvButton>}
        <PollButton tv={tv} />
        {mayHear && (
          <>
            <TvButton onPress={() => setPanel('sound')}>Volume {percent(volume)}</TvButton>
            <TvButton onPress={() => tv.sound.setMuted(!muted)}>{muted ? 'Unmute' : 'Mute'}</TvButton>
          </>
        )}
        <TvButton onPress={() => setPanel('account')}>{mayHear ? 'Account' : 'Sign in for sound'}</TvButton>
      </div>
    </>
  )
}

/** The video that this viewer has chosen, while it plays. */
function SelectedLines({ tv }: { tv: Tv }) {
  const { title, detail, note } = useNowPlayingTexts(useLiveState(tv.session), false, tv.programmes)
  return (
    <div className="tv-lines">
      <p className="tv-title">
        <VideoName title={title} artistName={detail} />
      </p>
      <p className="tv-muted">{note}</p>
    </div>
  )
}

/** Why the picture is another one than the channel's. */
function Note({ tv }: { tv: Tv }) {
  const { programme, substitute } = useLiveState(tv.session)
  if (tv.youtube.isReplaced)
    return <p>YouTube cannot be reached from this network. The Test Card is shown instead.</p>
  if (!substitute || !programme?.video) return null
  return (
    <p>
      “{programme.video.title}” is not available in your region. Showing “{substitute.title}” until{' '}
      {clockTime(substituteEndsAtMs(programme, substitute))}.
    </p>
  )
}

const percent = (volume: number): string => `${Math.round(volume * 100)} %`

/** Volume and mute, below the picture. */
export function SoundStrip({ tv }: { tv: Tv }) {
  const { volume, muted } = useLiveState(tv.session)
  const shown = muted ? 0 : volume
  const change = (step: 1 | -1) => tv.sound.setVolume(Math.min(1, Math.max(0, shown + step * VOLUME_STEP)))
  return (
    <>
      <h2 className="tv-title">Volume</h2>
      <div className="tv-row">
        <TvButton label="Quieter" onPress={() => change(-1)}>
          −
        </TvButton>
        <TvButton isFirst label="Louder" onPress={() => change(1)}>
          +
        </TvButton>
        <TvButton onPress={() => tv.sound.setMuted(!muted)}>{muted ? 'Unmute' : 'Mute'}</TvButton>
        <meter className="tv-meter" min={0} max={1} value={shown} aria-label="Volume" />
        <p role="status">{muted ? 'Muted' : percent(volume)}</p>
      </div>
    </>
  )
}
