import { AirLogPage } from '../../features/air-log/air-log-page.tsx'
import { AddToListButton } from '../../features/playlists/add-to-list-button.tsx'

/** What was on, with an add-to-list button per track. */
export function HistoryPage() {
  return <AirLogPage keep={(video) => <AddToListButton video={video} isCompact tone="plain" />} />
}
