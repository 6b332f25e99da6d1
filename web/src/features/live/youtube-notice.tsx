import { Button, IconButton } from '../../ui/button.tsx'
import type { YoutubeAccess } from './use-picture.ts'

/** Shows the viewer that the network blocks YouTube, and what is shown instead. */
export function YoutubeNotice({ youtube }: { youtube: YoutubeAccess }) {
  return (
    <div
      role="status"
      className="z-20 flex shrink-0 flex-wrap items-center gap-2 bg-panel px-4 py-2 text-sm overlay:absolute overlay:inset-x-0 overlay:top-20 overlay:mx-auto overlay:w-fit overlay:max-w-[calc(100%-2rem)] overlay:rounded-md overlay:border overlay:border-line overlay:shadow-lift"
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
