import { Link } from 'react-router-dom'
import { useBrand, useConfig } from '../../lib/api/use-config.ts'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const WEB_APP_HELP = 'web-app-help'
const NO_APK = 'no-apk'

/** The download page (docs/product/admin.md, "/firestick"). The operator configures its two links. */
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
          Watch on your TV and control it with your remote.
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
    <div className="grid justify-items-center gap-8">
      <div className="flex flex-wrap justify-center gap-3">
        {apkUrl ? (
          <DownloadLink url={apkUrl} icon="down" tone="primary" text="Download APK" />
        ) : (
          <Button icon="down" disabled aria-describedby={NO_APK} className="px-6 text-base">
            Download APK
          </Button>
        )}
        <DownloadLink url={guideUrl} icon="list" tone="quiet" text="View Install Guide" />
      </div>
      {!apkUrl && (
        <p id={NO_APK} className="text-muted">
          This station has no app to download. Install the web app instead.
        </p>
      )}
      {!(apkUrl && guideUrl) && <WebAppHelp />}
    </div>
  )
}

/** How to watch in the Fire TV's browser. A guide without a configured URL is this one. */
function WebAppHelp() {
  const { shortName } = useBrand()
  return (
    <section
      id={WEB_APP_HELP}
      aria-labelledby={`${WEB_APP_HELP}-title`}
      className="grid scroll-mt-20 justify-items-center gap-4 rounded-lg border border-line bg-panel px-6 py-5 text-left"
    >
      <h2 id={`${WEB_APP_HELP}-title`} className="text-xl font-semibold">
        Install the web app
      </h2>
      <ol className="grid max-w-[52ch] list-decimal gap-2 pl-5 text-muted">
        <li>
          On the Fire TV, open the Amazon Silk browser. If it is not installed, get it from the Appstore.
        </li>
        <li>
          Go to <strong className="wrap-anywhere text-text">{window.location.host}</strong> and sign in.
        </li>
        <li>Open the browser’s menu and select “Add to Favorites” to find {shortName} again quickly.</li>
        <li>Use the remote: move with the arrows, select with the center button, return with Back.</li>
      </ol>
      <Link to={paths.live()} className={buttonClass('quiet')}>
        <Icon name="play" className="size-4" />
        Watch Live TV
      </Link>
    </section>
  )
}

interface DownloadLinkProps {
  url: string | null
  icon: IconName
  tone: 'primary' | 'quiet'
  text: string
}

/** Opens the configured URL in a new tab, or the help on this page. */
function DownloadLink(props: DownloadLinkProps) {
  const className = buttonClass(props.tone, 'px-6 text-base')
  if (!props.url) {
    return (
      <a href={`#${WEB_APP_HELP}`} className={className}>
        <Icon name={props.icon} />
        {props.text}
      </a>
    )
  }
  return (
    <a href={props.url} target="_blank" rel="noopener noreferrer" className={className}>
      <Icon name={props.icon} />
      {props.text}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
