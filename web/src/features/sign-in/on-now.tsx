import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useLiveChannelId } from '../../lib/api/use-active-channels.ts'
import { useCall } from '../../lib/api/use-call.ts'
import { useMediaQuery } from '../../lib/browser/use-media-query.ts'
import { paths } from '../../lib/paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { LiveBadge } from '../../ui/live-badge.tsx'

/** docs/product/viewer.md §9, "Stream poll". */
const POLL_MS = 15_000

function useOnNow() {
  const channelId = useLiveChannelId()
  const { data } = useCall(
    'GET /api/channels/:id/now',
    channelId === undefined ? null : { params: { id: channelId } },
    { anonymous: true, refreshInterval: POLL_MS, revalidateOnFocus: true },
  )
  if (!data) return { isOffAir: channelId === undefined }
  const programme = data.programmes.find(
    ({ startsAtMs, endsAtMs }) => startsAtMs <= data.serverNowMs && data.serverNowMs < endsAtMs,
  )
  if (!programme) return { isOffAir: data.programmes.length === 0 }
  const video = programme.video ?? data.programmes.find(({ kind }) => kind === 'video')?.video
  if (!video) return { isOffAir: false }
  const { startsAtMs, endsAtMs } = programme
  const share = (data.serverNowMs - startsAtMs) / (endsAtMs - startsAtMs)
  return { isOffAir: false, onNow: { video, share } }
}

/** A link to the stream, which needs no account; on a wide screen with a picture of the current programme. */
export function OnNow() {
  const { isOffAir, onNow } = useOnNow()
  return (
    <Link
      to={paths.live()}
      className="group lift relative grid max-w-[34rem] overflow-hidden rounded-lg border border-line/70 bg-panel/80 shadow-lift"
    >
      <Picture url={onNow?.video.thumbnailUrl ?? null} />
      <span className="relative flex items-center gap-3 px-4 py-3.5 sm:gap-4 sm:px-5 lg:absolute lg:inset-x-0 lg:bottom-0 lg:bg-linear-to-t lg:from-black/90 lg:to-transparent lg:pt-16 lg:text-white">
        <span className="grid size-11 shrink-0 place-items-center rounded-full bg-text text-deep lg:bg-white lg:text-black">
          <Icon name="play" className="size-5" />
        </span>
        <span className="grid min-w-0 flex-1 gap-0.5">
          <span className="flex items-center gap-2.5 font-semibold">
            Watch Live TV {!isOffAir && <LiveBadge />}
          </span>
          <span className="truncate text-sm text-muted lg:text-white/80">
            {onNow ? (
              <>
                <bdi>{onNow.video.title}</bdi> – <bdi>{onNow.video.artistName}</bdi>
              </>
            ) : isOffAir ? (
              'Off the air'
            ) : (
              '24/7 • HD Quality'
            )}
          </span>
        </span>
      </span>
      {onNow && (
        <span aria-hidden="true" className="absolute inset-x-0 bottom-0 h-1 bg-text/15 lg:bg-white/20">
          <span
            className="block h-full origin-left bg-live"
            style={{ transform: `scaleX(${onNow.share})` }}
          />
        </span>
      )}
    </Link>
  )
}

/** Only where the picture fits beside the forms; a phone does not fetch it. */
function Picture({ url }: { url: string | null }) {
  const isWide = useMediaQuery(WIDE)
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  if (!isWide) return null
  return (
    <span className="block aspect-video overflow-hidden bg-[radial-gradient(90%_120%_at_30%_10%,color-mix(in_oklab,var(--theme-primary)_70%,#000),#05070a_75%)]">
      {url && url !== failedUrl && (
        <img
          src={url}
          alt=""
          width={544}
          height={306}
          decoding="async"
          className="size-full animate-fade object-cover"
          onError={() => setFailedUrl(url)}
        />
      )}
    </span>
  )
}

const WIDE = '(min-width: 64rem)'
