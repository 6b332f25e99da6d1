import { useRef } from 'react'
import { AddVideosForm } from './add-videos-form.tsx'
import { FollowedSummary } from './followed/followed-summary.tsx'
import { type LibraryHandle, LibraryPanel } from './library-panel.tsx'

/** The "Video Library" section: the Add New Videos form and the library list. */
export function VideoLibrary() {
  const library = useRef<LibraryHandle>(null)
  return (
    <div className="grid grow gap-8 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
      <section
        aria-labelledby="add-videos"
        className="grid gap-5 self-start rounded-lg border border-line/70 bg-panel p-5"
      >
        <h2 id="add-videos" className="text-xl font-semibold">
          Add New Videos
        </h2>
        <AddVideosForm onAdded={(result) => library.current?.showAdded(result)} />
        <FollowedSummary />
      </section>
      <LibraryPanel handle={library} />
    </div>
  )
}
