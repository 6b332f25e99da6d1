import type { Video } from '@looptide/contracts/http/videos'
import { videoPageUrl } from '../../lib/video-page-url.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

const LABEL = 'Open in new tab'

/** A link to the video's original page. `onOpen` pauses our player, so that the sound is not doubled. */
export function NewTabLink(props: { video: Video; hasLabel?: boolean; onOpen?: () => void }) {
  return (
    <a
      href={videoPageUrl(props.video)}
      target="_blank"
      rel="noopener noreferrer"
      title={LABEL}
      onClick={props.onOpen}
      className={props.hasLabel ? buttonClass('quiet') : buttonClass('plain', 'button-icon')}
    >
      <Icon name="outside" />
      <span className={props.hasLabel ? undefined : 'sr-only'}>{LABEL}</span>
    </a>
  )
}
