import type { Video, VideoSort } from '@looptide/contracts/http/videos'
import type { ReactNode } from 'react'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { type MetadataProgress, useAiring } from './api.ts'
import { type FittedColumn, fitColumns } from './fit-columns.ts'
import { tagText } from './tags/tag-text.ts'
import { DurationText, StateText, viewsText } from './video-state.tsx'

/** A video with the progress of its metadata lookup. */
export interface LibraryRowData {
  video: Video
  progress: MetadataProgress | undefined
  /** Ids of this video and its neighbours, whose airings are read together. */
  batch: string
}

type ColumnId =
  | 'picture'
  | 'title'
  | 'artist'
  | 'genre'
  | 'category'
  | 'tags'
  | 'duration'
  | 'added'
  | 'last-aired'
  | 'airings'
  | 'views'
  | 'state'

export interface Column extends FittedColumn {
  id: ColumnId
  label: string
  /** How much of the remaining width it takes, compared with the others. */
  share: number
  /** The order of the list that its head chooses. */
  sort?: VideoSort
  cell: (row: LibraryRowData) => ReactNode
}

const dayFormat = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'short' })

/** The day of an instant, with the time as a tooltip. */
function Day({ at }: { at: string | number }) {
  return (
    <span className="text-muted tabular-nums" title={new Date(at).toLocaleString(dateLocale)}>
      {dayFormat.format(new Date(at))}
    </span>
  )
}

function LastAired({ video, batch }: LibraryRowData) {
  const airing = useAiring(video.id, batch)
  return airing && <Day at={airing.lastStartedAtMs} />
}

function Airings({ video, batch }: LibraryRowData) {
  const airing = useAiring(video.id, batch)
  if (airing === undefined) return null
  return <span className="text-muted tabular-nums">{airing?.airings ?? 0}</span>
}

/** A text on one line, whole in its tooltip. */
const line = (text: string | null, className = '') => (
  <span className={`block truncate ${className}`} title={text ?? undefined}>
    <bdi>{text}</bdi>
  </span>
)

/** The columns of the library's table, from the first to the last. */
const COLUMNS: readonly Column[] = [
  {
    ...{ id: 'picture', label: 'Picture', minPx: 60, share: 0, rank: 5 },
    cell: ({ video }) => <Thumbnail url={video.thumbnailUrl} className="w-full rounded-sm" />,
  },
  {
    ...{ id: 'title', label: 'Title', minPx: 168, share: 5, rank: 0, sort: 'title' },
    cell: ({ video }) => line(video.title, 'font-medium'),
  },
  {
    ...{ id: 'artist', label: 'Artist', minPx: 112, share: 3, rank: 2, sort: 'artist' },
    cell: ({ video }) => line(video.artistName),
  },
  {
    ...{ id: 'genre', label: 'Genre', minPx: 80, share: 1, rank: 11, sort: 'genre' },
    cell: ({ video }) => line(video.genre, 'text-muted'),
  },
  {
    ...{ id: 'category', label: 'Category', minPx: 136, share: 2, rank: 4, sort: 'category' },
    cell: ({ video }) => line(video.category ?? video.genre, 'text-muted'),
  },
  {
    ...{ id: 'tags', label: 'Tags', minPx: 92, share: 2, rank: 8 },
    cell: ({ video }) => line(tagText(video.tags), 'text-muted'),
  },
  {
    ...{ id: 'duration', label: 'Duration', minPx: 72, share: 0, rank: 3, sort: 'duration' },
    cell: ({ video }) => <DurationText video={video} />,
  },
  {
    ...{ id: 'added', label: 'Added', minPx: 76, share: 0, rank: 7, sort: 'newest' },
    cell: ({ video }) => <Day at={video.createdAt} />,
  },
  {
    ...{ id: 'last-aired', label: 'Last aired', minPx: 76, share: 0, rank: 9 },
    cell: (row) => <LastAired {...row} />,
  },
  {
    ...{ id: 'airings', label: 'Airings', minPx: 60, share: 0, rank: 10 },
    cell: (row) => <Airings {...row} />,
  },
  {
    ...{ id: 'views', label: 'Views', minPx: 64, share: 0, rank: 6 },
    cell: ({ video }) => line(viewsText(video), 'text-muted tabular-nums'),
  },
  {
    ...{ id: 'state', label: 'State', minPx: 104, share: 2, rank: 1 },
    cell: (row) => <StateText {...row} className="line-clamp-2 text-xs/4" />,
  },
]

/** Columns that can be hidden: a video is known by its title. */
export const OPTIONAL_COLUMNS = COLUMNS.filter(({ id }) => id !== 'title')

/** The columns that are not hidden, as far as they fit into the width of the table (px). */
export const columnsIn = (widthPx: number, hidden: ReadonlySet<string>): Column[] =>
  fitColumns(COLUMNS, widthPx, hidden)

/** The tracks of a row's grid: the checkbox, the columns or all details in one, the buttons. */
export const tracksOf = (columns: readonly Column[] | null): string =>
  `1.75rem ${columns ? columns.map(trackOf).join(' ') : 'minmax(0, 1fr)'} auto`

const trackOf = ({ minPx, share }: Column): string =>
  share === 0 ? `${minPx}px` : `minmax(${minPx}px, ${share}fr)`
