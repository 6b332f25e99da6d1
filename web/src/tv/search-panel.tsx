import type { Video } from '@looptide/contracts/http/videos'
import { type KeyboardEvent, useState } from 'react'
import { DIALOG_DEBOUNCE_MS, DIALOG_MIN_LENGTH, useSearch } from '../features/search/api.ts'
import { useDebounced } from '../lib/time/use-debounced.ts'
import { TvButton, VideoName } from './parts.tsx'
import { requestOn } from './requests-panel.tsx'
import type { Tv } from './use-tv.ts'

const KEYS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789']
/** Results that fit below the picture without scrolling. */
const RESULTS = 4
const MAX_LENGTH = 40

/** A search for videos, with a keyboard on the screen. */
export function SearchPanel({ tv }: { tv: Tv }) {
  const [text, setText] = useState(tv.searchText)
  const type = (letter: string) => setText((typed) => (typed + letter).slice(0, MAX_LENGTH))
  /** A keyboard that is connected to the television; digits would change the channel. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !/^[\p{L}\p{N}'&-]$/u.test(event.key)) return
    event.preventDefault()
    type(event.key.toLowerCase())
  }
  return (
    <>
      <div className="tv-main">
        <h2 className="tv-heading">{tv.isRequesting ? 'Request a video' : 'Search'}</h2>
        <p role="status" aria-label="Search text" className="tv-typed">
          {text || <span className="tv-muted">Title or artist</span>}
        </p>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend of its own. */}
        <div role="group" aria-label="Keyboard" className="tv-keyboard" onKeyDown={onKeyDown}>
          {KEYS.map((letter) => (
            <TvButton
              key={letter}
              isFirst={letter === 'A'}
              className="tv-key"
              onPress={() => type(letter.toLowerCase())}
            >
              {letter}
            </TvButton>
          ))}
          <TvButton className="tv-key tv-wide" onPress={() => type(' ')}>
            Space
          </TvButton>
          <TvButton className="tv-key tv-wide" onPress={() => setText((typed) => typed.slice(0, -1))}>
            Delete
          </TvButton>
          <TvButton className="tv-key tv-wide" onPress={() => setText('')}>
            Clear
          </TvButton>
        </div>
      </div>
      <div className="tv-aside">
        <Results text={text.trim()} tv={tv} />
      </div>
    </>
  )
}

function Results({ text, tv }: { text: string; tv: Tv }) {
  const isLongEnough = text.length >= DIALOG_MIN_LENGTH
  const q = useDebounced(text, DIALOG_DEBOUNCE_MS)
  // What was typed last may be longer than what is searched for.
  const { data, error } = useSearch(isLongEnough && q.length >= DIALOG_MIN_LENGTH ? { q } : null, RESULTS)
  const choose = async (video: Video) => {
    if (!tv.isRequesting) tv.playVideo(video.id)
    else if (await requestOn(tv, video)) tv.setPanel('requests')
  }
  if (!isLongEnough) return <p className="tv-muted">Results appear after {DIALOG_MIN_LENGTH} letters.</p>
  if (error && !data) return <p>The search does not answer. Try again later.</p>
  if (!data) return <p className="tv-muted">Searching …</p>
  if (data.videos.length === 0) return <p role="status">Sorry video not found</p>
  return (
    <ol className="tv-list" aria-label="Results">
      {data.videos.map((video) => (
        <li key={video.id}>
          <button type="button" className="tv-item tv-result" onClick={() => void choose(video)}>
            <Picture video={video} />
            <span className="tv-name">
              <VideoName title={video.title} artistName={video.artistName} />
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}

function Picture({ video }: { video: Video }) {
  return video.thumbnailUrl === null ? null : <img src={video.thumbnailUrl} alt="" className="tv-thumbnail" />
}
