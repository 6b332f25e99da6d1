import { Link } from 'react-router-dom'
import { useBrand, useConfig } from '../../lib/use-config.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { paths } from '../paths.ts'

/** The download page (administration specification, "/firestick"). Its two links are the operator's to give. */
export function FirestickPage() {
  usePageTitle('Download for Firestick')
  const { shortName } = useBrand()
  return (
    <main
      id="main"
      className="mx-auto grid max-w-3xl justify-items-center gap-8 px-4 py-12 text-center sm:py-20"
    >
      <span className="grid size-20 place-items-center rounded-lg bg-raised text-link">
        <Icon name="tv" className="size-10" />
      </span>
      <div className="grid gap-3">
        <h1 className="text-3xl font-bold tracking-tight">{shortName} on your Firestick</h1>
        <p className="mx-auto max-w-[52ch] text-lg text-muted">
          The whole station on your television, driven by the remote you already have.
        </p>
      </div>
      <Downloads />
      <p className="text-sm text-muted">
        Compatible with all Amazon Fire TV Stick models • Requires developer options enabled
      </p>
    </main>
  )
}

function Downloads() {
  const { isSettled, firestick } = useConfig()
  if (!isSettled) return <Skeleton className="h-12 w-80 max-w-full" />
  const { apkUrl, guideUrl } = firestick
  return (
    <div className="grid justify-items-center gap-5">
      {(apkUrl || guideUrl) && (
        <div className="flex flex-wrap justify-center gap-3">
          {apkUrl && <ExternalLink url={apkUrl} icon="down" tone="primary" text="Download APK" />}
          {guideUrl && <ExternalLink url={guideUrl} icon="list" tone="quiet" text="View Install Guide" />}
        </div>
      )}
      {!apkUrl && (
        <div className="grid justify-items-center gap-4 rounded-lg border border-line bg-panel px-6 py-5">
          <p className="max-w-[52ch] text-muted">
            This station offers no download yet. It works in the browser of a Fire TV just as well: open this
            address there, and use the remote.
          </p>
          <Link to={paths.live()} className={buttonClass(guideUrl ? 'quiet' : 'primary')}>
            <Icon name="play" className="size-4" />
            Watch Live TV
          </Link>
        </div>
      )}
    </div>
  )
}

function ExternalLink(props: { url: string; icon: IconName; tone: 'primary' | 'quiet'; text: string }) {
  return (
    <a
      href={props.url}
      target="_blank"
      rel="noopener noreferrer"
      className={buttonClass(props.tone, 'px-6 text-base')}
    >
      <Icon name={props.icon} />
      {props.text}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
